//! Conflicts in words: both sides, what stands between them and does not order them, the flag or barrier that is missing.
//!
//! A pair of places is one finding with a count. After a conflict the later pipe is taken to know the earlier access, as if the
//! missing flag were there, so that what follows from one missing flag is not reported again.

use super::foreign::LOADS;
use super::history::Stand;
use super::shadow::{Conflict, Hit};
use super::strides::{self, Bursts};
use super::{Doer, MTE2, MTE3, S, V, Visit};
use crate::exec::{Decoded, Shape};
use crate::findings::catalogue::{
    BARRIER_RAW, BARRIER_WAW, Entry, RACE_RAW, RACE_REGISTER, RACE_WAR, RACE_WAW,
};
use crate::findings::symbols;
use crate::findings::{Detail, Draft, DraftSide, Side};
use crate::npu::clock::SLOTS;
use crate::npu::core::Core;
use crate::npu::pipes::Origin;
use std::ops::Range;
use toprope_abi::isa::{CoreKind, SPACES, SPRS, Space, Spr};

/// Lines about what stands between two accesses, at most.
const BETWEEN: usize = 3;
/// In place of a draft: two places of one source line, which count as one.
const ONE_LINE: usize = usize::MAX;

/// One access of a conflict.
#[derive(Clone, Copy)]
struct End {
    part: usize,
    number: u32,
    at: Visit,
    writes: bool,
}

impl End {
    /// The access that ran first.
    fn older(hit: &Hit) -> End {
        let at = Visit { site: hit.older.site(), iteration: hit.older.iteration };
        End { part: hit.older.part(), number: hit.older.number, at, writes: hit.kind.writes().1 }
    }

    /// Slot of its pipe.
    fn slot(self) -> usize {
        if self.part == LOADS { S } else { self.part }
    }
}

impl Conflict {
    /// Whether the later, the earlier access writes.
    fn writes(self) -> (bool, bool) {
        (self != Conflict::Raw, self != Conflict::War)
    }

    fn of(later_writes: bool, earlier_writes: bool) -> Conflict {
        match (later_writes, earlier_writes) {
            (false, _) => Conflict::Raw,
            (true, false) => Conflict::War,
            (true, true) => Conflict::Waw,
        }
    }

    fn entry(self, one_pipe: bool) -> &'static Entry {
        match (self, one_pipe) {
            (Conflict::Raw, true) => &BARRIER_RAW,
            (_, true) => &BARRIER_WAW,
            (Conflict::Raw, _) => &RACE_RAW,
            (Conflict::War, _) => &RACE_WAR,
            (Conflict::Waw, _) => &RACE_WAW,
        }
    }
}

/// As Ascend C writes the event between two pipes.
fn pair(from: usize, to: usize) -> String {
    format!("{}_{}", Core::pipe_name(from), Core::pipe_name(to))
}

/// What the compiler inserts on a vector core with auto-sync on.
fn compiler_orders(from: usize, to: usize) -> bool {
    let one_is_scalar = |a: usize, b: usize| a == S && [V, MTE2, MTE3].contains(&b);
    (from, to) == (V, V) || one_is_scalar(from, to) || one_is_scalar(to, from)
}

impl Core {
    /// One side of a conflict on this core: `at` `writes` (else reads) `bytes`, counted from the start of memory `space`.
    pub(crate) fn side(
        &self,
        at: Visit,
        writes: bool,
        space: Space,
        bytes: Range<u64>,
        owner: String,
    ) -> DraftSide {
        let site = self.sites.get(at.site);
        let verb = if writes { "writes" } else { "reads" };
        DraftSide {
            side: Side {
                what: format!("{} {verb}", site.op),
                pipe: Core::pipe_name(site.slot),
                memory: SPACES[space as usize].1,
                first_byte: bytes.start,
                end_byte: bytes.end,
                owner,
                iteration: u64::from(at.iteration),
                core: self.core_name(),
                block: self.face.block_idx,
                place: None,
            },
            frames: site.frames(),
            op: Some(site.op),
        }
    }

    /// The buffer that holds a byte of a local memory: `buffer inQueueX`; empty if none was announced.
    pub(crate) fn owner_of(&self, space: Space, byte: u64) -> String {
        let holds = |b: &&crate::npu::core::BufferNote| {
            b.space == space as u64 && (b.offset..b.offset + b.bytes).contains(&byte)
        };
        match self.buffers.iter().rev().find(holds) {
            Some(b) if b.name.is_empty() => format!("the buffer at {:#x}", b.offset),
            Some(b) => format!("buffer {}", b.name),
            None => String::new(),
        }
    }

    /// A barrier of pipe `slot` takes effect.
    pub(in crate::npu) fn note_barrier(&mut self, slot: usize, origin: Option<&Origin>) {
        if self.checks.on {
            let pc = origin.map_or_else(|| self.here(), |o| o.frames[0]);
            self.history.barriers[slot] = Stand { counts: self.clocks.counts(), pc };
        }
    }

    /// An access of `doer` that is not ordered behind an older one.
    #[cold]
    #[inline(never)]
    pub(super) fn conflict(
        &mut self,
        doer: &Doer,
        hit: &Hit,
        origin: Option<&Origin>,
        decoded: Option<&Decoded>,
    ) {
        // The misuse of its tensor has been told already; that there is no order follows from it.
        if self.is_told_of(hit.space, hit.start) {
            return self.learns_of(doer, hit, origin);
        }
        let key = (hit.older.site(), doer.at.site);
        match self.local.pairs.get(&key) {
            Some(&ONE_LINE) => return,
            Some(i) => {
                if let Some(draft) = self.drafts.get_mut(*i) {
                    draft.count += 1;
                }
            }
            // Not reported, and not ordered: nothing is learned from it.
            None if self.is_one_line(doer, hit) => {
                self.local.pairs.insert(key, ONE_LINE);
                return;
            }
            None => {
                self.local.pairs.insert(key, self.drafts.len());
                let mut draft = self.conflict_draft(doer, hit, origin);
                draft.details.extend(decoded.and_then(|d| self.stride_hint(d, hit)));
                self.record(draft, false);
            }
        }
        self.learns_of(doer, hit, origin);
    }

    /// What was reported counts as ordered from now on, as by a flag where the report asks for one.
    fn learns_of(&mut self, doer: &Doer, hit: &Hit, origin: Option<&Origin>) {
        let older = End::older(hit);
        let to = if doer.slot == LOADS { S } else { doer.slot };
        match origin {
            Some(o) if overtaken(older, o) => self.clocks.learn_of(doer.slot, older.slot(), doer.number),
            // What the other pipe knows by now may come from behind this instruction.
            Some(_) => self.clocks.learn_number(older.part, to, older.number),
            None => self.clocks.learn_of(older.part, to, older.number),
        }
    }

    /// Whether both are copies that one source line makes, of a loop that the compiler has unrolled: they count as one place.
    fn is_one_line(&self, doer: &Doer, hit: &Hit) -> bool {
        let part = hit.older.part();
        let copies = part == doer.slot && hit.kind == Conflict::Waw && part != super::V && part != super::M;
        let place = |site| symbols::place(&self.sites.get(site).frames());
        copies && place(doer.at.site).is_some_and(|line| Some(line) == place(hit.older.site()))
    }

    fn conflict_draft(&self, doer: &Doer, hit: &Hit, origin: Option<&Origin>) -> Draft {
        let (later_writes, _) = hit.kind.writes();
        let mut earlier = End::older(hit);
        let mut later = End { part: doer.slot, number: doer.number, at: doer.at, writes: later_writes };
        if origin.is_some_and(|o| overtaken(earlier, o)) {
            // It waited in its pipe, and what the program does behind it was done before.
            std::mem::swap(&mut earlier, &mut later);
        }
        let one_pipe = earlier.part == later.part;
        let entry = Conflict::of(later.writes, earlier.writes).entry(one_pipe);
        let (from, to) = (earlier.slot(), later.slot());
        let bytes = u64::from(hit.start)..u64::from(hit.end);
        let owner = self.owner_of(hit.space, bytes.start);
        let site = self.sites.get(later.at.site);
        let in_loop = if entry.code == RACE_WAR.code {
            "; in a loop set it once before the loop too, and wait once behind it"
        } else {
            ""
        };
        let values = [
            ("op", site.op.to_owned()),
            ("pipe", Core::pipe_name(to).to_owned()),
            ("other", Core::pipe_name(from).to_owned()),
            ("memory", SPACES[hit.space as usize].1.to_owned()),
            ("first", format!("{:#x}", bytes.start)),
            ("end", format!("{:#x}", bytes.end)),
            ("owner", if owner.is_empty() { String::new() } else { format!(" of {owner}") }),
            ("pair", pair(from, to)),
            ("loop", in_loop.to_owned()),
        ];
        let mut draft = Draft::new(entry, &values).op(site.op);
        draft.frames = site.frames();
        draft.sides = vec![
            self.side(earlier.at, earlier.writes, hit.space, bytes.clone(), owner.clone()),
            self.side(later.at, later.writes, hit.space, bytes, owner),
        ];
        self.tell_between(&mut draft, earlier, to);
        self.tell_assumption(&mut draft, from, to);
        draft
    }

    /// A gap of the later access that was meant in another unit, if it would not meet the earlier one then.
    fn stride_hint(&self, decoded: &Decoded, hit: &Hit) -> Option<Detail> {
        let (start, _) = self.bounds[hit.space as usize];
        let other = start + u64::from(hit.start)..start + u64::from(hit.end);
        let (later_writes, _) = hit.kind.writes();
        let mut accesses = decoded.accesses().iter();
        let access = accesses.find(|a| a.space == hit.space && a.write == later_writes)?;
        let Shape::Bursts(b) = access.shape else { return None };
        let bursts = Bursts {
            start: access.addr,
            len: u64::from(b.len_bytes),
            step: b.step_bytes,
            count: u64::from(b.count),
        };
        let meets = |b: Bursts| {
            (0..b.count).map(|i| b.start + i * b.step).any(|at| at < other.end && other.start < at + b.len)
        };
        strides::hint(decoded.row().intrinsic, bursts, false, meets)
    }

    /// What stands between the two accesses and does not order them.
    fn tell_between(&self, draft: &mut Draft, earlier: End, to: usize) {
        let from = earlier.slot();
        let (f, t) = (Core::pipe_name(from), Core::pipe_name(to));
        let mut lines = Vec::new();
        for (slot, stand) in self.history.barriers.iter().enumerate().take(SLOTS) {
            if stand.pc != 0 && stand.counts[earlier.part] >= earlier.number {
                let name = Core::pipe_name(slot);
                let text = format!(
                    "between them: PipeBarrier<PIPE_{name}> orders {name} after {name}, not {t} after {f},"
                );
                lines.push(Detail::At(text, vec![stand.pc]));
            }
        }
        let mut of_this_pair = None;
        for (flag, pc, upto, is_set) in self.flags.set_by(from) {
            let covers = upto >= earlier.number;
            let name = flag.pair();
            let text = match (flag.dst == to, covers) {
                (true, true) if is_set => format!(
                    "flag {name} id {} is set behind the first access, but {t} has not waited for it; set",
                    flag.id
                ),
                (true, false) => {
                    format!(
                        "flag {name} id {} was set before the first access and does not cover it; set",
                        flag.id
                    )
                }
                (false, true) => {
                    format!(
                        "between them: flag {name} orders {} after {f}, not {t}; set",
                        Core::pipe_name(flag.dst)
                    )
                }
                _ => continue,
            };
            let line = Detail::At(text, vec![pc]);
            if flag.dst == to && (covers || of_this_pair.is_none()) {
                of_this_pair = Some(line);
            } else if flag.dst != to {
                lines.push(line);
            }
        }
        lines.truncate(BETWEEN);
        draft.details.extend(of_this_pair);
        draft.details.extend(lines);
    }

    fn tell_assumption(&self, draft: &mut Draft, from: usize, to: usize) {
        if self.kind == CoreKind::Aiv && compiler_orders(from, to) {
            let what = if from == to { "this barrier" } else { "this flag" };
            draft.details.push(Detail::Text(format!(
                "assumes auto-sync off: with it on, the compiler inserts {what} for tensor APIs"
            )));
        }
    }

    /// The scalar unit reads a register that an instruction of pipe V may still write.
    #[cold]
    pub(super) fn register_conflict(&mut self, spr: Spr, number: u32, at: Visit) {
        let name = SPRS[spr as usize].1;
        let mut draft = Draft::new(&RACE_REGISTER, &[("register", name.to_owned())]);
        draft.frames = self.frames();
        let owner = String::new();
        let mut side = self.side(at, true, Space::Ub, 0..0, owner);
        side.side.memory = name;
        draft.sides = vec![side];
        let earlier = End { part: V, number, at, writes: true };
        self.tell_between(&mut draft, earlier, S);
        self.tell_assumption(&mut draft, V, S);
        let key = (at.site, u32::MAX - spr as u32);
        match self.local.pairs.get(&key).and_then(|i| self.drafts.get_mut(*i)) {
            Some(draft) => draft.count += 1,
            None => {
                self.local.pairs.insert(key, self.drafts.len());
                self.record(draft, false);
            }
        }
        self.clocks.learn_of(V, S, number);
    }
}

/// Whether the program has this access behind the instruction that was issued at `origin` and waited.
fn overtaken(access: End, origin: &Origin) -> bool {
    let slot = access.slot();
    access.number > origin.counts[access.part] && (slot == S || origin.blocked >> slot & 1 == 0)
}
