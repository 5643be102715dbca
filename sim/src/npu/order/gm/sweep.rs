//! Which accesses of different cores touch the same bytes of GM without order.
//!
//! Runs when a launch has ended, over the logs of all its cores. Bytes are visited in the order of addresses; whatever touches
//! them is compared with what other cores do there. `a` is before `b` if `b` knew of `a`'s core at least `a`'s number.
//!
//! Of the accesses of one pipe at the same bytes those with small numbers are before `b`, those with large ones behind it, so
//! the first one that `b` does not know decides: thousands of hand-offs through one buffer cost a search each.
//!
//! **Words that are looked for.** What a loop reads until another core has written it is no data: such bytes do not conflict
//! with writes of their size (a large copy over them is data), and what the writer's pipe knew when it wrote them is taken as known behind the first look ([`Edges`]). Later rounds
//! of such a loop are not told apart: on doubt it is silent.
#![allow(clippy::borrowed_box, reason = "items of a slice of boxes")]

use super::log::{Class, CoreLog, Look, Piece, Size, WORD_BYTES};
use crate::npu::order::CoreId;
use crate::npu::order::foreign::Foreign;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::ops::Range;

/// Runs of bytes compared at most.
const MOST_RUNS: usize = 4 << 20;
/// Edges of words that are looked for, at most.
const MOST_EDGES: usize = 4096;
/// Pairs after which no more are looked for.
const MOST_PAIRS: usize = 200_000;
/// Pairs of cores kept of a conflict.
const MOST_CORES: usize = 64;

/// What is wrong with a pair of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A read and a write without order.
    Race,
    /// Two writes without order.
    Overlap,
    /// A store is still in the data cache when another core reads, in order.
    NotCleaned,
    /// A load takes what the data cache held before another core wrote, in order.
    Stale,
    /// Two cores store through their data caches into one line.
    Line,
}

/// A piece: log and number in it.
pub type Ref = (u32, u32);

/// Pairs of accesses of the same two places.
#[derive(Clone, Debug)]
pub struct Conflict {
    pub kind: Kind,
    /// The first pair: the write (of two writes that of the smaller core) first.
    pub pair: [Ref; 2],
    pub bytes: Range<u64>,
    /// All bytes of such pairs, in order.
    pub ranges: Vec<Range<u64>>,
    /// Pairs of cores, the first ones.
    pub cores: Vec<[CoreId; 2]>,
}

/// What the comparison found.
#[derive(Debug, Default)]
pub struct Found {
    pub conflicts: Vec<Conflict>,
    /// There was too much to compare it all.
    pub cut: bool,
}

/// Compares the accesses of all cores. `logs` are in the order of cores.
pub fn compare(logs: &[Box<CoreLog>]) -> Found {
    let mut found = Found { cut: logs.iter().any(|l| l.overflowed), ..Found::default() };
    if logs.len() < 2 {
        return found;
    }
    let mut sweep = Sweep::new(logs);
    found.cut |= !sweep.gather();
    sweep.run();
    sweep.lines();
    sweep.unseen();
    found.conflicts = sweep.conflicts.into_values().collect();
    found.conflicts.iter_mut().for_each(|c| c.ranges = union(std::mem::take(&mut c.ranges)));
    found.conflicts.sort_by_key(|c| {
        let [a, b] = c.pair;
        (logs[a.0 as usize].core, logs[b.0 as usize].core, c.bytes.start, c.kind)
    });
    found
}

/// Bytes of ranges in any order, as ranges in order that do not touch.
pub fn union(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_unstable_by_key(|r| (r.start, r.end));
    let mut all: Vec<Range<u64>> = Vec::new();
    for r in ranges {
        match all.last_mut() {
            Some(last) if r.start <= last.end => last.end = last.end.max(r.end),
            _ => all.push(r),
        }
    }
    all
}

/// Whether one of the ranges, which are in order and apart, has bytes of `r`.
fn touches(all: &[Range<u64>], r: &Range<u64>) -> bool {
    all.get(all.partition_point(|x| x.end <= r.start)).is_some_and(|x| x.start < r.end)
}

/// A run of bytes of a piece.
#[derive(Clone, Copy, Debug)]
struct Item {
    start: u64,
    end: u64,
    at: Ref,
}

/// Items in reach by core and part, then by number.
type Active = BTreeMap<(u32, u8), BTreeMap<(u32, u32), u32>>;

/// Accesses at the same places, of pairs of cores.
type Pairs = HashMap<(Kind, [u64; 4], [u64; 4]), Conflict>;

struct Sweep<'a> {
    logs: &'a [Box<CoreLog>],
    views: Vec<Vec<Foreign>>,
    items: Vec<Item>,
    /// Words that loops of the kernel look for.
    words: Vec<Range<u64>>,
    /// Words of the headers' barriers.
    barriers: Vec<Range<u64>>,
    conflicts: Pairs,
    pairs: usize,
}

impl<'a> Sweep<'a> {
    fn new(logs: &'a [Box<CoreLog>]) -> Sweep<'a> {
        let edges = Edges::new(logs);
        let close = |log: &Box<CoreLog>| {
            log.views.iter().map(|v| edges.close(log.core, &v.foreign, v.looks)).collect()
        };
        let words = |look: Look| {
            let mut words = Vec::new();
            let looks = logs.iter().flat_map(|l| l.pieces.iter()).filter(|p| p.key.look == look);
            looks.for_each(|p| p.runs.for_each(|r| words.push(r)));
            union(words)
        };
        Sweep {
            logs,
            views: logs.iter().map(close).collect(),
            items: Vec::new(),
            words: words(Look::User),
            barriers: words(Look::Announced),
            conflicts: Pairs::new(),
            pairs: 0,
        }
    }

    fn piece(&self, at: Ref) -> &'a Piece {
        &self.logs[at.0 as usize].pieces[at.1 as usize]
    }

    fn core(&self, log: u32) -> CoreId {
        self.logs[log as usize].core
    }

    /// How far `log`'s access knew part `part` of another core when it had view `view`.
    fn knows(&self, log: u32, view: u32, other: u32, part: u8) -> u32 {
        self.views[log as usize][view as usize].knows(self.core(other), usize::from(part))
    }

    /// All runs that may conflict; `false` if there are too many.
    fn gather(&mut self) -> bool {
        let all = |write: bool| {
            let logs = self.logs.iter().enumerate();
            logs.flat_map(move |(l, log)| {
                let pieces = log.pieces.iter().enumerate();
                pieces
                    .filter(move |(_, p)| (p.key.class != Class::Read) == write)
                    .map(move |(i, p)| ((l as u32, i as u32), p))
            })
        };
        let count: u64 = all(true).map(|(_, p)| p.runs.count).sum();
        if count > MOST_RUNS as u64 {
            return false;
        }
        let everywhere = 0..u64::MAX;
        let mut items = Vec::new();
        for (at, p) in all(true) {
            p.runs.for_each_in(&everywhere, |r| items.push(Item { start: r.start, end: r.end, at }));
        }
        let written = union(items.iter().map(|i| i.start..i.end).collect());
        let mut complete = true;
        for (at, p) in all(false) {
            let extent = p.runs.start..p.runs.end();
            if !touches(&written, &extent) {
                continue;
            }
            complete &= items.len() < MOST_RUNS;
            if complete {
                p.runs.for_each_in(&extent, |r| {
                    if touches(&written, &r) {
                        items.push(Item { start: r.start, end: r.end, at });
                    }
                });
            }
        }
        items.sort_unstable_by_key(|i| (i.start, i.at));
        self.items = items;
        complete
    }

    fn run(&mut self) {
        let mut active: [Active; 3] = Default::default();
        let mut ends: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
        for n in 0..self.items.len() as u32 {
            if self.pairs > MOST_PAIRS {
                return;
            }
            let x = self.items[n as usize];
            while let Some(&Reverse((end, i))) = ends.peek()
                && end <= x.start
            {
                ends.pop();
                self.leave(&mut active, i);
            }
            let p = self.piece(x.at);
            for class in [Class::Read, Class::Write, Class::Atomic] {
                if p.key.class.conflicts(class) {
                    self.meet(x, &active[class as usize]);
                }
            }
            let list = active[p.key.class as usize].entry((x.at.0, p.key.part)).or_default();
            list.insert((p.visible.max(p.last), n), n);
            ends.push(Reverse((x.end, n)));
        }
    }

    fn leave(&self, active: &mut [Active; 3], n: u32) {
        let at = self.items[n as usize].at;
        let p = self.piece(at);
        let of_class = &mut active[p.key.class as usize];
        if let Some(list) = of_class.get_mut(&(at.0, p.key.part)) {
            list.remove(&(p.visible.max(p.last), n));
            if list.is_empty() {
                of_class.remove(&(at.0, p.key.part));
            }
        }
    }

    /// Compares `x` with what other cores do at its first byte.
    fn meet(&mut self, x: Item, active: &Active) {
        let p = self.piece(x.at);
        let mut found: Vec<(Kind, u32)> = Vec::new();
        for (&(log, part), list) in active {
            if log == x.at.0 {
                continue;
            }
            let now = self.knows(x.at.0, p.key.view, log, part);
            if p.key.fill != p.key.view {
                let then = self.knows(x.at.0, p.key.fill, log, part);
                let between = |y: &&u32| {
                    let q = self.piece(self.items[**y as usize].at);
                    q.first > then && q.last <= now && q.visible <= now
                };
                found.extend(list.values().find(between).map(|y| (Kind::Stale, *y)));
            }
            for y in list.range((now + 1, 0)..).map(|(_, y)| *y) {
                let q = self.piece(self.items[y as usize].at);
                match self.verdict(x.at.0, p, log, q, now) {
                    Verdict::Ordered => break,
                    Verdict::Unknown => {}
                    Verdict::Is(kind) => {
                        found.push((kind, y));
                        break;
                    }
                }
            }
            // Behind `x`, but before `x` was cleaned, or read before `x`.
            if p.visible > p.last || list.values().next().is_some_and(|y| self.is_filled(*y)) {
                found.extend(list.values().find_map(|y| Some((self.late(x.at.0, p, log, *y)?, *y))));
            }
        }
        for (kind, y) in found {
            let y = self.items[y as usize];
            self.note(kind, x.at, y.at, x.start.max(y.start)..x.end.min(y.end));
        }
    }

    fn is_filled(&self, y: u32) -> bool {
        let key = self.piece(self.items[y as usize].at).key;
        key.fill != key.view
    }

    /// `p` knows `now` instructions of `q`'s pipe, which are not all of `q` or not all that makes it visible.
    fn verdict(&self, x: u32, p: &Piece, y: u32, q: &Piece, now: u32) -> Verdict {
        if q.last <= now {
            let reads = p.key.class == Class::Read;
            return if reads { Verdict::Is(Kind::NotCleaned) } else { Verdict::Unknown };
        }
        if q.first <= now {
            return Verdict::Unknown;
        }
        let back = self.knows(y, q.key.view, x, p.key.part);
        if back >= p.last {
            return Verdict::Ordered;
        }
        if back >= p.first {
            return Verdict::Unknown;
        }
        let writes = |p: &Piece| p.key.class != Class::Read;
        Verdict::Is(if writes(p) && writes(q) { Kind::Overlap } else { Kind::Race })
    }

    /// What is wrong although item `y` of `log` is behind `p`.
    fn late(&self, x: u32, p: &Piece, log: u32, y: u32) -> Option<Kind> {
        let q = self.piece(self.items[y as usize].at);
        if p.key.class == Class::Read || q.key.class != Class::Read {
            return None;
        }
        let back = self.knows(log, q.key.view, x, p.key.part);
        if back < p.last {
            return None;
        }
        if back < p.visible {
            return Some(Kind::NotCleaned);
        }
        let then = self.knows(log, q.key.fill, x, p.key.part);
        (then < p.first).then_some(Kind::Stale)
    }

    fn note(&mut self, kind: Kind, x: Ref, y: Ref, bytes: Range<u64>) {
        let is_data = |at: Ref| {
            let key = &self.piece(at).key;
            key.class != Class::Read && key.size == Size::Large
        };
        let is_word = touches(&self.words, &bytes) && !is_data(x) && !is_data(y);
        if is_word || touches(&self.barriers, &bytes) {
            return;
        }
        self.pairs += 1;
        self.add(kind, x, y, bytes);
    }

    fn add(&mut self, kind: Kind, x: Ref, y: Ref, bytes: Range<u64>) {
        let rank = |at: Ref| (self.piece(at).key.class == Class::Read, self.core(at.0), at.1);
        let pair = if rank(x) <= rank(y) { [x, y] } else { [y, x] };
        let frames = |at: Ref| {
            let log = &self.logs[at.0 as usize];
            log.places[log.pieces[at.1 as usize].key.place as usize].frames
        };
        let cores = pair.map(|at| self.core(at.0));
        let order =
            |pair: &[Ref; 2], bytes: &Range<u64>| (pair.map(|at| at.0), bytes.start, pair.map(|at| at.1));
        let key = (kind, frames(pair[0]), frames(pair[1]));
        let both = |c: &Conflict| c.cores.last() == Some(&cores) || c.cores.contains(&cores);
        match self.conflicts.get_mut(&key) {
            None => {
                let new =
                    Conflict { kind, pair, bytes: bytes.clone(), ranges: vec![bytes], cores: vec![cores] };
                self.conflicts.insert(key, new);
            }
            Some(c) => {
                if order(&pair, &bytes) < order(&c.pair, &c.bytes) {
                    (c.pair, c.bytes) = (pair, bytes.clone());
                }
                if c.cores.len() < MOST_CORES && !both(c) {
                    c.cores.push(cores);
                }
                match c.ranges.last_mut() {
                    Some(last) if last.end == bytes.start => last.end = bytes.end,
                    _ => c.ranges.push(bytes),
                }
            }
        }
    }

    /// Stores of two cores through their data caches into different bytes of one line.
    fn lines(&mut self) {
        let mut lines: BTreeMap<u64, Vec<Ref>> = BTreeMap::new();
        for (l, log) in self.logs.iter().enumerate() {
            for (i, p) in log.pieces.iter().enumerate().filter(|(_, p)| p.key.size == Size::CachedWord) {
                let line = lines.entry(p.runs.start / WORD_BYTES).or_default();
                let known = line.iter().filter(|at| at.0 == l as u32).count();
                if known < 4 && line.len() < 256 {
                    line.push((l as u32, i as u32));
                }
            }
        }
        for (line, stores) in lines {
            let first = stores.first().copied();
            let Some(x) = first.filter(|x| stores.iter().any(|y| y.0 != x.0)) else { continue };
            for &y in stores.iter().filter(|y| y.0 != x.0) {
                let (p, q) = (self.piece(x), self.piece(y));
                let (seen, back) = (
                    self.knows(y.0, q.key.view, x.0, p.key.part),
                    self.knows(x.0, p.key.view, y.0, q.key.part),
                );
                if seen < p.first && back < q.first && p.runs.overlap(&q.runs).is_none() {
                    self.note(Kind::Line, x, y, line * WORD_BYTES..(line + 1) * WORD_BYTES);
                    break;
                }
            }
        }
    }

    /// Words that are looked for and were stored into a data cache which nobody has cleaned.
    fn unseen(&mut self) {
        let logs = self.logs;
        let all = |f: &dyn Fn(&Piece) -> bool| -> Vec<Ref> {
            let of = |(l, log): (usize, &Box<CoreLog>)| -> Vec<Ref> {
                let pieces = log.pieces.iter().enumerate();
                pieces.filter(|(_, p)| f(p)).map(|(i, _)| (l as u32, i as u32)).collect()
            };
            logs.iter().enumerate().flat_map(of).collect()
        };
        let looks = all(&|p| p.key.look == Look::User);
        if looks.is_empty() {
            return;
        }
        for x in all(&|p| p.visible == u32::MAX) {
            let seen = looks.iter().find_map(|y| {
                let bytes = self.piece(x).runs.overlap(&self.piece(*y).runs)?;
                (y.0 != x.0).then_some((*y, bytes))
            });
            if let Some((y, bytes)) = seen {
                self.add(Kind::NotCleaned, x, y, bytes);
            }
        }
    }
}

enum Verdict {
    /// It and all later ones are behind.
    Ordered,
    /// Cannot be told.
    Unknown,
    Is(Kind),
}

/// From a small write to the first look of another core's own loop at these bytes.
struct Edge {
    /// The core that looks, its part, the number of its first look, and which look of the core it is.
    core: CoreId,
    part: u8,
    number: u32,
    index: u32,
    told: Foreign,
}

/// See the module.
struct Edges(Vec<Edge>);

impl Edges {
    fn new(logs: &[Box<CoreLog>]) -> Edges {
        let user = |p: &&Piece| p.key.look == Look::User;
        let words = logs.iter().flat_map(|l| l.pieces.iter()).filter(user);
        let words = union(words.map(|p| p.runs.start..p.runs.end()).collect());
        if words.is_empty() {
            return Edges(Vec::new());
        }
        let of = |log: &'_ Box<CoreLog>| {
            let writes = log.pieces.iter().filter(|p| p.told.is_some() && p.key.class != Class::Read);
            let writes = writes.filter(|p| touches(&words, &(p.runs.start..p.runs.end())));
            let told = |p: &Piece| {
                let known = p.told.as_deref().copied().unwrap_or_default();
                (p.runs, log.core, log.views[p.key.view as usize].foreign.with(log.core, known))
            };
            writes.map(told).collect::<Vec<_>>()
        };
        let mut writes: Vec<_> = logs.iter().flat_map(of).collect();
        writes.sort_by_key(|w| (w.0.start, w.1));
        let mut edges = Vec::new();
        for log in logs {
            for (index, look) in log.pieces.iter().filter(user).enumerate() {
                let from = look.runs.start.saturating_sub(WORD_BYTES);
                let near = &writes[writes.partition_point(|w| w.0.start < from)..];
                let near = near.iter().take_while(|w| w.0.start < look.runs.end());
                let near = near.filter(|w| w.1 != log.core && w.0.overlap(&look.runs).is_some());
                edges.extend(near.map(|w| Edge {
                    core: log.core,
                    part: look.key.part,
                    number: look.first,
                    index: index as u32,
                    told: w.2.clone(),
                }));
            }
        }
        edges.truncate(MOST_EDGES);
        Edges(edges)
    }

    /// What `core` knows if it has looked `looks` times.
    fn close(&self, core: CoreId, foreign: &Foreign, looks: u32) -> Foreign {
        let mut all = foreign.clone();
        if self.0.is_empty() {
            return all;
        }
        let mut taken = vec![false; self.0.len()];
        let mut again = true;
        while std::mem::take(&mut again) {
            for (e, taken) in self.0.iter().zip(&mut taken).filter(|(_, taken)| !**taken) {
                let own = e.core == core && e.index < looks;
                if own || all.knows(e.core, usize::from(e.part)) >= e.number {
                    (*taken, again) = (true, true);
                    all.join(&e.told);
                }
            }
        }
        all
    }
}
