//! Which addresses are free: best fit with coalescing.

use std::collections::{BTreeMap, BTreeSet};

/// Smaller extents tried for an aligned request before one is taken that fits whatever its start.
const TRIES: usize = 16;

/// The free extents of a range, by start and by size.
#[derive(Debug, Default)]
pub(super) struct Extents {
    by_start: BTreeMap<u64, u64>,
    by_size: BTreeSet<(u64, u64)>,
}

impl Extents {
    /// Everything free in `start..start + bytes`.
    pub(super) fn new(start: u64, bytes: u64) -> Extents {
        let mut free = Extents::default();
        free.insert(start, bytes);
        free
    }

    fn insert(&mut self, start: u64, bytes: u64) {
        if bytes > 0 {
            self.by_start.insert(start, bytes);
            self.by_size.insert((bytes, start));
        }
    }

    fn remove(&mut self, start: u64, bytes: u64) {
        self.by_start.remove(&start);
        self.by_size.remove(&(bytes, start));
    }

    /// Takes `bytes` at a multiple of `align` (a power of two).
    pub(super) fn take(&mut self, bytes: u64, align: u64) -> Option<u64> {
        let fits = |&&(size, start): &&(u64, u64)| start.next_multiple_of(align) + bytes <= start + size;
        let small = self.by_size.range((bytes, 0)..).take(TRIES).find(fits).copied();
        let (size, start) = small.or_else(|| self.by_size.range((bytes + align - 1, 0)..).next().copied())?;
        self.remove(start, size);
        let taken = start.next_multiple_of(align);
        self.insert(start, taken - start);
        self.insert(taken + bytes, start + size - taken - bytes);
        Some(taken)
    }

    /// Gives `start..start + bytes` back; the extent must have come from [`Extents::take`].
    pub(super) fn give(&mut self, mut start: u64, mut bytes: u64) {
        if let Some((&before, &size)) = self.by_start.range(..start).next_back()
            && before + size == start
        {
            self.remove(before, size);
            start = before;
            bytes += size;
        }
        if let Some(&size) = self.by_start.get(&(start + bytes)) {
            self.remove(start + bytes, size);
            bytes += size;
        }
        self.insert(start, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::Extents;

    #[test]
    fn extents_coalesce_to_one() {
        let mut free = Extents::new(4096, 1 << 20);
        let blocks: Vec<u64> = (0..16).map(|i| free.take(1000 + i, 512).unwrap()).collect();
        assert!(blocks.iter().all(|b| b % 512 == 0));
        for (i, b) in blocks.iter().enumerate().rev() {
            free.give(*b, 1000 + i as u64);
        }
        assert_eq!(free.by_start.len(), 1);
        assert_eq!(free.take(1 << 20, 4096), Some(4096));
        assert_eq!(free.take(1, 1), None);
    }
}
