//! Conflicts on GM in words.

use super::At;
use super::log::{Class, CoreLog, Piece};
use super::near::Recent;
use super::runs::Runs;
use super::sweep::{self, Conflict, Kind, Ref};
use super::used::GmUse;
use crate::exec::Access;
use crate::findings::catalogue::{self as c, Entry};
use crate::findings::{Detail, Draft, DraftSide, Side};
use crate::npu::chip::Chip;
use crate::npu::core::{Core, core_name};
use crate::npu::launch::LaunchShared;
use crate::npu::order::strides::{self, Bursts};
use std::ops::Range;

/// What is wrong between two accesses of one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Race {
    /// Two pipes without order.
    Pipes,
    /// MTE3 writes bytes again that it may still be writing.
    Rewrite,
    /// A copy runs out of its tensor; both ends are the copy.
    Tensor(u64, u64),
    /// An access through a tensor of the block that holds this address; both ends are the access.
    Stray(u64),
    /// MTE2 reads what is still in the data cache.
    NotCleaned,
    /// The data cache holds what was there before MTE3 wrote.
    Stale,
}

/// One side of it.
#[derive(Clone, Debug)]
struct End {
    at: At,
    class: Class,
}

#[derive(Clone, Debug)]
struct Found {
    race: Race,
    ends: [End; 2],
    bytes: Range<u64>,
    count: u64,
}

/// Conflicts of a core with itself, by pairs of places.
#[derive(Debug, Default)]
pub struct Races(Vec<Found>);

impl Races {
    /// The access `later` meets `earlier` at `bytes`.
    pub fn add(&mut self, race: Race, earlier: &Recent, (at, class): (At, Class), bytes: Range<u64>) {
        self.pair(race, End { at: earlier.at, class: earlier.class }, End { at, class }, bytes);
    }

    fn pair(&mut self, race: Race, earlier: End, later: End, bytes: Range<u64>) {
        let same = |f: &&mut Found| {
            std::mem::discriminant(&f.race) == std::mem::discriminant(&race)
                && f.ends[0].at.0 == earlier.at.0
                && f.ends[1].at.0 == later.at.0
        };
        match self.0.iter_mut().find(same) {
            Some(found) => found.count += 1,
            None => self.0.push(Found { race, ends: [earlier, later], bytes, count: 1 }),
        }
    }
}

impl Class {
    fn verb(self) -> &'static str {
        match self {
            Class::Read => "reads",
            Class::Write => "writes",
            Class::Atomic => "updates atomically",
        }
    }
}

impl Core {
    /// A copy may read what the data cache hides, or write what it holds.
    #[cold]
    pub(super) fn copy_meets_cache(&mut self, access: &Access, at: At) {
        let order = &mut self.gm_order;
        Runs::of(access, |runs| {
            let range = runs.start..runs.end();
            if access.write {
                order.cache.overwritten(&range, at);
            } else if let Some((bytes, stored)) = order.cache.unseen(&range)
                && runs.overlap(&Runs::one(bytes.clone())).is_some()
            {
                let ends = [End { at: stored, class: Class::Write }, End { at, class: Class::Read }];
                let [earlier, later] = ends;
                order.races.pair(Race::NotCleaned, earlier, later, bytes);
            }
        });
    }

    /// A copy runs out of a tensor that was given a size.
    #[cold]
    pub(super) fn leaves_tensor(&mut self, at: At, class: Class, bytes: &Range<u64>, tensor: &Range<u64>) {
        let end = || End { at, class };
        let race = Race::Tensor(tensor.start, tensor.end);
        self.gm_order.races.pair(race, end(), end(), bytes.clone());
    }

    fn gm_logical(&self, found: &Found) -> Draft {
        let Race::Tensor(start, end) = found.race else { return Draft::new(&c::GM_LOGICAL, &[]) };
        let launch = self.launch.as_deref();
        let (target, first) =
            launch.map_or_else(|| (String::new(), start), |l| l.owner_of(found.bytes.start));
        let place = self.gm_order.log.place(found.ends[0].at.0);
        let class = found.ends[0].class;
        let values = [
            ("op", place.op.to_owned()),
            ("verb", class.verb().to_owned()),
            ("beyond", (found.bytes.end - end).to_string()),
            ("bytes", (end - start).to_string()),
            ("target", target_text(&target)),
        ];
        let last = first + (found.bytes.end - found.bytes.start);
        let side = self.side_here(&found.ends[0], first..last, &target);
        let mut draft = Draft::new(&c::GM_LOGICAL, &values).op(place.op).detail(format!(
            "beyond: bytes {}..{last} of {}",
            last - (found.bytes.end - end),
            target_text(&target)
        ));
        draft.frames = trimmed(&place.frames);
        draft.sides = vec![side];
        told_count(draft, found.count, "this place")
    }

    /// One side of what was found on this core.
    fn side_here(&self, end: &End, bytes: Range<u64>, owner: &str) -> DraftSide {
        let place = self.gm_order.log.place(end.at.0);
        let mut side = side_of(place.op, end.class, place.slot, bytes, owner);
        side.side.iteration = u64::from(end.at.1);
        side.side.core = self.core_name();
        side.side.block = self.face.block_idx;
        side.frames = trimmed(&place.frames);
        side
    }

    /// An access through a tensor that was moved out of its block.
    #[cold]
    pub(super) fn strays(&mut self, at: At, class: Class, bytes: Range<u64>, base: u64) {
        let end = || End { at, class };
        self.gm_order.races.pair(Race::Stray(base), end(), end(), bytes);
    }

    fn gm_stray(&self, found: &Found, base: u64) -> Draft {
        let launch = self.launch.as_deref();
        let owner = |address| launch.map_or_else(|| (String::new(), address), |l| l.owner_of(address));
        let ((target, first), (base_owner, _)) = (owner(found.bytes.start), owner(base));
        let place = self.gm_order.log.place(found.ends[0].at.0);
        let class = found.ends[0].class;
        let values = [
            ("op", place.op.to_owned()),
            ("verb", class.verb().to_owned()),
            ("target", target_text(&target)),
            ("base", target_text(&base_owner)),
        ];
        let last = first + (found.bytes.end - found.bytes.start);
        let mut draft = Draft::new(&c::GM_STRAY, &values).op(place.op);
        draft.frames = trimmed(&place.frames);
        draft.sides = vec![self.side_here(&found.ends[0], first..last, &target)];
        if let Some(block) = launch.and_then(|l| l.block_of(base)) {
            let start = found.bytes.start;
            let (far, where_) = match start.checked_sub(block.end) {
                Some(far) => (far, "behind the end"),
                None => (block.start - start, "before the start"),
            };
            let bytes = block.end - block.start;
            draft = draft
                .detail(format!("address: {far} bytes {where_} of {base_owner}, which has {bytes} bytes"));
        }
        told_count(draft, found.count, "this place")
    }

    /// A load takes old bytes from the data cache.
    #[cold]
    pub(super) fn stale_load(&mut self, at: At, range: &Range<u64>, writer: At) {
        let earlier = End { at: writer, class: Class::Write };
        self.gm_order.races.pair(Race::Stale, earlier, End { at, class: Class::Read }, range.clone());
    }

    /// Records what was found on this core; its log, and the bytes it used.
    pub(in crate::npu) fn end_gm_order(&mut self) -> (Option<Box<CoreLog>>, GmUse) {
        for found in std::mem::take(&mut self.gm_order.races.0) {
            let draft = self.gm_race(&found);
            self.record(draft, false);
        }
        self.gm_order.log.take(self.id)
    }

    fn gm_race(&self, found: &Found) -> Draft {
        let entry = match found.race {
            Race::Pipes => &c::GM_RACE,
            Race::Rewrite => &c::GM_REWRITE,
            Race::NotCleaned => &c::GM_NOT_CLEANED,
            Race::Stale => &c::GM_STALE,
            Race::Tensor(..) => return self.gm_logical(found),
            Race::Stray(base) => return self.gm_stray(found, base),
        };
        let launch = self.launch.as_deref();
        let owner = |range: &Range<u64>| {
            launch.map_or_else(|| (String::new(), range.start), |l| l.owner_of(range.start))
        };
        let (target, first) = owner(&found.bytes);
        let bytes = first..first + (found.bytes.end - found.bytes.start);
        let sides = found.ends.each_ref().map(|end| self.side_here(end, bytes.clone(), &target));
        let [a, b] = found.ends.clone().map(|e| *self.gm_order.log.place(e.at.0));
        let pair = format!("{}_{}", Core::pipe_name(a.slot), Core::pipe_name(b.slot));
        let values = [
            ("op", b.op.to_owned()),
            ("verb", found.ends[1].class.verb().to_owned()),
            ("pipe", Core::pipe_name(a.slot).to_owned()),
            ("otherverb", found.ends[0].class.verb().to_owned()),
            ("target", target_text(&target)),
            ("pair", pair),
        ];
        let mut draft = Draft::new(entry, &values).op(b.op);
        draft.frames = trimmed(&b.frames);
        draft.sides = sides.into();
        told_count(draft, found.count, "these places")
    }
}

fn told_count(draft: Draft, count: u64, places: &str) -> Draft {
    if count < 2 {
        return draft;
    }
    draft.detail(format!("{count} times on this core at {places}, the first is shown"))
}

fn target_text(owner: &str) -> String {
    if owner.is_empty() { "GM".to_owned() } else { owner.to_owned() }
}

fn side_of(op: &'static str, class: Class, slot: usize, bytes: Range<u64>, owner: &str) -> DraftSide {
    DraftSide {
        side: Side {
            what: format!("{op} {}", class.verb()),
            pipe: Core::pipe_name(slot),
            memory: "GM",
            first_byte: bytes.start,
            end_byte: bytes.end,
            owner: owner.to_owned(),
            ..Side::default()
        },
        frames: Vec::new(),
        op: Some(op),
    }
}

fn trimmed(frames: &[u64]) -> Vec<u64> {
    frames.iter().copied().filter(|f| *f != 0).collect()
}

/// Ranges of bytes shown before the rest is counted.
const SHOWN: usize = 4;

/// What different cores of a launch did to the same bytes.
pub struct Conflicts<'a> {
    pub launch: &'a LaunchShared,
    pub chip: &'a Chip,
    pub logs: &'a [Box<CoreLog>],
    /// Report what was not written, and what was written twice.
    pub coverage: bool,
}

impl Conflicts<'_> {
    /// Findings, in the order of cores.
    pub fn drafts(&self) -> Vec<Draft> {
        let found = sweep::compare(self.logs);
        let mut drafts: Vec<Draft> = found.conflicts.iter().map(|c| self.draft(c)).collect();
        if self.coverage {
            drafts.extend(self.coverage());
        }
        if found.cut {
            drafts.push(Draft::new(&c::ORDER_LIMIT, &[("most", super::log::MOST_PIECES.to_string())]));
        }
        drafts
    }

    fn name(&self, core: super::super::CoreId) -> String {
        core_name(self.chip, core, self.launch.residents().shape().aivs)
    }

    fn piece(&self, at: Ref) -> &Piece {
        &self.logs[at.0 as usize].pieces[at.1 as usize]
    }

    fn draft(&self, found: &Conflict) -> Draft {
        let entry: &'static Entry = match found.kind {
            Kind::Race => &c::CORE_RACE,
            Kind::Overlap => &c::CORE_OVERLAP,
            Kind::NotCleaned => &c::CORE_NOT_CLEANED,
            Kind::Stale => &c::CORE_STALE,
            Kind::Line => &c::CORE_LINE,
        };
        let (target, first) = self.launch.owner_of(found.bytes.start);
        let sides = found.pair.map(|at| self.side(at, found, &target, first));
        let values = [
            ("first", sides[0].side.core.clone()),
            ("second", sides[1].side.core.clone()),
            ("verb", self.piece(found.pair[0]).key.class.verb().to_owned()),
            ("otherverb", self.piece(found.pair[1]).key.class.verb().to_owned()),
            ("target", target_text(&target)),
        ];
        let mut draft = Draft::new(entry, &values);
        draft.block = sides[1].side.block;
        draft.core = sides[1].side.core.clone();
        draft.frames = sides[1].frames.clone();
        draft.sides = sides.into();
        self.tell_bytes(&mut draft, found);
        self.tell_cores(&mut draft, found);
        if found.kind == Kind::Overlap {
            self.tell_extents(&mut draft, found);
        }
        draft.details.extend(self.stride_hint(found));
        draft
    }

    fn side(&self, at: Ref, found: &Conflict, target: &str, first: u64) -> DraftSide {
        let log = &self.logs[at.0 as usize];
        let p = self.piece(at);
        let place = &log.places[p.key.place as usize];
        let bytes = first..first + (found.bytes.end - found.bytes.start);
        let mut side = side_of(place.op, p.key.class, place.slot, bytes, target);
        side.side.iteration = u64::from(p.iteration);
        side.side.core = self.name(log.core);
        side.side.block = log.core.block;
        side.frames = trimmed(&place.frames);
        side
    }

    /// All bytes, if they are more than the first pair's.
    fn tell_bytes(&self, draft: &mut Draft, found: &Conflict) {
        let total: u64 = found.ranges.iter().map(|r| r.end - r.start).sum();
        if total <= found.bytes.end - found.bytes.start {
            return;
        }
        let text = format!("{total} bytes in all: {}", self.ranges(&found.ranges));
        draft.details.push(Detail::Text(text));
        let runs = found.pair.map(|at| self.piece(at).runs);
        let (Some(first), Some(last)) = (found.ranges.first(), found.ranges.last()) else { return };
        if let [a, b] = runs
            && a.count > 1
            && a.step == b.step
        {
            let start = first.start - self.launch.owner_of(first.start).1;
            let row = |byte: u64| (byte - start) / a.step;
            let text = format!(
                "with {} bytes to a row: rows {}..{}",
                a.step,
                row(first.start),
                row(last.end - 1) + 1
            );
            draft.details.push(Detail::Text(text));
        }
    }

    /// A gap of one of the two copies that was meant in another unit, if they would not meet then.
    fn stride_hint(&self, found: &Conflict) -> Option<Detail> {
        let [a, b] = found.pair;
        [(a, b), (b, a)].into_iter().find_map(|(at, other)| {
            let (p, q) = (self.piece(at), self.piece(other));
            // Others were joined with it: its gap may be theirs.
            let Runs { start, len, step, count } = Some(p.runs).filter(|_| p.first == p.last)?;
            let op = self.logs[at.0 as usize].places[p.key.place as usize].op;
            let meets = |b: Bursts| {
                let runs = Runs { start: b.start, len: b.len, step: b.step, count: b.count };
                // Cores run one program: the mistake is in both copies.
                let alike = (q.runs.len, q.runs.step, q.runs.count) == (len, step, count);
                let other = if alike { Runs { step: b.step, ..q.runs } } else { q.runs };
                runs.overlap(&other).is_some()
            };
            strides::hint(op, Bursts { start, len, step, count }, true, meets)
        })
    }

    /// Ranges of one argument, counted from its start.
    fn ranges(&self, ranges: &[Range<u64>]) -> String {
        let of = |r: &Range<u64>| {
            let (_, first) = self.launch.owner_of(r.start);
            format!("{first}..{}", first + (r.end - r.start))
        };
        let mut text: Vec<String> = ranges.iter().take(SHOWN).map(of).collect();
        if ranges.len() > SHOWN {
            text.push(format!("and {} more ranges", ranges.len() - SHOWN));
        }
        text.join(", ")
    }

    /// Blocks of GM that arguments point into, in their order.
    fn blocks(&self) -> Vec<Range<u64>> {
        let mut blocks: Vec<Range<u64>> = Vec::new();
        for (_, _, value) in self.launch.pointer_arguments() {
            if let Some(block) = self.launch.block_of(value).filter(|b| !blocks.contains(b)) {
                blocks.push(block);
            }
        }
        blocks
    }

    /// Bytes of a block that the launch has written, by core.
    fn written(&self, block: &Range<u64>) -> Vec<Vec<Range<u64>>> {
        let of = |log: &CoreLog| {
            let mut ranges = Vec::new();
            let inside = |p: &&Piece| p.runs.start < block.end && block.start < p.runs.end();
            for p in log.pieces.iter().filter(|p| p.key.class != Class::Read).filter(inside) {
                p.runs.for_each_in(block, |r| ranges.push(r.start.max(block.start)..r.end.min(block.end)));
            }
            sweep::union(ranges)
        };
        self.logs.iter().map(|l| of(l)).collect()
    }

    fn holes(written: &[Range<u64>], block: &Range<u64>) -> Vec<Range<u64>> {
        let mut at = block.start;
        let mut holes = Vec::new();
        for r in written {
            if r.start > at {
                holes.push(at..r.start);
            }
            at = at.max(r.end);
        }
        if at < block.end {
            holes.push(at..block.end);
        }
        holes
    }

    fn coverage(&self) -> Vec<Draft> {
        let mut drafts = Vec::new();
        for block in self.blocks() {
            let by_core = self.written(&block);
            let total: u64 = by_core.iter().flatten().map(|r| r.end - r.start).sum();
            let written = sweep::union(by_core.into_iter().flatten().collect());
            if written.is_empty() {
                continue;
            }
            let (target, _) = self.launch.owner_of(block.start);
            let length = |ranges: &[Range<u64>]| ranges.iter().map(|r| r.end - r.start).sum::<u64>();
            let holes = Self::holes(&written, &block);
            let twice = total - length(&written);
            let values = [
                ("holes", length(&holes).to_string()),
                ("twice", twice.to_string()),
                ("bytes", (block.end - block.start).to_string()),
                ("target", target_text(&target)),
            ];
            if !holes.is_empty() {
                drafts.push(
                    Draft::new(&c::OUTPUT_HOLES, &values).detail(format!("bytes: {}", self.ranges(&holes))),
                );
            }
            if twice > 0 && !self.is_atomic(&block) {
                drafts.push(Draft::new(&c::WRITTEN_TWICE, &values));
            }
        }
        drafts
    }

    fn is_atomic(&self, block: &Range<u64>) -> bool {
        let mut pieces = self.logs.iter().flat_map(|l| l.pieces.iter());
        pieces.any(|p| p.key.class == Class::Atomic && block.contains(&p.runs.start))
    }

    /// What nobody has written of a block in which cores overlap: a wrong offset shows as both.
    fn tell_holes(&self, draft: &mut Draft, address: u64) {
        let Some(block) = self.launch.block_of(address) else { return };
        let written = sweep::union(self.written(&block).into_iter().flatten().collect());
        let holes = Self::holes(&written, &block);
        if holes.is_empty() {
            return;
        }
        let text = format!("not written by this launch: bytes {}", self.ranges(&holes));
        draft.details.push(Detail::Text(text));
    }

    fn tell_cores(&self, draft: &mut Draft, found: &Conflict) {
        if found.cores.len() < 2 {
            return;
        }
        let mut pairs = found.cores.clone();
        pairs.sort_unstable();
        let name = |p: &[super::super::CoreId; 2]| format!("{} and {}", self.name(p[0]), self.name(p[1]));
        let mut text: Vec<String> = pairs.iter().take(SHOWN).map(name).collect();
        if pairs.len() > SHOWN {
            text.push(format!("and {} more pairs", pairs.len() - SHOWN));
        }
        draft.details.push(Detail::Text(format!("pairs of cores: {}", text.join(", "))));
    }

    /// Which bytes each of the two cores writes from these places: an offset that is too small shows.
    fn tell_extents(&self, draft: &mut Draft, found: &Conflict) {
        let extent = |at: Ref| {
            let place = self.piece(at).key.place;
            let log = &self.logs[at.0 as usize];
            let mine = log.pieces.iter().filter(|p| p.key.place == place);
            let ends = mine.map(|p| (p.runs.start, p.runs.end()));
            let (start, end) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
            Some((self.name(log.core), start..end))
        };
        let (Some((a, x)), Some((b, y))) = (extent(found.pair[0]), extent(found.pair[1])) else { return };
        let text = |name: &str, r: &Range<u64>| {
            let (_, first) = self.launch.owner_of(r.start);
            format!("{name} covers bytes {first}..{} there", first + (r.end - r.start))
        };
        let mut line = format!("{}, {}", text(&a, &x), text(&b, &y));
        let (distance, length) = (y.start.abs_diff(x.start), x.end - x.start);
        let is_offset = distance != 0 && distance < length;
        if is_offset {
            line += &format!(
                ": they start {distance} bytes apart and are {length} long; check how the offset of a core is computed"
            );
        }
        draft.details.push(Detail::Text(line));
        if is_offset {
            self.tell_holes(draft, found.bytes.start);
        }
    }
}
