//! Queues: alloc, enque, deque, free, and what can be asked of a queue.
//!
//! Life of a buffer, depth > 0 (an in-place queue keeps both ids for good and only sets and waits):
//! ```text
//!  FREE ──alloc: wait free flag, give id──▶ OCCUPIED ──enque: take id, set──▶ ENQUE ──deque: wait, give id──▶ DEQUE
//!   ▲                                          │                                                               │
//!   └───────────── free: take id, set free flag ┴───────────────────────────────────────────────────────────────┘
//! ```
//! The record's state byte holds the state in its low two bits and, while enqueued, the event of the enqueue above
//! them, so that one compare finds both "not enqueued" and "enqueued with another event".

use super::view::{owned_by, record_of};
use super::{Checked, Fwk, Rule, event_of, memory_of, name_of, position_of, target_of};
use crate::hooks::{Hooks, QueOp};
use toprope_abi::fwk::target::Effect;
use toprope_abi::fwk::{
    FwkCore, FwkError, HardEvent, MemoryKind, NO_ID, QUE_DEPTH_MAX, QUE_LOOP, QUE_MASK_BITS, TPosition,
    Target, TrQue, TrRecord, TrTensor,
};

pub(crate) const FREE: u8 = 0;
pub(crate) const OCCUPIED: u8 = 1;
pub(crate) const ENQUE: u8 = 2;
pub(crate) const DEQUE: u8 = 3;
/// In-place queue: dequeued. The public debug build still calls that state ENQUE.
pub(crate) const ENQUE_DONE: u8 = ENQUE | 63 << 2;
/// The pool the record lived in is gone.
pub(crate) const GONE: u8 = DEQUE | 63 << 2;
/// Ring slot that never held anything.
pub(crate) const EMPTY_SLOT: u8 = 0xff;

/// `TrQue::kind`: enqueue and dequeue use event ids.
const ENQUE_IDS: u8 = 1;
/// `TrQue::kind`: free and allocate use event ids.
const FREE_IDS: u8 = 2;
/// `TrQue::kind`: depth 0.
const IN_PLACE: u8 = 4;
/// `TrQue::kind`: loop queue.
const LOOP: u8 = 8;
/// `TrQue::kind`: free sets id 0 without taking it (2002).
const FREE_ID_0: u8 = 16;
/// The usual queue.
const PLAIN: u8 = ENQUE_IDS | FREE_IDS;

/// What a queue is, before it has buffers.
#[derive(Debug, Clone, Copy)]
pub struct QueSpec {
    /// Position of the producer.
    pub src: TPosition,
    /// Position of the consumer.
    pub dst: TPosition,
    /// 0..=64.
    pub depth: u32,
    /// `QUE_*` bits.
    pub config: u32,
    /// Compile-time buffer count, 0 none.
    pub config_num: u32,
    /// Compile-time buffer length in bytes, 0 none.
    pub config_length_bytes: u32,
}

/// State byte of a record enqueued with `event`.
#[inline(always)]
pub(crate) const fn enqueued(event: u8) -> u8 {
    ENQUE | event << 2
}

/// Whether a state byte means "in a queue now".
#[inline(always)]
pub(crate) const fn is_enqueued(state: u8) -> bool {
    state & 3 == ENQUE && state != ENQUE_DONE
}

/// How a queue uses events on a core.
const fn kind_of(target: &Target, spec: &QueSpec, free: HardEvent) -> u8 {
    let mut kind = PLAIN;
    let unsplit = matches!(target.core, FwkCore::Mix2002);
    let on_vector_core = matches!(target.core, FwkCore::Aiv2201);
    let from_ub = matches!(target.memory(spec.src), MemoryKind::Ub);
    if matches!(spec.dst, TPosition::Tscm) && !unsplit {
        if on_vector_core {
            kind = 0;
        } else if from_ub {
            kind = ENQUE_IDS;
        }
    }
    if unsplit && spec.depth > 0 {
        let co2_vecin = matches!((spec.src, spec.dst), (TPosition::Co2, TPosition::VecIn));
        if matches!(spec.src, TPosition::C1) || co2_vecin {
            kind = kind & !FREE_IDS | FREE_ID_0;
        } else if matches!(free, HardEvent::Max) {
            kind &= !FREE_IDS;
        }
    }
    if spec.depth == 0 {
        kind |= IN_PLACE;
    }
    if spec.config & QUE_LOOP != 0 {
        kind |= LOOP;
    }
    kind
}

/// Declares a queue for a core. Nothing is known of a pipe yet.
///
/// # Errors
/// [`FwkError::BadDepth`].
#[inline]
pub fn construct_que(que: &TrQue, target: &Target, spec: &QueSpec) -> Checked {
    if spec.depth > QUE_DEPTH_MAX as u32 {
        return Err(FwkError::BadDepth);
    }
    let position = target.buffer_position(spec.src, spec.dst);
    let (enque, free) = target.queue_events(spec.src, spec.dst, spec.config & QUE_MASK_BITS);
    que.first.set(core::ptr::null());
    que.buf_num.set(0);
    reset_counters(que);
    que.depth.set(spec.depth as u8);
    que.kind.set(kind_of(target, spec, free));
    que.enque_event.set(enque as u8);
    que.free_event.set(free as u8);
    que.enque_set.set(target.set_effect(enque).0);
    que.enque_wait.set(target.wait_effect(enque).0);
    que.free_set.set(target.set_effect(free).0);
    que.free_wait.set(target.wait_effect(free).0);
    que.src.set(spec.src as u8);
    que.dst.set(spec.dst as u8);
    que.position.set(position as u8);
    que.memory.set(target.memory(position) as u8);
    que.core.set(target.core as u8);
    que.config_num.set(if spec.config_num > 255 { 255 } else { spec.config_num as u8 });
    que.config.set(spec.config);
    que.config_length_bytes.set(spec.config_length_bytes);
    que.serial.set(0);
    for slot in &que.ring {
        slot.set(EMPTY_SLOT);
    }
    Ok(())
}

#[inline(always)]
fn reset_counters(que: &TrQue) {
    que.used_count.set(0);
    que.head.set(0);
    que.tail.set(0);
    que.buf_used_count.set(0);
    que.cursor.set(0);
}

/// Gives a queue its records. The ring keeps its content.
#[inline(always)]
pub(crate) fn set_records(que: &TrQue, first: *const TrRecord, num: u32) {
    que.first.set(first);
    que.buf_num.set(num as u8);
    reset_counters(que);
}

/// Writes a record that is free and has no ids.
#[inline(always)]
pub(crate) fn set_record(record: &TrRecord, address_bytes: u32, length_bytes: u32) {
    record.state.set(FREE);
    record.enque_id.set(NO_ID);
    record.free_id.set(NO_ID);
    record.address_bytes.set(address_bytes);
    record.length_bytes.set(length_bytes);
    record.user_tag.set(-1);
}

/// `index + 1`, or 0 at `end`.
#[inline(always)]
const fn next(index: u8, end: u8) -> u8 {
    let next = index.wrapping_add(1);
    if next == end { 0 } else { next }
}

/// Whether a depth-0 queue's records hold the ids of this life of the pipe.
pub(crate) fn is_live_in_place<H: Hooks>(fwk: &Fwk<'_, H>, que: &TrQue) -> bool {
    let serial = fwk.pipe.serial.get();
    que.kind.get() & IN_PLACE != 0
        && serial != 0
        && que.serial.get() == serial
        && record_of(que, 0).is_some_and(|r| r.enque_id.get() >= 0)
}

impl<'a, H: Hooks> Fwk<'a, H> {
    #[inline(always)]
    fn note(&self, op: QueOp, que: &TrQue, record: &TrRecord) {
        if self.pipe.note_ops.get() != 0 {
            self.hooks.note_op(
                op,
                name_of(que),
                memory_of(que.memory.get()),
                record.address_bytes.get(),
                record.length_bytes.get(),
            );
        }
    }

    /// AllocTensor: the next free record from the cursor on.
    ///
    /// # Errors
    /// [`FwkError::NoFreeBuffer`], [`FwkError::NotInitialised`], [`FwkError::PoolGone`]; loop queues
    /// [`FwkError::LoopEvent`]; in-place queues [`FwkError::BadFlagId`].
    #[inline(always)]
    pub fn alloc<'q>(&self, que: &'q TrQue) -> Checked<&'q TrRecord> {
        let num = que.buf_num.get();
        let mut index = que.cursor.get();
        let mut left = num;
        let record = loop {
            let Some(record) = record_of(que, index).filter(|_| left != 0) else {
                return Err(self.no_buffer(que));
            };
            index = next(index, num);
            if record.state.get() == FREE {
                break record;
            }
            left = left.wrapping_sub(1);
        };
        if que.kind.get() == PLAIN {
            let id = record.free_id.get();
            if id >= 0 {
                self.hooks.wait_effect(Effect(que.free_wait.get()), i32::from(id));
                self.give_id(que.free_event.get(), id);
                record.free_id.set(NO_ID);
            }
            que.buf_used_count.set(que.buf_used_count.get().wrapping_add(1));
        } else {
            self.alloc_other(que, record)?;
        }
        que.cursor.set(index);
        record.state.set(OCCUPIED);
        self.note(QueOp::Alloc, que, record);
        Ok(record)
    }

    #[cold]
    #[inline(never)]
    fn no_buffer(&self, que: &TrQue) -> FwkError {
        let gone = record_of(que, 0).is_some_and(|r| r.state.get() == GONE);
        let error = match que.buf_num.get() {
            0 => FwkError::NotInitialised,
            _ if gone => FwkError::PoolGone,
            _ => FwkError::NoFreeBuffer,
        };
        let rule = Rule::hard(error, name_of(que)).in_memory(memory_of(que.memory.get()));
        let _ = self.broken(rule, 1, u64::from(que.buf_num.get()));
        error
    }

    /// The wait of an allocation from a queue that is not plain.
    #[inline(always)]
    fn alloc_other(&self, que: &TrQue, record: &TrRecord) -> Checked {
        let (kind, id) = (que.kind.get(), record.free_id.get());
        if kind & IN_PLACE != 0 {
            if id < 0 {
                self.broken(Rule::misuse(FwkError::BadFlagId, name_of(que)), id as u64, 8)?;
            }
            self.hooks.wait_effect(Effect(que.free_wait.get()), i32::from(id));
            return Ok(());
        }
        if kind & FREE_IDS != 0 && id >= 0 {
            if kind & LOOP != 0 {
                self.wait_loop(que, record)?;
            } else {
                self.hooks.wait_effect(Effect(que.free_wait.get()), i32::from(id));
                self.give_id(que.free_event.get(), id);
                record.free_id.set(NO_ID);
            }
        }
        que.buf_used_count.set(que.buf_used_count.get().wrapping_add(1));
        Ok(())
    }

    /// Loop queue: waits for whichever partner freed the record last.
    fn wait_loop(&self, que: &TrQue, record: &TrRecord) -> Checked {
        let (mine, last, id) = (que.free_event.get(), record.free_event.get(), record.free_id.get());
        let out_to_in = mine == HardEvent::VMte2 as u8 && last == HardEvent::Mte3V as u8;
        let in_to_out = mine == HardEvent::Mte3V as u8 && last == HardEvent::VMte2 as u8;
        if mine != last && !out_to_in && !in_to_out {
            let rule = Rule::misuse(FwkError::LoopEvent, name_of(que));
            return self.broken(rule, u64::from(last), u64::from(mine));
        }
        let target = target_of(que.core.get());
        let bridge = HardEvent::Mte3Mte2;
        let bridge_id = if out_to_in { self.peek_id(bridge as u8, name_of(que))? } else { NO_ID };
        self.hooks.wait_effect(target.wait_effect(event_of(last)), i32::from(id));
        self.give_id(last, id);
        record.free_id.set(NO_ID);
        if bridge_id >= 0 {
            let taken = self.take_id(bridge as u8, name_of(que))?;
            self.hooks.set_effect(target.set_effect(bridge), i32::from(taken));
            self.hooks.wait_effect(target.wait_effect(bridge), i32::from(taken));
            self.give_id(bridge as u8, taken);
        }
        Ok(())
    }

    /// EnQue.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`], [`FwkError::BadEnqueState`], [`FwkError::QueueFull`], [`FwkError::NoEventId`] and
    /// what [`EventNotOnCore`](FwkError::EventNotOnCore) says.
    #[inline(always)]
    pub fn enque(&self, que: &TrQue, handle: *const TrRecord) -> Checked {
        let (record, index) = self.owned(que, handle)?;
        let keep_free = self.check_enque_state(que, record)?;
        if que.kind.get() & IN_PLACE != 0 {
            self.hooks.set_effect(Effect(que.enque_set.get()), i32::from(record.enque_id.get()));
            record.state.set(enqueued(que.enque_event.get()) & keep_free);
            self.note(QueOp::Enque, que, record);
            return Ok(());
        }
        self.check_vacant(que)?;
        let event = que.enque_event.get();
        if que.kind.get() & ENQUE_IDS != 0 {
            let id = self.take_id(event, name_of(que))?;
            self.push(que, record, index, enqueued(event) & keep_free);
            record.enque_id.set(id);
            self.note(QueOp::Enque, que, record);
            self.hooks.set_effect(Effect(que.enque_set.get()), i32::from(id));
        } else {
            self.push(que, record, index, enqueued(event) & keep_free);
            self.note(QueOp::Enque, que, record);
        }
        Ok(())
    }

    /// EnQue<src, dst>: the event of that pair of positions, on every queue of depth > 0.
    ///
    /// # Errors
    /// As [`enque`](Fwk::enque), and [`FwkError::BadArgument`] for an in-place queue or a pair without event.
    pub fn enque_explicit(
        &self,
        que: &TrQue,
        handle: *const TrRecord,
        src: TPosition,
        dst: TPosition,
    ) -> Checked {
        let (record, index) = self.owned(que, handle)?;
        let keep_free = self.check_enque_state(que, record)?;
        let event = self.explicit_event(que, src, dst)?;
        self.check_vacant(que)?;
        let id = self.take_id(event as u8, name_of(que))?;
        self.push(que, record, index, enqueued(event as u8) & keep_free);
        record.enque_id.set(id);
        self.note(QueOp::Enque, que, record);
        self.hooks.set_effect(target_of(que.core.get()).set_effect(event), i32::from(id));
        Ok(())
    }

    fn explicit_event(&self, que: &TrQue, src: TPosition, dst: TPosition) -> Checked<HardEvent> {
        let (event, _) = target_of(que.core.get()).queue_events(src, dst, 0);
        let fits = que.kind.get() & IN_PLACE == 0 && !matches!(event, HardEvent::Max);
        self.check(fits, Rule::hard(FwkError::BadArgument, name_of(que)), src as u64, dst as u64)?;
        Ok(event)
    }

    #[inline(always)]
    fn push(&self, que: &TrQue, record: &TrRecord, index: u8, state: u8) {
        let tail = que.tail.get();
        que.ring[(tail & 63) as usize].set(index);
        que.tail.set(next(tail, que.depth.get()));
        que.used_count.set(que.used_count.get().wrapping_add(1));
        record.state.set(state);
    }

    #[inline(always)]
    fn owned<'q>(&self, que: &'q TrQue, handle: *const TrRecord) -> Checked<(&'q TrRecord, u8)> {
        match owned_by(que, handle) {
            Some(found) => Ok(found),
            None => Err(self.not_owned(que, handle)),
        }
    }

    #[cold]
    #[inline(never)]
    fn not_owned(&self, que: &TrQue, handle: *const TrRecord) -> FwkError {
        let error = if handle.is_null() {
            FwkError::NullHandle
        } else if que.buf_num.get() == 0 {
            FwkError::NotInitialised
        } else {
            FwkError::ForeignBuffer
        };
        let rule = Rule::hard(error, name_of(que));
        let _ = self.broken(rule, handle.addr() as u64, que.first.get().addr() as u64);
        error
    }

    /// Refuses a record that is not the caller's to enqueue. The answer masks the state after the enqueue: with checks
    /// off a free record stays free, as in the release build.
    #[inline(always)]
    fn check_enque_state(&self, que: &TrQue, record: &TrRecord) -> Checked<u8> {
        let state = record.state.get();
        if state == OCCUPIED || state == DEQUE {
            return Ok(0xff);
        }
        self.bad_enque_state(que, state)?;
        Ok(if state == FREE { FREE } else { 0xff })
    }

    #[cold]
    #[inline(never)]
    fn bad_enque_state(&self, que: &TrQue, state: u8) -> Checked {
        let error = if state == GONE { FwkError::PoolGone } else { FwkError::BadEnqueState };
        self.broken(Rule::misuse(error, name_of(que)), u64::from(state & 3), u64::from(OCCUPIED))
    }

    #[inline(always)]
    fn check_vacant(&self, que: &TrQue) -> Checked {
        let (used, depth) = (que.used_count.get(), que.depth.get());
        if used < depth {
            return Ok(());
        }
        self.broken(Rule::misuse(FwkError::QueueFull, name_of(que)), u64::from(used) + 1, u64::from(depth))
    }

    /// DeQue of a queue with depth > 0: the oldest record.
    ///
    /// # Errors
    /// [`FwkError::QueueEmpty`], [`FwkError::NullHead`], [`FwkError::NotEnqueued`], [`FwkError::UserEventMismatch`].
    #[inline(always)]
    pub fn deque<'q>(&self, que: &'q TrQue) -> Checked<&'q TrRecord> {
        let event = que.enque_event.get();
        let (record, after) = self.peek_head(que, event)?;
        self.pop(que, record, after);
        let id = record.enque_id.get();
        if id >= 0 && que.kind.get() & ENQUE_IDS != 0 {
            self.hooks.wait_effect(Effect(que.enque_wait.get()), i32::from(id));
            self.give_id(event, id);
            record.enque_id.set(NO_ID);
        }
        self.note(QueOp::Deque, que, record);
        Ok(record)
    }

    /// DeQue<src, dst>.
    ///
    /// # Errors
    /// As [`deque`](Fwk::deque) and [`enque_explicit`](Fwk::enque_explicit).
    pub fn deque_explicit<'q>(
        &self,
        que: &'q TrQue,
        src: TPosition,
        dst: TPosition,
    ) -> Checked<&'q TrRecord> {
        let event = self.explicit_event(que, src, dst)?;
        let (record, after) = self.peek_head(que, event as u8)?;
        self.pop(que, record, after);
        let id = record.enque_id.get();
        if id >= 0 {
            self.hooks.wait_effect(target_of(que.core.get()).wait_effect(event), i32::from(id));
            self.give_id(event as u8, id);
            record.enque_id.set(NO_ID);
        }
        self.note(QueOp::Deque, que, record);
        Ok(record)
    }

    /// The record at the head, which must have been enqueued with `event`, and its state after the dequeue.
    #[inline(always)]
    fn peek_head<'q>(&self, que: &'q TrQue, event: u8) -> Checked<(&'q TrRecord, u8)> {
        let slot = que.ring[(que.head.get() & 63) as usize].get();
        let Some(record) = record_of(que, slot) else {
            return Err(self.no_head(que));
        };
        if que.used_count.get() == 0 || record.state.get() != enqueued(event) {
            self.bad_head(que, record, event)?;
            // Checks are off: the release build does not touch the state.
            let free = record.state.get() == FREE;
            return Ok((record, if free { FREE } else { DEQUE }));
        }
        Ok((record, DEQUE))
    }

    #[inline(always)]
    fn pop(&self, que: &TrQue, record: &TrRecord, after: u8) {
        que.head.set(next(que.head.get(), que.depth.get()));
        que.used_count.set(que.used_count.get().wrapping_sub(1));
        record.state.set(after);
    }

    #[cold]
    #[inline(never)]
    fn no_head(&self, que: &TrQue) -> FwkError {
        let error = if que.kind.get() & IN_PLACE != 0 {
            FwkError::BadArgument
        } else if que.buf_num.get() == 0 {
            FwkError::NotInitialised
        } else {
            FwkError::NullHead
        };
        let _ = self.broken(Rule::hard(error, name_of(que)), 1, 0);
        error
    }

    #[cold]
    #[inline(never)]
    fn bad_head(&self, que: &TrQue, record: &TrRecord, event: u8) -> Checked {
        let state = record.state.get();
        let (error, asked, limit) = if que.used_count.get() == 0 {
            (FwkError::QueueEmpty, 1, 0)
        } else if state == GONE {
            (FwkError::PoolGone, 1, 0)
        } else if is_enqueued(state) {
            (FwkError::UserEventMismatch, u64::from(event), u64::from(state >> 2))
        } else {
            (FwkError::NotEnqueued, u64::from(state & 3), u64::from(ENQUE))
        };
        self.broken(Rule::misuse(error, name_of(que)), asked, limit)
    }

    /// DeQue(tensor) of an in-place queue.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`], [`FwkError::NotEnqueued`], [`FwkError::BadArgument`] for a queue with a ring.
    #[inline(always)]
    pub fn deque_in_place(&self, que: &TrQue, handle: *const TrRecord) -> Checked {
        let (record, _) = self.owned(que, handle)?;
        let in_place = que.kind.get() & IN_PLACE != 0;
        self.check(in_place, Rule::hard(FwkError::BadArgument, name_of(que)), 0, u64::from(que.depth.get()))?;
        if record.state.get() != enqueued(que.enque_event.get()) {
            let rule = Rule::misuse(FwkError::NotEnqueued, name_of(que));
            self.broken(rule, u64::from(record.state.get() & 3), u64::from(ENQUE))?;
        }
        record.state.set(ENQUE_DONE);
        self.hooks.wait_effect(Effect(que.enque_wait.get()), i32::from(record.enque_id.get()));
        self.note(QueOp::Deque, que, record);
        Ok(())
    }

    /// FreeTensor.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`], [`FwkError::AlreadyFree`], [`FwkError::FreeWhileEnqueued`],
    /// [`FwkError::NoEventId`]; on 2002 [`FwkError::FlagNeverWaited`].
    #[inline(always)]
    pub fn free(&self, que: &TrQue, handle: *const TrRecord) -> Checked {
        let (record, _) = self.owned(que, handle)?;
        let state = record.state.get();
        if state != OCCUPIED && state != DEQUE {
            self.check_free_state(que, state)?;
        }
        let kind = que.kind.get();
        if kind == PLAIN {
            let event = que.free_event.get();
            let id = self.take_id(event, name_of(que))?;
            record.state.set(FREE);
            record.free_id.set(id);
            que.buf_used_count.set(que.buf_used_count.get().wrapping_sub(1));
            self.note(QueOp::Free, que, record);
            self.hooks.set_effect(Effect(que.free_set.get()), i32::from(id));
            return Ok(());
        }
        self.free_other(que, record)
    }

    #[inline(always)]
    fn free_other(&self, que: &TrQue, record: &TrRecord) -> Checked {
        let (kind, event) = (que.kind.get(), que.free_event.get());
        if kind & IN_PLACE != 0 {
            record.state.set(FREE);
            self.note(QueOp::Free, que, record);
            self.hooks.set_effect(Effect(que.free_set.get()), i32::from(record.free_id.get()));
            return Ok(());
        }
        let mut id = NO_ID;
        if kind & FREE_IDS != 0 {
            id = self.take_id(event, name_of(que))?;
            record.free_id.set(id);
            if kind & LOOP != 0 {
                record.free_event.set(event);
            }
        } else if kind & FREE_ID_0 != 0 {
            let silent = que.free_set.get() == 0;
            let rule = Rule::balance(FwkError::FlagNeverWaited, name_of(que));
            self.check(silent, rule, u64::from(event), 0)?;
            id = 0;
        }
        record.state.set(FREE);
        que.buf_used_count.set(que.buf_used_count.get().wrapping_sub(1));
        self.note(QueOp::Free, que, record);
        if id >= 0 {
            self.hooks.set_effect(Effect(que.free_set.get()), i32::from(id));
        }
        Ok(())
    }

    /// `state` is neither OCCUPIED nor DEQUE.
    fn check_free_state(&self, que: &TrQue, state: u8) -> Checked {
        let error = match state {
            ENQUE_DONE => return Ok(()),
            FREE => FwkError::AlreadyFree,
            GONE => FwkError::PoolGone,
            _ => FwkError::FreeWhileEnqueued,
        };
        self.broken(Rule::misuse(error, name_of(que)), u64::from(state & 3), u64::from(OCCUPIED))
    }

    /// FreeAllEvent: waits for the free flags of all records and gives their ids back.
    ///
    /// # Errors
    /// [`FwkError::EventPending`].
    pub fn free_all_event(&self, que: &TrQue) -> Checked {
        let num = que.buf_num.get();
        for record in (0..num).filter_map(|i| record_of(que, i)) {
            let id = record.enque_id.get();
            self.check(id < 0, Rule::misuse(FwkError::EventPending, name_of(que)), id as u64, 0)?;
        }
        for record in (0..num).filter_map(|i| record_of(que, i)) {
            let id = record.free_id.get();
            if id >= 0 {
                self.hooks.wait_effect(Effect(que.free_wait.get()), i32::from(id));
                self.give_id(que.free_event.get(), id);
                record.free_id.set(NO_ID);
            }
        }
        Ok(())
    }

    /// The state the public CPU-debug build reports: 0 free, 1 occupied, 2 enqueued, 3 dequeued. Null is free.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`].
    pub fn tracked_state(&self, que: &TrQue, handle: *const TrRecord) -> Checked<u32> {
        if handle.is_null() {
            return Ok(0);
        }
        let (record, _) = self.owned(que, handle)?;
        Ok(u32::from(record.state.get() & 3))
    }

    /// GetState as the release build reports it: 0 free, 1 occupied.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`].
    pub fn state(&self, que: &TrQue, handle: *const TrRecord) -> Checked<u32> {
        Ok(u32::from(self.tracked_state(que, handle)? != 0))
    }

    /// GetBufferAddr: the tensor of a record of this queue.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`].
    pub fn tensor(&self, que: &TrQue, handle: *const TrRecord, out: &TrTensor) -> Checked {
        let (record, _) = self.owned(que, handle)?;
        fill_tensor(out, record, position_of(que.position.get()), memory_of(que.memory.get()));
        Ok(())
    }
}

/// Writes the tensor of a record.
#[inline(always)]
pub(crate) fn fill_tensor(out: &TrTensor, record: &TrRecord, position: TPosition, memory: MemoryKind) {
    out.record.set(record);
    out.address_bytes.set(record.address_bytes.get());
    out.length_bytes.set(record.length_bytes.get());
    out.position.set(position as u8);
    out.memory.set(memory as u8);
    out.elements.set(0);
}

/// VacantInQue.
#[inline(always)]
pub fn vacant(que: &TrQue) -> bool {
    que.used_count.get() < que.depth.get()
}

/// HasIdleBuffer.
#[inline(always)]
pub fn has_idle_buffer(que: &TrQue) -> bool {
    que.buf_used_count.get() < que.buf_num.get()
}
