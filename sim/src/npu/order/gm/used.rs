//! Which bytes of GM were used, and how: what the host side compares with copies and with other launches.
//!
//! Exact byte ranges, merged where they touch. A launch with more than [`MOST`] separate ranges of a kind keeps none of
//! that kind: then less is found, and nothing wrong. Memory: 16 bytes per range, so at most 256 KiB per kind and core.

use super::log::Class;
use super::runs::Runs;
use std::ops::Range;

/// Separate ranges of one kind that a core or a launch keeps.
const MOST: usize = 16 << 10;

/// Ranges of bytes, in the order in which they were used.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    list: Vec<(u64, u64)>,
    /// Sorted and merged so far.
    merged: u32,
    gave_up: bool,
}

impl Ranges {
    /// These bytes were used.
    #[inline]
    fn note(&mut self, range: &Range<u64>) {
        if let Some(last) = self.list.last_mut()
            && range.start <= last.1
            && range.end >= last.0
        {
            last.0 = last.0.min(range.start);
            last.1 = last.1.max(range.end);
            return;
        }
        self.push(range);
    }

    fn push(&mut self, range: &Range<u64>) {
        if self.gave_up || range.start >= range.end {
            return;
        }
        if self.list.len() >= MOST.min(2 * self.merged as usize + 256) {
            self.merge();
            if self.list.len() >= MOST {
                self.gave_up = true;
                self.list.clear();
                return;
            }
        }
        self.list.push((range.start, range.end));
    }

    /// Sorts, and joins ranges that touch.
    fn merge(&mut self) {
        self.list.sort_unstable();
        self.list.dedup_by(|next, before| {
            let touches = next.0 <= before.1;
            if touches {
                before.1 = before.1.max(next.1);
            }
            touches
        });
        self.merged = self.list.len() as u32;
    }

    fn add(&mut self, other: Ranges) {
        if self.list.is_empty() && !self.gave_up {
            *self = other;
            return;
        }
        self.gave_up |= other.gave_up;
        other.list.iter().for_each(|(start, end)| self.note(&(*start..*end)));
        if self.gave_up {
            self.list.clear();
        }
    }

    /// The ranges, sorted, without those that touch.
    pub fn into_sorted(mut self) -> impl Iterator<Item = Range<u64>> {
        self.merge();
        self.list.into_iter().map(|(start, end)| start..end)
    }
}

/// Strided accesses that may go on.
const OPEN: usize = 4;

/// What was used, and how.
#[derive(Clone, Debug, Default)]
pub struct GmUse {
    /// Strided reads and writes that are in no list yet: tiles of a matrix that continue each other become whole rows.
    open: [Option<(Class, Runs)>; OPEN],
    next: usize,
    /// Read.
    pub reads: Ranges,
    /// Written.
    pub writes: Ranges,
    /// Changed by atomic operations.
    pub atomics: Ranges,
}

impl GmUse {
    /// These bytes are used.
    #[inline]
    pub(super) fn note(&mut self, class: Class, runs: &Runs) {
        match runs.count {
            1 => self.of(class).note(&(runs.start..runs.end())),
            _ => self.note_strided(class, runs),
        }
    }

    fn of(&mut self, class: Class) -> &mut Ranges {
        match class {
            Class::Read => &mut self.reads,
            Class::Write => &mut self.writes,
            Class::Atomic => &mut self.atomics,
        }
    }

    fn note_strided(&mut self, class: Class, runs: &Runs) {
        let mut open = self.open.iter_mut().flatten();
        if open.any(|(c, r)| *c == class && r.join(runs)) {
            return;
        }
        let before = self.open[self.next].replace((class, *runs));
        self.next = (self.next + 1) % OPEN;
        self.close(before);
    }

    fn close(&mut self, open: Option<(Class, Runs)>) {
        if let Some((class, runs)) = open {
            runs.for_each(|range| self.of(class).note(&range));
        }
    }

    /// Nothing comes behind it.
    pub(super) fn end(&mut self) {
        for i in 0..OPEN {
            let open = self.open[i].take();
            self.close(open);
        }
    }

    /// Adds what another core or block used; both have ended.
    pub fn add(&mut self, other: GmUse) {
        self.reads.add(other.reads);
        self.writes.add(other.writes);
        self.atomics.add(other.atomics);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(ranges: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let mut log = Ranges::default();
        ranges.iter().for_each(|(start, end)| log.note(&(*start..*end)));
        log.into_sorted().map(|r| (r.start, r.end)).collect()
    }

    #[test]
    fn ranges_that_touch_are_one() {
        assert_eq!(sorted(&[(0, 8), (8, 16), (100, 108), (4, 20)]), [(0, 20), (100, 108)]);
        assert_eq!(sorted(&[(5, 5)]), []);
    }

    #[test]
    fn many_ranges_are_kept_and_too_many_are_dropped() {
        let comb = |n: u64| -> Vec<(u64, u64)> { (0..n).map(|i| (i * 64, i * 64 + 32)).collect() };
        assert_eq!(sorted(&comb(5000)).len(), 5000);
        let both: Vec<(u64, u64)> =
            comb(5000).into_iter().chain(comb(5000).iter().map(|r| (r.0 + 32, r.1 + 32))).collect();
        assert_eq!(sorted(&both), [(0, 5000 * 64)]);
        assert_eq!(sorted(&comb(40_000)), []);
    }
}
