//! What the runtime does in another order when the run has a seed (`TOPROPE_SEED`).
//!
//! | without a seed | with one |
//! |---|---|
//! | of kernels that are ready, equal in priority, the oldest starts first | any of them |
//! | a small copy is done by whoever starts it, often in the call itself | by a copy thread, some time later |
//! | a kernel starts as soon as a worker is awake | some time later |
//!
//! All of it is what streams allow: tasks of one stream keep their order, events and synchronisation hold. A program that uses memory
//! without waiting for the stream that fills it gets away with it less often.
//!
//! Not modelled: the same seed need not give the same order again, as the threads of the program run as the system likes.

use crate::npu::Random;
use crate::sync::Mutex;
use std::time::Duration;

/// Longest time that a copy is held back.
const LONGEST_DELAY_US: u64 = 800;

/// A source of chances; none without a seed.
#[derive(Debug, Default)]
pub struct Chance(Option<Mutex<Random>>);

impl Chance {
    /// Without a seed.
    pub const NONE: Chance = Chance(None);

    /// For device number `device`.
    pub fn new(seed: Option<u64>, device: u32) -> Chance {
        Chance(seed.map(|seed| Mutex::new(Random::new(seed, [u64::from(device), u64::MAX, 2]))))
    }

    /// Whether the run has a seed.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// A number below `n`; 0 without a seed.
    pub fn below(&self, n: u64) -> u64 {
        self.0.as_ref().map_or(0, |random| random.lock().below(n))
    }

    /// How long to hold something back: not at all half the time, and without a seed.
    pub fn delay(&self) -> Duration {
        let held = self.below(2) == 1;
        if held { Duration::from_micros(self.below(LONGEST_DELAY_US)) } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_seed_nothing_is_left_to_chance() {
        let chance = Chance::default();
        assert_eq!((chance.is_on(), chance.below(1 << 40), chance.delay()), (false, 0, Duration::ZERO));
        let chance = Chance::new(Some(3), 0);
        let delays: Vec<Duration> = (0..50).map(|_| chance.delay()).collect();
        assert!(delays.contains(&Duration::ZERO) && delays.iter().any(|d| !d.is_zero()));
    }
}
