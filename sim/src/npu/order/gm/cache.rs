//! The scalar unit's data cache, as far as it hides bytes: lines that were stored to and not cleaned, lines that were read
//! and may be old by now.
//!
//! Lines leave the cache only by `DataCacheCleanAndInvalid` here; the real one also evicts, which makes a program right by luck.

use super::At;
use crate::npu::order::hash::FastMap;
use std::collections::{HashSet, VecDeque};
use std::ops::Range;

/// Bytes of a line.
pub const LINE_BYTES: u64 = 64;
/// Lines that are held: 16 KiB, the smaller of the documented sizes.
const MOST_LINES: usize = 256;

#[derive(Debug, Default)]
struct Line {
    /// What was known of other cores when it was read.
    view: u32,
    /// A copy of this core has written these bytes of it since.
    stale: Option<(Range<u64>, At)>,
    /// Stores that were not cleaned: bytes, piece of the log, place.
    dirty: Vec<(Range<u64>, u32, At)>,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Cache {
    lines: FastMap<u64, Line>,
    order: VecDeque<u64>,
    invalidated: HashSet<u64>,
}

/// What an access finds.
#[derive(Debug, Default)]
pub struct Hit {
    /// The view of the access that read the line.
    pub filled: Option<u32>,
    /// Who wrote the bytes behind the cache's back.
    pub stale: Option<At>,
    /// The kernel dropped this very line before: it expects that somebody else writes it.
    pub invalidated: bool,
}

fn lines_of(range: &Range<u64>) -> Range<u64> {
    range.start / LINE_BYTES..range.end.div_ceil(LINE_BYTES)
}

fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

impl Cache {
    /// Whether no line is held.
    #[inline]
    pub fn is_clean(&self) -> bool {
        self.lines.is_empty()
    }

    /// A load or store through the cache.
    pub fn access(&mut self, range: &Range<u64>, view: u32, write: bool) -> Hit {
        let mut hit = Hit::default();
        for line in lines_of(range) {
            match self.lines.get(&line) {
                Some(held) => {
                    hit.filled = Some(hit.filled.map_or(held.view, |v| v.min(held.view)));
                    let stale = held.stale.as_ref().filter(|s| overlap(&s.0, range));
                    hit.stale = hit.stale.or(stale.map(|s| s.1));
                }
                None => {
                    hit.invalidated |= !write && self.invalidated.contains(&line);
                    self.hold(line, view);
                }
            }
        }
        hit
    }

    fn hold(&mut self, line: u64, view: u32) {
        if self.order.len() >= MOST_LINES
            && let Some(oldest) = self.order.pop_front()
            && self.lines.get(&oldest).is_some_and(|l| l.dirty.is_empty())
        {
            self.lines.remove(&oldest);
        }
        self.order.push_back(line);
        self.lines.insert(line, Line { view, ..Line::default() });
    }

    /// A store went into the cache; `piece`: where the log has it.
    pub fn stored(&mut self, range: &Range<u64>, piece: u32, at: At) {
        for line in lines_of(range) {
            let Some(held) = self.lines.get_mut(&line) else { continue };
            match held.dirty.last_mut() {
                Some(last) if last.1 == piece && last.0.end == range.start => last.0.end = range.end,
                _ => held.dirty.push((range.clone(), piece, at)),
            }
        }
    }

    /// Lines are written back and dropped.
    pub fn clean(&mut self, address: Option<u64>, mut cleaned: impl FnMut(u32)) {
        let dropped: Vec<Line> = match address {
            Some(a) => {
                let line = a / LINE_BYTES;
                self.invalidated.insert(line);
                self.order.retain(|l| *l != line);
                self.lines.remove(&line).into_iter().collect()
            }
            None => {
                self.order.clear();
                self.lines.drain().map(|l| l.1).collect()
            }
        };
        dropped.iter().flat_map(|l| &l.dirty).for_each(|d| cleaned(d.1));
    }

    /// A copy of this core reads bytes: the place of a store to them that was not cleaned.
    pub fn unseen(&self, range: &Range<u64>) -> Option<(Range<u64>, At)> {
        let of = |line: &Line| {
            let found = line.dirty.iter().find(|d| overlap(&d.0, range))?;
            Some((found.0.start.max(range.start)..found.0.end.min(range.end), found.2))
        };
        self.held(range).filter_map(|l| of(&self.lines[&l])).min_by_key(|f| f.0.start)
    }

    /// A copy of this core writes bytes: lines that hold them are old.
    pub fn overwritten(&mut self, range: &Range<u64>, at: At) {
        let held: Vec<u64> = self.held(range).collect();
        for line in held {
            if let Some(held) = self.lines.get_mut(&line) {
                held.stale = Some((range.clone(), at));
            }
        }
    }

    fn held(&self, range: &Range<u64>) -> impl Iterator<Item = u64> {
        let lines = lines_of(range);
        self.lines.keys().copied().filter(move |l| lines.contains(l))
    }
}
