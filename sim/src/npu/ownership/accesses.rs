//! Whose bytes an instruction or a scalar access touches, and whether they may be touched now.

use super::slots::{Slot, State};
use crate::exec::{Access, Decoded};
use crate::npu::core::Core;
use std::ops::Range;
use toprope_abi::isa::{Pipe, Space};

/// Slot of the scalar unit.
pub const SCALAR: usize = Pipe::S as usize;

/// An access to a local memory.
#[derive(Clone, Copy, Debug)]
pub struct Touch<'a> {
    /// Slot of the pipe.
    pub pipe: usize,
    /// Instruction, or `GetValue`.
    pub op: &'static str,
    pub space: Space,
    /// Byte where its operand starts, from the start of the memory.
    pub first: u32,
    /// First byte touched, and the one after the last.
    pub bytes: (u32, u32),
    pub write: bool,
    /// Its exact bytes, if they are not all of `bytes`.
    pub access: Option<&'a Access>,
}

impl Touch<'_> {
    /// Calls `f` with its ranges behind byte `end`.
    pub fn for_each_behind(&self, end: u32, mut f: impl FnMut(Range<u32>)) {
        match self.access {
            None => f(self.bytes.0.max(end)..self.bytes.1),
            Some(access) => {
                let base = access.addr - u64::from(self.first);
                access.for_each_range(|r| {
                    let (start, stop) = ((r.start - base) as u32, (r.end - base) as u32);
                    if stop > end {
                        f(start.max(end)..stop);
                    }
                });
            }
        }
    }
}

/// What lies on bytes that an access reached by running over the end of its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hit {
    /// No buffer.
    Nothing,
    /// A free buffer of another queue, or a TBuf not used so far.
    Unused(usize),
    /// A buffer that is in use.
    Used(usize),
}

impl Core {
    /// Judges the accesses of an instruction that is issued now.
    #[inline]
    pub(in crate::npu) fn check_owners(&mut self, pipe: usize, decoded: &Decoded) {
        for access in decoded.accesses().iter().filter(|a| a.space != Space::Gm) {
            let Some(range) = access.extent() else { continue };
            let base = self.bounds_of(access.space).0;
            let (first, end) = ((access.addr - base) as u32, (range.end - base) as u32);
            let index = self.owners.slots.at(access.space, first);
            let is_fine = index.is_some_and(|i| {
                let slot = &self.owners.slots.all[i];
                slot.is_in_hand() && end <= slot.end && !slot.is_under
            });
            if is_fine || index.is_none() && !self.is_near_placed(access.space, &(first..end)) {
                continue;
            }
            let touch = Touch {
                pipe,
                op: decoded.row().intrinsic,
                space: access.space,
                first,
                bytes: ((range.start - base) as u32, end),
                write: access.write,
                access: Some(access),
            };
            match index {
                Some(index) => self.touch(index, &touch),
                None => self.follow_placed(&touch),
            }
        }
    }

    /// Judges a scalar access to byte `first` of UB.
    #[inline]
    pub(in crate::npu) fn check_scalar_owner(
        &mut self,
        op: &'static str,
        first: u32,
        bytes: u32,
        write: bool,
    ) {
        let Some(index) = self.owners.slots.at(Space::Ub, first) else { return };
        let slot = &self.owners.slots.all[index];
        if slot.is_in_hand() && first + bytes <= slot.end && !slot.is_under {
            return;
        }
        let bytes = (first, first + bytes);
        let touch = Touch { pipe: SCALAR, op, space: Space::Ub, first, bytes, write, access: None };
        self.touch(index, &touch);
    }

    /// An access that is not simply inside a buffer in the kernel's hand. `index` is the latest slot that holds its start.
    #[cold]
    #[inline(never)]
    fn touch(&mut self, index: usize, touch: &Touch<'_>) {
        if self.owners.slots.all[index].is_under
            || self.is_near_placed(touch.space, &(touch.bytes.0..touch.bytes.1))
        {
            self.follow_placed(touch);
        }
        let index = self.best_slot(index, touch);
        let slots = &mut self.owners.slots;
        let slot = &slots.all[index];
        let (state, end, is_told) = (slot.state, slot.end, slot.is_told);
        if slot.is_shared && slots.is_placed(touch.space, &(touch.first..touch.first + 1)) {
            return;
        }
        if state == State::Idle {
            slots.all[index].state = State::Taken;
        }
        match state {
            State::Idle | State::Taken => {}
            State::Enqueued => self.used_enqueued(index, touch),
            State::Free | State::Gone if !is_told => self.used_out_of_hand(index, touch),
            State::Free | State::Gone => {}
        }
        if touch.bytes.1 > end && matches!(state, State::Taken | State::Idle) {
            self.runs_over(index, touch);
        }
    }

    /// Of the slots that hold the start of an access, one in hand that holds all of it, else one in hand, else the latest.
    fn best_slot(&self, index: usize, touch: &Touch<'_>) -> usize {
        let slots = &self.owners.slots.all;
        if !slots[index].is_shared {
            return index;
        }
        let here = || (0..slots.len()).filter(|i| slots[*i].holds(touch.space, touch.first));
        let in_hand = |i: &usize| slots[*i].is_in_hand() || slots[*i].state == State::Idle;
        let whole = here().filter(in_hand).find(|i| slots[*i].end >= touch.bytes.1);
        whole.or_else(|| here().find(in_hand)).unwrap_or(index)
    }

    fn used_enqueued(&mut self, index: usize, touch: &Touch<'_>) {
        let slot = &self.owners.slots.all[index];
        if slot.is_told {
            return;
        }
        let (producer, consumer) = slot.pipes;
        let is_producer = touch.pipe == producer;
        if is_producer && !touch.write {
            // It reads what it made itself.
            return;
        }
        // What waits in a blocked pipe may have learned more by the time it runs.
        let blocked = self.blocked & (1 << touch.pipe) != 0;
        let by_compiler = touch.pipe == SCALAR && self.checks.auto_sync;
        let ordered =
            blocked || by_compiler || is_producer || self.clocks.known(touch.pipe)[producer] >= slot.produced;
        if ordered && !touch.write && touch.pipe != consumer {
            return;
        }
        self.report_enqueued(index, touch, ordered);
    }

    /// What an access hits behind the end of the buffer it starts in.
    fn runs_over(&mut self, index: usize, touch: &Touch<'_>) {
        let slots = &self.owners.slots;
        let from = &slots.all[index];
        let mut worst: Option<(Hit, Range<u32>)> = None;
        let mut spans: Vec<usize> = Vec::new();
        touch.for_each_behind(from.end, |range| {
            let mut byte = range.start;
            while byte < range.end {
                let (hit, next) = match slots.at(touch.space, byte).map(|i| (i, &slots.all[i])) {
                    Some((_, s)) if s.state == State::Gone => (Some(Hit::Nothing), s.end),
                    Some((i, s)) if s.is_live() => (Some(Hit::Used(i)), s.end),
                    Some((i, s)) if s.object == from.object => {
                        spans.push(i);
                        (None, s.end)
                    }
                    Some((i, s)) => (Some(Hit::Unused(i)), s.end),
                    None => (Some(Hit::Nothing), (byte | 31) + 1),
                };
                if let Some(hit) = hit.filter(|h| worst.as_ref().is_none_or(|w| *h > w.0)) {
                    worst = Some((hit, byte..range.end.min(next.max(byte + 1))));
                }
                byte = next.max(byte + 1);
            }
        });
        if touch.write {
            let (frames, allocations) = (self.quick_frames(), from.allocations);
            for i in spans {
                self.owners.slots.all[i].overrun.get_or_insert((index, allocations, frames));
            }
        }
        let Some((hit, bytes)) = worst else { return };
        if self.owners.slots.is_placed(touch.space, &bytes) {
            return;
        }
        self.report_overrun(index, touch, hit, &bytes);
    }
}

/// `reads` or `writes`.
pub fn verb(write: bool) -> &'static str {
    if write { "writes" } else { "reads" }
}

/// Whether a buffer was ever taken from its queue.
pub fn is_new(slot: &Slot) -> bool {
    slot.is_queue && slot.allocations == 0
}
