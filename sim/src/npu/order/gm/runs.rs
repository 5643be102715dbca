//! Bytes of GM that one access, or many alike, touch: equally spaced runs.
//!
//! A tile of a matrix is one value, and so is a linear copy of a gigabyte: accesses that continue each other are joined.

use crate::exec::{Access, Shape};
use std::ops::Range;

/// `count` runs of `len` bytes, the next one `step` bytes behind the start of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    pub start: u64,
    pub len: u64,
    pub step: u64,
    pub count: u64,
}

impl Runs {
    /// One run.
    pub fn one(range: Range<u64>) -> Runs {
        let len = range.end - range.start;
        Runs { start: range.start, len, step: len, count: 1 }
    }

    fn strided(start: u64, len: u64, step: u64, count: u64) -> Runs {
        if count == 1 || step == len {
            return Runs::one(start..start + len * count);
        }
        Runs { start, len, step, count }
    }

    /// Calls `f` with what an operand touches.
    pub fn of(access: &Access, mut f: impl FnMut(Runs)) {
        let addr = access.addr;
        match access.shape {
            Shape::Empty => {}
            Shape::Bursts(b) if b.step_bytes >= u64::from(b.len_bytes) || b.count == 1 => {
                f(Runs::strided(addr, u64::from(b.len_bytes), b.step_bytes, u64::from(b.count)));
            }
            Shape::Grid(g) if g.steps_bytes[0] >= g.len_bytes || g.counts[0] == 1 => {
                let g = g.merged();
                let [inner, middle, outer] = g.counts.map(u64::from);
                let [step, s1, s2] = g.steps_bytes.map(u64::from);
                let len = u64::from(g.len_bytes);
                let whole = step == len || inner == 1;
                for o in 0..outer {
                    let at = addr + o * s2;
                    if whole && s1 >= len * inner {
                        f(Runs::strided(at, len * inner, s1, middle));
                        continue;
                    }
                    (0..middle).for_each(|m| f(Runs::strided(at + m * s1, len, step, inner)));
                }
            }
            _ => access.for_each_range(|r| f(Runs::one(r))),
        }
    }

    /// One behind the last byte.
    #[inline]
    pub fn end(&self) -> u64 {
        self.start + (self.count - 1) * self.step + self.len
    }

    /// Bytes touched.
    pub fn bytes(&self) -> u64 {
        self.len * self.count
    }

    /// Takes `next` in, if both together are runs again; `false` if they are not.
    #[inline]
    pub fn join(&mut self, next: &Runs) -> bool {
        if *self == *next {
            return true;
        }
        if self.count == 1 && next.count == 1 {
            return self.join_ones(next);
        }
        if self.count == next.count
            && self.step == next.step
            && next.start == self.start + self.len
            && self.len + next.len <= self.step
        {
            *self = Runs::strided(self.start, self.len + next.len, self.step, self.count);
            return true;
        }
        let follows = self.count > 1
            && next.len == self.len
            && (next.count == 1 || next.step == self.step)
            && next.start == self.start + self.count * self.step;
        if follows {
            self.count += next.count;
        }
        follows
    }

    fn join_ones(&mut self, next: &Runs) -> bool {
        let end = self.start + self.len;
        if next.start >= self.start && next.start + next.len <= end {
            return true;
        }
        if next.start == end {
            *self = Runs::one(self.start..end + next.len);
            return true;
        }
        let is_row = next.len == self.len && next.start > end;
        if is_row {
            *self = Runs::strided(self.start, self.len, next.start - self.start, 2);
        }
        is_row
    }

    /// The first bytes that both touch.
    #[inline]
    pub fn overlap(&self, other: &Runs) -> Option<Range<u64>> {
        if self.start >= other.end() || other.start >= self.end() {
            return None;
        }
        if self.count == 1 && other.count == 1 {
            return Some(self.start.max(other.start)..self.end().min(other.end()));
        }
        let (few, many) = if self.count <= other.count { (self, other) } else { (other, self) };
        (0..few.count).find_map(|i| many.first_in(&few.run(i)))
    }

    /// Whether all of `other`, which is one run, lies in one run of this.
    pub fn covers(&self, other: &Runs) -> bool {
        let at = other.start.checked_sub(self.start).map(|from| from / self.step.max(1));
        other.count == 1 && at.is_some_and(|i| i < self.count && self.run(i).end >= other.end())
    }

    #[inline]
    fn run(&self, i: u64) -> Range<u64> {
        let start = self.start + i * self.step;
        start..start + self.len
    }

    /// Calls `f` with every run.
    #[inline]
    pub fn for_each(&self, f: impl FnMut(Range<u64>)) {
        (0..self.count).map(|i| self.run(i)).for_each(f);
    }

    /// The first bytes of `range` that are touched.
    fn first_in(&self, range: &Range<u64>) -> Option<Range<u64>> {
        let before = range.start.saturating_sub(self.start) / self.step;
        let run = |i: u64| (i < self.count).then(|| self.run(i));
        [run(before), run(before + 1)].into_iter().flatten().find_map(|r| {
            let both = r.start.max(range.start)..r.end.min(range.end);
            (both.start < both.end).then_some(both)
        })
    }

    /// Calls `f` with every run that touches `within`.
    pub fn for_each_in(&self, within: &Range<u64>, mut f: impl FnMut(Range<u64>)) {
        let skip = (within.start.saturating_sub(self.start)).checked_div(self.step).unwrap_or(0);
        for i in skip.min(self.count)..self.count {
            let run = self.run(i);
            if run.start >= within.end {
                return;
            }
            if run.end > within.start {
                f(run);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn bytes(r: &Runs) -> BTreeSet<u64> {
        (0..r.count).flat_map(|i| r.run(i)).collect()
    }

    fn runs() -> impl Strategy<Value = Runs> {
        (0..40u64, 1..6u64, 0..6u64, 1..5u64).prop_map(|(s, l, gap, c)| Runs::strided(s, l, l + gap, c))
    }

    proptest! {
        #[test]
        fn joined_runs_touch_the_bytes_of_both(a in runs(), b in runs()) {
            let mut both = a;
            if both.join(&b) {
                let union: BTreeSet<u64> = bytes(&a).union(&bytes(&b)).copied().collect();
                prop_assert_eq!(bytes(&both), union);
            } else {
                prop_assert_eq!(both, a);
            }
        }

        #[test]
        fn what_is_covered_lies_in_one_run(a in runs(), at in 0..60u64, len in 1..6u64) {
            let one = Runs::one(at..at + len);
            let inside = (0..a.count).any(|i| a.run(i).start <= at && at + len <= a.run(i).end);
            prop_assert_eq!(a.covers(&one), inside);
        }

        #[test]
        fn overlaps_are_exact(a in runs(), b in runs()) {
            let common: BTreeSet<u64> = bytes(&a).intersection(&bytes(&b)).copied().collect();
            match a.overlap(&b) {
                None => prop_assert!(common.is_empty()),
                Some(r) => prop_assert!(r.clone().all(|x| common.contains(&x)) && common.first() == Some(&r.start)),
            }
        }
    }

    #[test]
    fn tiles_and_lines_grow() {
        let mut a = Runs::one(0..64);
        assert!(a.join(&Runs::one(64..128)) && a == Runs::one(0..128));
        let mut tile = Runs::strided(0, 64, 256, 16);
        for i in 1..4 {
            assert!(tile.join(&Runs::strided(64 * i, 64, 256, 16)));
        }
        assert_eq!(tile, Runs::one(0..4096), "a full row of tiles is one run");
        let mut rows = Runs::one(0..32);
        (1..10).for_each(|i| assert!(rows.join(&Runs::one(i * 100..i * 100 + 32))));
        assert_eq!(rows, Runs::strided(0, 32, 100, 10));
        assert!(!rows.join(&Runs::one(5000..5032)));
    }
}
