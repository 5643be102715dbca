//! A counter that only grows, and the wait for it to reach a number.
//!
//! Built for short waits: a waiter looks, then yields its processor while offering to help, then sleeps.

use crate::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use crate::sync::patience::{SPIN_ROUNDS, YIELD_TIME};
use crate::sync::{Condvar, Mutex, spin_loop, yield_now};
use std::time::Instant;

/// How much of something is done.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    sleepers: AtomicU32,
    sleep: Mutex<()>,
    woken: Condvar,
}

impl Progress {
    /// Adds to the count and wakes whoever waits for it.
    pub fn advance(&self, by: u64) {
        self.done.fetch_add(by, Ordering::SeqCst);
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            let _held = self.sleep.lock();
            self.woken.notify_all();
        }
    }

    /// The count.
    pub fn count(&self) -> u64 {
        self.done.load(Ordering::SeqCst)
    }

    /// Whether the count is at least `goal`.
    pub fn reached(&self, goal: u64) -> bool {
        self.done.load(Ordering::SeqCst) >= goal
    }

    /// Waits until the count is `goal`, at most until `deadline`; `false` if the time ran out. While it waits it
    /// calls `help`, which returns whether it found something useful to do.
    pub fn wait(&self, goal: u64, deadline: Option<Instant>, mut help: impl FnMut() -> bool) -> bool {
        if !self.reached(goal) && deadline.is_none() {
            // Doing the work is quicker than waking somebody up for it.
            help();
        }
        for _ in 0..SPIN_ROUNDS {
            if self.reached(goal) {
                return true;
            }
            spin_loop();
        }
        let mut idle_since = Instant::now();
        loop {
            if self.reached(goal) {
                return true;
            }
            let now = Instant::now();
            if deadline.is_some_and(|d| now >= d) {
                return false;
            }
            if help() {
                idle_since = Instant::now();
            } else if now - idle_since < YIELD_TIME {
                yield_now();
            } else {
                return self.sleep_until(goal, deadline);
            }
        }
    }

    fn sleep_until(&self, goal: u64, deadline: Option<Instant>) -> bool {
        // Counted before the last look: whoever advances later sees the count and notifies under the lock.
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let mut held = self.sleep.lock();
        let mut reached = self.reached(goal);
        let mut timed_out = false;
        while !reached && !timed_out {
            match deadline {
                Some(deadline) => timed_out = self.woken.wait_until(&mut held, deadline).timed_out(),
                None => self.woken.wait(&mut held),
            }
            reached = self.reached(goal);
        }
        drop(held);
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn waiting_gives_up_in_time_and_wakes_up() {
        let progress = Arc::new(Progress::default());
        assert!(!progress.wait(1, Some(Instant::now() + Duration::from_millis(5)), || false));
        let other = progress.clone();
        let advancer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(10));
            other.advance(1);
        });
        assert!(progress.wait(1, None, || false));
        advancer.join().unwrap();
    }

    #[test]
    fn no_wake_up_is_lost() {
        let progress = Arc::new(Progress::default());
        let other = progress.clone();
        let turns = Arc::new(Progress::default());
        let my_turns = turns.clone();
        let advancer = std::thread::spawn(move || {
            for round in 0..5000 {
                assert!(my_turns.sleep_until(round + 1, Some(Instant::now() + Duration::from_secs(20))));
                other.advance(1);
            }
        });
        for round in 0..5000 {
            turns.advance(1);
            assert!(progress.sleep_until(round + 1, Some(Instant::now() + Duration::from_secs(20))));
        }
        advancer.join().unwrap();
    }
}
