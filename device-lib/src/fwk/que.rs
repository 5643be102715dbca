//! Queues: what they are, how they get their records, what can be asked of them. The cycle is in `cycle`.
//!
//! The record's state byte holds the state in its low two bits and, while enqueued, the event of the enqueue above
//! them, so that one compare finds both "not enqueued" and "enqueued with another event".

use super::view::record_of;
use super::{Checked, Fwk, Rule, memory_of, name_of, position_of};
use crate::hooks::Hooks;
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
pub(crate) const ENQUE_IDS: u8 = 1;
/// `TrQue::kind`: free and allocate use event ids.
pub(crate) const FREE_IDS: u8 = 2;
/// `TrQue::kind`: depth 0.
pub(crate) const IN_PLACE: u8 = 4;
/// `TrQue::kind`: loop queue.
pub(crate) const LOOP: u8 = 8;
/// `TrQue::kind`: free sets id 0 without taking it (2002).
pub(crate) const FREE_ID_0: u8 = 16;
/// `TrQue::kind`: operations are reported to `note_op`.
pub(crate) const NOTED: u8 = 32;
/// The usual queue.
pub(crate) const PLAIN: u8 = ENQUE_IDS | FREE_IDS;

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
#[inline(always)]
pub(crate) const fn kind_of(target: &Target, spec: &QueSpec, free: HardEvent) -> u8 {
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
#[inline(always)]
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
pub(crate) const fn next(index: u8, end: u8) -> u8 {
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

impl<H: Hooks> Fwk<'_, H> {
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
