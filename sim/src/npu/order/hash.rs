//! A hash of few instructions for keys that the engine makes itself: numbers of places and views, addresses of lines.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with such keys.
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// Multiplies and folds: every bit of a key reaches the low and the high bits, which is what the tables look at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mix(u64);

impl Mix {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }
}

impl Hasher for Mix {
    #[inline]
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.add(u64::from(*b)));
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.add(u64::from(n));
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.add(u64::from(n));
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }

    #[inline]
    fn write_isize(&mut self, n: isize) {
        self.add(n as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    #[test]
    fn lines_and_small_numbers_spread() {
        let hash = BuildHasherDefault::<Mix>::default();
        for step in [1, 64, 4096, 1 << 32] {
            let hashes: Vec<u64> = (0..128u64).map(|i| hash.hash_one(i * step)).collect();
            let low: HashSet<u64> = hashes.iter().map(|h| h & 127).collect();
            let high: HashSet<u64> = hashes.iter().map(|h| h >> 57).collect();
            assert!(low.len() > 64 && high.len() > 64, "{step}: {} {}", low.len(), high.len());
        }
    }
}
