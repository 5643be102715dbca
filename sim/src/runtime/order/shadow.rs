//! Who used which bytes last.
//!
//! A map of intervals: each has its last writer and, since then, the last reader of every timeline. An access is compared
//! with them by [`Clock`]s and then takes their place. So two accesses without order are found whichever ran first.

use super::Actor;
use super::clock::Clock;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Intervals from which on those that everybody is behind are taken out.
const SWEEP_AT: usize = 16 << 10;
/// Intervals that are kept at most; then everything is forgotten.
const MOST: usize = 256 << 10;

/// How bytes are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// They are read.
    Read,
    /// They are written.
    Write,
    /// They are changed by atomic operations, which may run at the same time as others of their kind.
    Atomic,
}

impl Use {
    /// As in "it … the bytes".
    pub fn verb(self) -> &'static str {
        match self {
            Use::Read => "reads",
            Use::Write => "writes",
            Use::Atomic => "adds to",
        }
    }

    fn conflicts_with(self, other: Use) -> bool {
        !matches!((self, other), (Use::Read, Use::Read) | (Use::Atomic, Use::Atomic))
    }
}

/// Bytes and how they are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Addresses.
    pub range: Range<u64>,
    /// How.
    pub usage: Use,
}

impl Span {
    /// `bytes` from `start` on.
    pub fn new(start: u64, bytes: u64, usage: Use) -> Span {
        Span { range: start..start.saturating_add(bytes), usage }
    }
}

/// An earlier use.
#[derive(Clone, Debug)]
struct Past {
    who: Arc<Actor>,
    usage: Use,
}

#[derive(Clone, Debug)]
struct Segment {
    end: u64,
    write: Option<Past>,
    reads: SmallVec<[Past; 1]>,
}

/// Two uses of the same bytes that nothing orders.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The one that was noted before.
    pub first: Arc<Actor>,
    /// What it did.
    pub first_use: Use,
    /// What the other does.
    pub second_use: Use,
    /// The first bytes that both use.
    pub range: Range<u64>,
}

/// All uses that may still matter.
#[derive(Debug, Default)]
pub struct Shadow {
    segments: BTreeMap<u64, Segment>,
}

impl Shadow {
    /// `who`, who knows `clock`, uses these bytes: what it is not ordered with, each earlier user once.
    pub fn touch(&mut self, who: &Arc<Actor>, clock: &Clock, span: &Span) -> Vec<Conflict> {
        let Range { start, end } = span.range;
        if start >= end {
            return Vec::new();
        }
        self.split(start);
        self.split(end);
        let mut conflicts: Vec<Conflict> = Vec::new();
        for (at, segment) in self.segments.range(start..end) {
            for past in segment.write.iter().chain(&segment.reads) {
                let is_over = past.who.line == who.line || clock.knows(past.who.line, past.who.tick);
                if is_over || !past.usage.conflicts_with(span.usage) {
                    continue;
                }
                if conflicts.iter().any(|c| Arc::ptr_eq(&c.first, &past.who)) {
                    continue;
                }
                conflicts.push(Conflict {
                    first: past.who.clone(),
                    first_use: past.usage,
                    second_use: span.usage,
                    range: *at..segment.end,
                });
            }
        }
        self.note(Past { who: who.clone(), usage: span.usage }, start, end);
        conflicts
    }

    fn note(&mut self, now: Past, start: u64, end: u64) {
        if now.usage != Use::Read {
            let inside: SmallVec<[u64; 8]> = self.segments.range(start..end).map(|(at, _)| *at).collect();
            for at in inside {
                self.segments.remove(&at);
            }
            self.segments.insert(start, Segment { end, write: Some(now), reads: SmallVec::new() });
            return;
        }
        let mut gaps: SmallVec<[(u64, u64); 4]> = SmallVec::new();
        let mut at = start;
        for (from, segment) in self.segments.range_mut(start..end) {
            if at < *from {
                gaps.push((at, *from));
            }
            at = segment.end;
            match segment.reads.iter_mut().find(|past| past.who.line == now.who.line) {
                Some(past) => *past = now.clone(),
                None => segment.reads.push(now.clone()),
            }
        }
        if at < end {
            gaps.push((at, end));
        }
        for (from, to) in gaps {
            let segment = Segment { end: to, write: None, reads: SmallVec::from_elem(now.clone(), 1) };
            self.segments.insert(from, segment);
        }
    }

    /// Cuts the interval that holds `at` inside.
    fn split(&mut self, at: u64) {
        let Some((_, segment)) = self.segments.range_mut(..at).next_back() else { return };
        if segment.end > at {
            let behind = segment.clone();
            segment.end = at;
            self.segments.insert(at, behind);
        }
    }

    /// Nobody has used these bytes: they belong to somebody else now, or to nobody.
    pub fn forget(&mut self, range: Range<u64>) {
        if self.segments.is_empty() {
            return;
        }
        self.split(range.start);
        self.split(range.end);
        let inside: Vec<u64> = self.segments.range(range).map(|(at, _)| *at).collect();
        for at in inside {
            self.segments.remove(&at);
        }
    }

    /// The last users of these bytes that `clock` does not know to be over.
    pub fn unfinished(&self, range: Range<u64>, clock: &Clock) -> Option<(Arc<Actor>, Use)> {
        let before = self.segments.range(..range.start).next_back().filter(|(_, s)| s.end > range.start);
        let users = before.into_iter().chain(self.segments.range(range));
        let mut users = users.flat_map(|(_, segment)| segment.write.iter().chain(&segment.reads));
        let found = users.find(|past| !clock.knows(past.who.line, past.who.tick))?;
        Some((found.who.clone(), found.usage))
    }

    /// Who wrote bytes at addresses of this kind that `clock` does not know to be over.
    pub fn unfinished_writes(&self, clock: &Clock, is_kind: impl Fn(u64) -> bool) -> Vec<Arc<Actor>> {
        let writes = self.segments.iter().filter_map(|(at, s)| Some((*at, &s.write.as_ref()?.who)));
        let open = writes.filter(|(_, who)| !clock.knows(who.line, who.tick));
        open.filter(|(at, _)| is_kind(*at)).map(|(_, who)| who.clone()).collect()
    }

    /// Whose tasks `clock` does not know to be over.
    pub fn unfinished_tasks(&self, clock: &Clock) -> impl Iterator<Item = &Arc<Actor>> {
        let all = self.segments.values().flat_map(|s| s.write.iter().chain(&s.reads));
        all.map(|past| &past.who).filter(|who| !clock.knows(who.line, who.tick))
    }

    /// Whether somebody later than `serial` has changed some of these bytes.
    pub fn written_since(&self, range: Range<u64>, serial: u64) -> bool {
        let before = self.segments.range(..range.start).next_back().filter(|(_, s)| s.end > range.start);
        let mut all = before.into_iter().chain(self.segments.range(range));
        all.any(|(_, segment)| segment.write.as_ref().is_some_and(|past| past.who.serial > serial))
    }

    /// Forgets what everybody who comes later is behind, when there is much; whether something was forgotten.
    pub fn sweep(&mut self, host: &Clock) -> bool {
        if self.segments.len() < SWEEP_AT {
            return false;
        }
        let before = self.segments.len();
        let is_over = |past: &Past| host.knows(past.who.line, past.who.tick);
        self.segments.retain(|_, s| !s.write.iter().chain(&s.reads).all(is_over));
        if self.segments.len() > MOST {
            self.segments.clear();
        }
        self.segments.len() < before
    }
}
