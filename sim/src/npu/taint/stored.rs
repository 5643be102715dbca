//! Bytes of GM that hold data made of nothing.
//!
//! A store of such bytes is not wrong by itself: the next store may overwrite them (rows whose end is rounded up to 32 bytes), or they lie in a workspace
//! and nobody uses them. So they are remembered until the launch ends; a load takes the dirt along, a store of known bytes removes it, and what is left in an
//! output is reported.

use crate::findings::catalogue::Entry;
use crate::findings::{Detail, Draft, DraftSide};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// More ranges than this are not followed.
const MOST_RANGES: usize = 1 << 16;

/// A place that stored such bytes in one allocation.
#[derive(Clone, Debug)]
pub struct Store {
    /// What is reported if something is left.
    pub entry: &'static Entry,
    /// The read of what nobody wrote, and the store.
    pub sides: [DraftSide; 2],
    /// What computed with bytes that were only moved before.
    pub used: Option<Detail>,
    /// Start of the allocation.
    pub base: u64,
    /// In words: argument and name.
    pub target: String,
    /// Nobody looks at it after the launch, or nobody asked for it.
    pub is_silent: bool,
    /// Where it was stored from.
    pub block: u32,
    pub core: String,
}

/// The bytes of one launch.
#[derive(Debug, Default)]
pub struct Stored {
    any: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// By first address: end, number of the store.
    ranges: BTreeMap<u64, (u64, u32)>,
    stores: Vec<Store>,
}

impl Inner {
    /// Ranges that meet `range`.
    fn meeting(&self, range: &Range<u64>) -> Vec<(Range<u64>, u32)> {
        let before = self.ranges.range(..range.start).next_back();
        before
            .into_iter()
            .chain(self.ranges.range(range.clone()))
            .map(|(start, (end, store))| (*start..*end, *store))
            .filter(|(r, _)| r.end > range.start)
            .collect()
    }

    fn remove(&mut self, range: &Range<u64>) {
        for (old, store) in self.meeting(range) {
            self.ranges.remove(&old.start);
            if old.start < range.start {
                self.ranges.insert(old.start, (range.start, store));
            }
            if old.end > range.end {
                self.ranges.insert(range.end, (old.end, store));
            }
        }
    }
}

impl Stored {
    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        !self.any.load(Ordering::Relaxed)
    }

    /// Number of a new store.
    pub fn announce(&self, store: Store) -> u32 {
        let mut inner = self.inner.lock();
        inner.stores.push(store);
        inner.stores.len() as u32 - 1
    }

    /// Bytes made of nothing were stored.
    pub fn put(&self, mut range: Range<u64>, store: u32) {
        let mut inner = self.inner.lock();
        self.any.store(true, Ordering::Relaxed);
        inner.remove(&range);
        if inner.ranges.len() >= MOST_RANGES {
            return;
        }
        let before = inner.ranges.range(..range.start).next_back().map(|(s, e)| (*s, *e));
        if let Some((start, _)) = before.filter(|(_, (end, other))| *end == range.start && *other == store) {
            range.start = start;
        }
        inner.ranges.insert(range.start, (range.end, store));
    }

    /// Known bytes were stored.
    pub fn remove(&self, range: &Range<u64>) {
        let mut inner = self.inner.lock();
        inner.remove(range);
        if inner.ranges.is_empty() {
            self.any.store(false, Ordering::Relaxed);
        }
    }

    /// The parts of a range that are made of nothing, with the number of their store and what they were made of.
    pub fn parts(&self, range: &Range<u64>) -> Vec<(Range<u64>, u32, DraftSide)> {
        let inner = self.inner.lock();
        let cut = |r: Range<u64>| r.start.max(range.start)..r.end.min(range.end);
        let met = inner.meeting(range).into_iter();
        met.map(|(r, store)| (cut(r), store, inner.stores[store as usize].sides[0].clone())).collect()
    }

    /// A finding for every store of which something is left in an output; blocks behind `last` do not count.
    pub fn leftovers(&self, last: u32) -> Vec<Draft> {
        let inner = self.inner.lock();
        let mut left: Vec<Vec<Range<u64>>> = vec![Vec::new(); inner.stores.len()];
        for (start, (end, store)) in &inner.ranges {
            left[*store as usize].push(*start..*end);
        }
        let mut stores: Vec<(&Store, Vec<Range<u64>>)> = inner.stores.iter().zip(left).collect();
        // Threads announce in any order.
        stores.sort_by_key(|(s, ranges)| (s.block, s.core.clone(), ranges.first().map(|r| r.start)));
        stores
            .into_iter()
            .filter(|(s, ranges)| !ranges.is_empty() && !s.is_silent && s.block <= last)
            .map(|(s, ranges)| s.draft(&ranges))
            .collect()
    }
}

/// What usually writes the bytes of a memory.
fn how_to_write(memory: &str) -> &'static str {
    match memory {
        "L0A" | "L0B" => {
            "LoadData has to bring all that m, n and k of Mmad cover, or fill the rest with Fill"
        }
        "L0C" => "the first Mmad of a sum needs cmatrixInitVal = true, or a bias",
        "L1" => "load them: length, strides and repeats of the copy and of LoadData; or fill them with Fill",
        "UB" => "load them: length, strides, repeats and mask; or fill them with Duplicate",
        _ => "load them",
    }
}

impl Store {
    fn draft(&self, ranges: &[Range<u64>]) -> Draft {
        let [origin, sink] = self.sides.clone();
        let op = sink.op.unwrap_or_default();
        let bytes: u64 = ranges.iter().map(|r| r.end - r.start).sum();
        let mut sink = sink;
        sink.side.first_byte = ranges[0].start.wrapping_sub(self.base);
        sink.side.end_byte = ranges[0].end.wrapping_sub(self.base);
        let values = [
            ("op", op.to_owned()),
            ("bytes", bytes.to_string()),
            ("target", self.target.clone()),
            ("memory", origin.side.memory.to_owned()),
            ("first", format!("{:#x}", origin.side.first_byte)),
            ("end", format!("{:#x}", origin.side.end_byte)),
            ("how", how_to_write(origin.side.memory).to_owned()),
        ];
        let mut draft = Draft::new(self.entry, &values).op(op);
        draft.frames.clone_from(&sink.frames);
        draft.block = self.block;
        draft.core.clone_from(&self.core);
        draft.details.extend(self.used.clone());
        if ranges.len() > 1 {
            draft = draft.detail(format!("{bytes} bytes in {} places, the first is shown", ranges.len()));
        }
        draft.sides = vec![origin, sink];
        draft
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut() {
        let stored = Stored::default();
        assert!(stored.is_empty());
        let ranges = |s: &Stored| s.inner.lock().ranges.iter().map(|(a, b)| (*a, b.0)).collect::<Vec<_>>();
        stored.put(100..200, 0);
        stored.remove(&(120..130));
        assert_eq!(ranges(&stored), [(100, 120), (130, 200)]);
        stored.put(110..140, 1);
        assert_eq!(ranges(&stored), [(100, 110), (110, 140), (140, 200)]);
        stored.put(200..210, 0);
        assert_eq!(ranges(&stored), [(100, 110), (110, 140), (140, 210)]);
        stored.remove(&(0..300));
        assert!(stored.is_empty() && ranges(&stored).is_empty());
    }
}
