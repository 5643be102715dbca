//! GlobalTensors: what the kernel says of them.
//!
//! Those whose size the kernel has said: a copy that starts inside and runs over the end is suspicious, although the
//! bytes are of the same allocation. Those that an offset moves out of the block they were given: what is then accessed is legal
//! if it is of another block, and not what was meant.
//!
//! Silent where a tensor without a size may be meant, where another tensor covers the whole copy, and for what rounding up to a
//! block of 32 bytes adds.

use std::ops::Range;

/// Tensors kept; with more, nothing is said.
const MOST: usize = 128;
const BLOCK_BYTES: u64 = 32;
/// Addresses of strayed tensors kept.
const MOST_STRAYS: usize = 64;

/// See the module.
#[derive(Debug, Default)]
pub struct Tensors {
    sized: Vec<Range<u64>>,
    /// Addresses of tensors without a size.
    open: Vec<u64>,
    full: bool,
    /// Addresses outside of the tensor's block, and one of the block.
    strays: Vec<(u64, u64)>,
    next_stray: usize,
}

impl Tensors {
    /// A tensor is at `address` and has `bytes`; 0: unknown.
    pub fn add(&mut self, address: u64, bytes: u64) {
        let range = address..address.saturating_add(bytes);
        let is_known = if bytes == 0 { self.open.contains(&address) } else { self.sized.contains(&range) };
        if is_known || self.full {
            return;
        }
        self.full = self.sized.len() + self.open.len() >= MOST;
        if bytes == 0 {
            self.open.push(address);
        } else {
            self.sized.push(range);
        }
    }

    /// A tensor of the block of `base` was moved to `address`, which is not of this block.
    pub fn stray(&mut self, address: u64, base: u64) {
        if self.strayed(address).is_some() {
            return;
        }
        if self.strays.len() < MOST_STRAYS {
            return self.strays.push((address, base));
        }
        self.strays[self.next_stray] = (address, base);
        self.next_stray = (self.next_stray + 1) % MOST_STRAYS;
    }

    /// If a tensor was moved out of its block to `address`: an address of this block.
    #[inline]
    pub fn strayed(&self, address: u64) -> Option<u64> {
        self.strays.iter().find(|s| s.0 == address).map(|s| s.1)
    }

    /// The tensor that a copy of `bytes` runs out of. `block`: the allocation and the bytes asked for.
    #[inline]
    pub fn left(
        &self,
        bytes: &Range<u64>,
        strict: bool,
        block: impl FnOnce() -> Range<u64>,
    ) -> Option<Range<u64>> {
        if self.sized.is_empty() || self.full {
            return None;
        }
        let starts = |t: &&Range<u64>| t.contains(&bytes.start);
        if self.sized.iter().filter(starts).any(|t| bytes.end <= t.end) {
            return None;
        }
        let tensor = self.sized.iter().filter(starts).max_by_key(|t| t.end)?.clone();
        let block = block();
        let is_open = |a: &u64| block.contains(a) && *a <= bytes.start;
        let rounding = bytes.end - tensor.end < BLOCK_BYTES && !strict;
        (!rounding && !self.open.iter().any(is_open)).then_some(tensor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_may_leave_a_tensor_only_by_rounding() {
        let mut t = Tensors::default();
        let left = |t: &Tensors, r: Range<u64>| t.left(&r, false, || 0..4096).is_some();
        assert!(!left(&t, 0..64));
        t.add(0, 1280);
        assert!(!left(&t, 1024..1280) && left(&t, 1024..1536) && !left(&t, 1024..1300));
        assert!(!left(&t, 2048..4096), "does not start inside");
        t.add(512, 2048);
        assert!(!left(&t, 1024..1536), "another tensor covers it");
        t.add(0, 0);
        assert!(!left(&t, 256..1536), "a tensor without a size may be meant");
    }

    #[test]
    fn the_latest_strays_are_known() {
        let mut t = Tensors::default();
        (0..100).for_each(|i| t.stray(4096 + i, 64));
        assert_eq!((t.strayed(4096), t.strayed(4195), t.strayed(64)), (None, Some(64), None));
    }
}
