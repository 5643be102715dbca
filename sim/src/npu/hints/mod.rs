//! Synchronisation that orders nothing, buffers that bring nothing, event ids that run out, on request (`TOPROPE_HINTS=on`).
//!
//! Every flag and barrier is a cause of knowledge ([`reasons`]); every access owes its order to some of them ([`touched`] says after what it has to
//! come). At the end of the launch, flags and barriers to which no access of any core owes anything are told, if pipes stood idle for them
//! ([`report`]), and barriers of all pipes that order one or two pairs only. Buffers and ids are [`resources`]'.
//!
//! It is about this run: other arguments may need what this run did not. Accesses through raw pointers are not seen. Not looked at: flags
//! from or to the scalar unit, barriers of pipe V with the compiler's automatic synchronisation, flags that the framework sets (EnQue, DeQue).
//! Gains are upper bounds: what pipes stood idle, not what the kernel would take without.

mod coverage;
mod reasons;
pub mod report;
mod resources;
mod touched;

use super::clock::SLOTS;
use super::core::Core;
use super::order::foreign::{Known, PARTS};
use crate::exec::{Decoded, more_accesses};
use reasons::{CauseId, ISSUE, Reasons};
use resources::{Busy, Ids, QueueUse};
use std::collections::{HashMap, HashSet};
use touched::Touched;

const SCALAR: usize = 0;
const V_SLOT: usize = 1;

/// A flag or barrier of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sync {
    /// SetFlag and WaitFlag: addresses of both calls, source slot, destination slot.
    Flag { set: u64, wait: u64, src: usize, dst: usize },
    /// PipeBarrier of one pipe.
    Barrier { pc: u64, slot: usize },
    /// PipeBarrier of all pipes.
    All { pc: u64 },
}

/// What a flag or barrier did on one core.
#[derive(Clone, Copy, Debug, Default)]
pub struct Use {
    /// How often it ran.
    pub runs: u64,
    /// Cycles that work stood still for it.
    pub idle_cycles: u64,
    /// Pairs of (part, pipe) that it ordered, bit part × 8 + pipe.
    pub pairs: u64,
}

/// What a core tells about its synchronisation.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Every flag and barrier that ran.
    pub all: HashMap<Sync, Use>,
    /// Addresses behind the calls that issued something.
    pub calls: HashSet<u64>,
    /// Cycles of the core.
    pub cycles: u64,
    /// Nothing can be told of this launch.
    pub gave_up: bool,
    /// Queues with several buffers.
    queues: Vec<QueueUse>,
    ids: Ids,
}

/// Account of one core.
#[derive(Debug, Default)]
pub struct Hints {
    reasons: Reasons,
    touched: Touched,
    numbers: HashMap<Sync, CauseId>,
    uses: Vec<Use>,
    /// Idle time of a wait, counted once its pipe does something.
    idle: [(CauseId, u64); SLOTS],
    calls: HashSet<u64>,
    /// The scalar unit has stored something since the last barrier of all pipes.
    stored: bool,
    /// Number of the last instruction per pipe whose footprint is not known; it counts as touching everything.
    opaque: Known,
    busy: Busy,
    ids: Ids,
}

impl Hints {
    fn cause(&mut self, sync: Sync, from: Option<usize>) -> CauseId {
        let (reasons, uses) = (&mut self.reasons, &mut self.uses);
        let id = *self.numbers.entry(sync).or_insert_with(|| {
            uses.push(Use::default());
            reasons.add(from)
        });
        self.uses[id as usize].runs += 1;
        id
    }

    /// Pipe `slot` works: it has stood idle for its last wait.
    fn count_idle(&mut self, slot: usize) {
        let (cause, cycles) = std::mem::take(&mut self.idle[slot]);
        if cycles > 0 {
            self.uses[cause as usize].idle_cycles += cycles;
        }
    }

    /// What the core tells, which has run this long.
    fn finish(&mut self, cycles: u64, queues: Vec<QueueUse>) -> Uses {
        let used = |(sync, id): (&Sync, &CauseId)| {
            let use_ = Use { pairs: self.reasons.get(*id).pairs, ..self.uses[*id as usize] };
            (*sync, use_)
        };
        let all = self.numbers.iter().map(used).collect();
        let (calls, ids) = (std::mem::take(&mut self.calls), std::mem::take(&mut self.ids));
        Uses { all, calls, cycles, gave_up: self.reasons.gave_up(), queues, ids }
    }
}

impl Core {
    /// The kernel issues something, on data or not.
    #[inline(always)]
    pub(super) fn hint_call(&mut self) {
        if let Some(hints) = &mut self.hints {
            hints.calls.insert(self.face.pc);
        }
    }

    /// An instruction on data runs.
    #[inline]
    pub(super) fn hint_work(&mut self, slot: usize, decoded: &Decoded) {
        if self.hints.is_some() {
            self.account(slot, decoded);
        }
    }

    #[cold]
    fn account(&mut self, slot: usize, decoded: &Decoded) {
        let (known, number) = (*self.clocks.known(slot), self.clocks.count(slot));
        let Some(hints) = &mut self.hints else { return };
        hints.count_idle(SCALAR);
        hints.count_idle(slot);
        hints.reasons.observe(slot, &known, ISSUE);
        let mut needed = hints.opaque;
        let mut accesses: smallvec::SmallVec<[crate::exec::Access; 8]> = decoded.accesses().into();
        if decoded.has_more_accesses() {
            // SAFETY: as in `more_is_fine`, which has asked the same just before.
            #[allow(unsafe_code)]
            let asked = unsafe { more_accesses(decoded, &self.pipe_state, &mut |a| accesses.push(a)) };
            if asked.is_err() {
                hints.reasons.owe_all(slot, &known);
                hints.opaque[slot] = number;
            }
        }
        for access in &accesses {
            access.for_each_range(|range| hints.touched.before(range, access.write, &mut needed));
        }
        for (part, number) in needed.iter().enumerate().filter(|(_, n)| **n > 0) {
            hints.reasons.owe(slot, part, *number);
        }
        for access in &accesses {
            access.for_each_range(|range| hints.touched.note(range, access.write, slot, number));
        }
    }

    /// The scalar unit accesses memory.
    #[inline]
    pub(super) fn hint_scalar(&mut self, range: &std::ops::Range<u64>, write: bool) {
        if self.hints.is_none() {
            return;
        }
        let known = *self.clocks.known(SCALAR);
        let Some(hints) = &mut self.hints else { return };
        hints.count_idle(SCALAR);
        hints.reasons.observe(SCALAR, &known, ISSUE);
        let mut needed = hints.opaque;
        hints.touched.before(range.clone(), write, &mut needed);
        (1..PARTS).for_each(|part| hints.reasons.owe(SCALAR, part, needed[part]));
        // What comes behind a store is ordered by flags from the scalar unit, which are not looked at, or by barriers of all pipes.
        hints.stored |= write;
    }

    /// The scalar unit reads what pipe `slot` has left in a register.
    #[inline]
    pub(super) fn hint_register(&mut self, slot: usize) {
        let number = self.clocks.count(slot);
        if let Some(hints) = &mut self.hints {
            hints.reasons.owe(SCALAR, slot, number);
        }
    }

    /// A flag of another core is set by pipe `slot`: whatever it knows may matter there.
    #[inline]
    pub(super) fn hint_export(&mut self, slot: usize) {
        let known = *self.clocks.known(slot);
        if let Some(hints) = &mut self.hints {
            hints.reasons.observe(slot, &known, ISSUE);
            hints.reasons.owe_all(slot, &known);
        }
    }

    /// Pipe `slot` is about to learn something of a flag or barrier.
    #[inline]
    pub(super) fn hint_before(&mut self, slot: usize) {
        if let Some(hints) = &mut self.hints {
            hints.reasons.observe(slot, self.clocks.known(slot), ISSUE);
        }
    }

    /// Pipe `slot` has learned it; its next instruction could have started at `ready` and starts at `end` at the earliest.
    #[inline]
    pub(super) fn hint_after(&mut self, slot: usize, sync: Sync, ready: u64, end: u64) {
        let Some(hints) = &mut self.hints else { return };
        let from = match sync {
            Sync::Flag { src, .. } => Some(src),
            Sync::Barrier { .. } | Sync::All { .. } => None,
        };
        let cause = hints.cause(sync, from);
        hints.reasons.observe(slot, self.clocks.known(slot), cause);
        hints.idle[slot] = (cause, end.saturating_sub(ready));
    }

    /// All pipes wait for each other, and the scalar unit for them from `ready` to `end`.
    #[inline]
    pub(super) fn hint_all(&mut self, ready: u64, end: u64) {
        let pc = self.here();
        let Some(hints) = &mut self.hints else { return };
        let cause = hints.cause(Sync::All { pc }, None);
        for slot in 0..SLOTS {
            hints.reasons.observe(slot, self.clocks.known(slot), cause);
            hints.idle[slot] = (0, 0);
        }
        if std::mem::take(&mut hints.stored) {
            hints.reasons.need(cause, SCALAR);
        }
        // Whoever works next has waited; all others wait at the same time.
        hints.idle[SCALAR] = (cause, end.saturating_sub(ready));
    }

    /// What the core tells at its end.
    pub(super) fn hint_uses(&mut self) -> Option<Box<Uses>> {
        let (cycles, queues) = (self.end_cycle(), self.queue_uses());
        self.hints.as_mut().map(|h| Box::new(h.finish(cycles, queues)))
    }

    /// Whether a flag or barrier can be judged at all.
    pub(super) fn is_judged(sync: Sync, auto_sync: bool) -> bool {
        match sync {
            Sync::Flag { src, dst, .. } => src != SCALAR && dst != SCALAR,
            Sync::Barrier { slot, .. } => slot != V_SLOT || !auto_sync,
            Sync::All { .. } => true,
        }
    }
}
