//! Races on the memories of a core: every access of an instruction against the shadow of its memory.
//!
//! | pair | rule |
//! |---|---|
//! | different pipes | ordered if the later one's pipe knows the earlier one to be complete |
//! | one pipe, write after read | always ordered: instructions of a pipe start in order |
//! | one pipe, read or write after write | as between pipes; never reported of FIX, of M only if both products have fewer than 10 cells |
//! | two copies of one place in the program, write after write | never reported |
//! | loads of the scalar unit | complete before anything that is issued behind them, so never the earlier access of a conflict: what had waited in its pipe meanwhile is released by a flag that was issued behind the load |
//! | `Mmad` and Fixpipe that both use unit flags | ordered, on L0C |
//! | V–V, S↔V, S↔MTE2, S↔MTE3 on AIV with auto-sync | the compiler puts the barrier or flag there: applied, not reported |
//!
//! Not modelled: order inside one instruction, accesses of the kernel's code through raw pointers.

use super::foreign::LOADS;
use super::shadow::{EVERYTHING, Hit, Judge, Record, SPAN_BYTES, Shadow, Tags};
use super::{Doer, FIX, M, MTE2, MTE3, S, V, Visit};
use crate::exec::{Access, Decoded, Shape};
use crate::npu::core::Core;
use crate::npu::pipes::Origin;
use std::collections::HashMap;
use std::ops::Range;
use toprope_abi::isa::{CoreKind, SPRS, Space, Spr};

/// Products of fewer cells of C than this need a barrier between them.
const LONG_PRODUCT_CELLS: u64 = 10;
const CELL_BYTES: u64 = 1024;

/// What is known of accesses to a core's memories.
#[derive(Debug, Default)]
pub struct Local {
    shadows: [Option<Box<Shadow>>; 8],
    hits: Vec<Hit>,
    /// Accesses that are only known at execution, of the current instruction.
    pub more: Vec<Access>,
    /// Pairs of places that were reported, and where their draft is.
    pub(super) pairs: HashMap<(u32, u32), usize>,
    /// How often the place of the latest WaitFlag had run.
    pub wait_iteration: u32,
    /// The instruction of pipe V in work.
    current: Option<(u32, Visit)>,
    /// Last write of every register that pipes write.
    registers: [Option<(u32, Visit)>; SPRS.len()],
}

impl Local {
    /// Another block begins.
    pub fn begin(&mut self) {
        self.shadows.iter_mut().flatten().for_each(|s| s.clear());
        if !self.pairs.is_empty() {
            self.pairs.clear();
        }
        if self.current.take().is_some() {
            self.registers = [None; SPRS.len()];
        }
    }
}

/// The parts whose order before pipe `slot` the compiler provides on a vector core.
fn provided(slot: usize) -> u32 {
    let scalar = 1 << S | 1 << LOADS;
    match slot {
        S => 1 << V | 1 << MTE2 | 1 << MTE3,
        V => 1 << V | scalar,
        MTE2 | MTE3 => scalar,
        _ => 0,
    }
}

/// Whether a product is over before the next one reaches what it wrote.
fn is_short(decoded: &Decoded) -> bool {
    let cells = match decoded.accesses().first().map(|a| a.shape) {
        Some(Shape::Bursts(b)) => u64::from(b.count) * u64::from(b.len_bytes).div_ceil(CELL_BYTES),
        _ => 0,
    };
    cells < LONG_PRODUCT_CELLS
}

impl Core {
    /// The order of pipe `slot`'s next access against what is known; what `me` says of it.
    #[inline]
    fn judge<'a>(
        clocks: &super::Clocks,
        hits: &'a mut Vec<Hit>,
        slot: usize,
        me: Record,
        provided: u32,
    ) -> Judge<'a> {
        let known = clocks.known(slot);
        let mut judge = Judge {
            me,
            against_writes: *known,
            against_reads: *known,
            hits,
            provided,
            needed: 0,
            handed_over: 0,
            space: Space::Ub,
            span: SPAN_BYTES,
        };
        judge.against_reads[slot] = EVERYTHING;
        if slot == FIX {
            judge.against_writes[FIX] = EVERYTHING;
        }
        judge
    }

    fn provided(&self, slot: usize) -> u32 {
        if self.checks.auto_sync && self.kind == CoreKind::Aiv { provided(slot) } else { 0 }
    }

    /// An instruction accesses memories of the core.
    #[inline]
    pub(super) fn follow_local(&mut self, doer: &Doer, decoded: &Decoded, origin: Option<&Origin>) {
        let slot = doer.slot;
        if slot == V {
            self.local.current = Some((doer.number, doer.at));
        }
        let tags = match slot {
            M => Tags { unit: decoded.uses_unit_flags(), short: is_short(decoded) },
            FIX => Tags { unit: decoded.uses_unit_flags(), short: false },
            _ => Tags::default(),
        };
        let me = Record::new(slot, doer.at.site, tags, doer.number, doer.at.iteration);
        let provided = self.provided(slot);
        let mut hits = std::mem::take(&mut self.local.hits);
        hits.clear();
        let mut judge = Core::judge(&self.clocks, &mut hits, slot, me, provided);
        let (shadows, bounds) = (&mut self.local.shadows, &self.bounds);
        let mut touch = |access: &Access| touch(shadows, bounds, access, &mut judge);
        // What is read first: an instruction that works in place reads what was there before.
        if decoded.has_more_accesses() {
            self.local.more.iter().filter(|a| !a.write).for_each(&mut touch);
        }
        decoded.accesses().iter().rev().for_each(&mut touch);
        if decoded.has_more_accesses() {
            self.local.more.iter().filter(|a| a.write).for_each(&mut touch);
        }
        let (needed, handed_over) = (judge.needed, judge.handed_over);
        if needed != 0 {
            self.apply(needed, slot);
        }
        if handed_over != 0 {
            self.clocks.learn_of(M, slot, handed_over);
        }
        if needed != 0 || handed_over != 0 {
            self.forget_ordered(&mut hits, slot);
        }
        if !hits.is_empty() {
            hits.iter().for_each(|h| self.conflict(doer, h, origin, Some(decoded)));
        }
        self.local.hits = hits;
    }

    /// Drops conflicts that edges before the same instruction have ordered.
    fn forget_ordered(&self, hits: &mut Vec<Hit>, slot: usize) {
        let known = self.clocks.known(slot);
        hits.retain(|h| h.older.number > known[h.older.part()]);
    }

    /// The compiler's flags and barriers before an access of pipe `slot`: from `parts`, one bit each.
    fn apply(&mut self, parts: u32, slot: usize) {
        for part in (0..=LOADS).filter(|p| parts >> p & 1 == 1) {
            if part == LOADS {
                let number = self.clocks.count(LOADS);
                self.clocks.learn_of(LOADS, slot, number);
            } else if part == slot {
                self.clocks.barrier(slot);
            } else {
                self.clocks.edge(part, slot);
            }
        }
    }

    /// The scalar unit reads or writes a local memory; `offset` is counted from its start.
    pub(crate) fn follow_scalar(
        &mut self,
        space: Space,
        range: Range<u64>,
        write: bool,
        (what, op): (u32, &'static str),
    ) {
        let part = if write { S } else { LOADS };
        let number = self.clocks.next(part);
        if !self.checks.on {
            return;
        }
        let doer = Doer { slot: part, number, at: self.visit_scalar(what, op) };
        let me = Record::new(part, doer.at.site, Tags::default(), number, doer.at.iteration);
        let provided = self.provided(S);
        let mut hits = std::mem::take(&mut self.local.hits);
        hits.clear();
        let mut judge = Core::judge(&self.clocks, &mut hits, S, me, provided);
        judge.space = space;
        let shadow = &mut self.local.shadows[space as usize];
        let bounds = self.bounds[space as usize];
        let shadow = shadow.get_or_insert_with(|| Box::new(Shadow::new((bounds.1 - bounds.0) as u32)));
        let range = range.start as u32..range.end as u32;
        if write {
            shadow.access(range, write, &mut judge);
        } else {
            shadow.look(range, &mut judge);
        }
        let needed = judge.needed;
        if needed != 0 {
            self.apply(needed, S);
            self.forget_ordered(&mut hits, S);
        }
        hits.iter().for_each(|h| self.conflict(&doer, h, None, None));
        self.local.hits = hits;
    }

    /// The instruction in work has written registers, a bit each.
    #[cold]
    pub(crate) fn registers_written(&mut self, mut written: u32) {
        while written != 0 {
            self.local.registers[written.trailing_zeros() as usize] = self.local.current;
            written &= written - 1;
        }
    }

    /// The scalar unit reads a register that pipe V writes; `is_own`: for the API that issued the instruction.
    pub(crate) fn follow_register(&mut self, spr: Spr, is_own: bool) {
        let Some((number, at)) = self.local.registers[spr as usize] else { return };
        if !self.checks.on || number <= self.clocks.known(S)[V] {
            return;
        }
        if self.provided(S) >> V & 1 == 1 {
            return self.apply(1 << V, S);
        }
        if is_own {
            return self.clocks.learn_of(V, S, number);
        }
        self.register_conflict(spr, number, at);
    }
}

fn touch(
    shadows: &mut [Option<Box<Shadow>>; 8],
    bounds: &[(u64, u64); 8],
    access: &Access,
    judge: &mut Judge,
) {
    if access.space == Space::Gm {
        return;
    }
    judge.space = access.space;
    let (start, end) = bounds[access.space as usize];
    let shadow = &mut shadows[access.space as usize];
    let shadow = shadow.get_or_insert_with(|| Box::new(Shadow::new((end - start) as u32)));
    let mut bytes =
        |r: Range<u64>| shadow.access((r.start - start) as u32..(r.end - start) as u32, access.write, judge);
    match access.extent() {
        Some(range) if access.is_solid() => bytes(range),
        _ => access.for_each_range(bytes),
    }
}
