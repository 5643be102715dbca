//! The cycle of a buffer: alloc, enque, deque, free.
//!
//! Depth > 0 (an in-place queue keeps both ids for good and only sets and waits):
//! ```text
//!  FREE ──alloc: wait free flag, give id──▶ OCCUPIED ──enque: take id, set──▶ ENQUE ──deque: wait, give id──▶ DEQUE
//!   ▲                                          │                                                               │
//!   └───────────── free: take id, set free flag ┴───────────────────────────────────────────────────────────────┘
//! ```
//! Each call exists twice. The slow form is the rule in full: checks, then changes, for every kind of queue. The fast form
//! does the usual case, a plain queue used rightly, and hands everything else to the slow form before it has changed
//! anything; it makes every check that the slow form makes, but does not say which one failed. (Slow forms take `self` by
//! value: two registers, where a reference would make every fast call build the pair in memory.) A [`Shape`] says where the
//! queue's properties come from, so that the same code serves the C functions and the typed Rust face.

use super::que::{
    DEQUE, ENQUE, ENQUE_DONE, ENQUE_IDS, FREE, FREE_ID_0, FREE_IDS, GONE, IN_PLACE, LOOP, NOTED, OCCUPIED,
    PLAIN, enqueued, is_enqueued, next,
};
use super::shape::{FromState, Shape};
use super::view::{owned_by, record_of, with_owned, with_record};
use super::{Checked, Fwk, Rule, STALE_BIT, event_of, memory_of, name_of, target_of};
use crate::hooks::{Hooks, QueOp};
use toprope_abi::fwk::target::Effect;
use toprope_abi::fwk::{FwkError, HardEvent, NO_ID, TPosition, TrQue, TrRecord};

/// The usual in-place queue.
const PLAIN_IN_PLACE: u8 = PLAIN | IN_PLACE;
/// A word of ids from here on is not for the fast form: all eight taken, ids above 7, stale flags, or no such event.
const WORD_FULL: u64 = 0xff;

/// OCCUPIED or DEQUE: the holder of the tensor may enqueue or free it.
#[inline(always)]
const fn in_hand(state: u8) -> bool {
    state | ENQUE == DEQUE
}

impl<H: Hooks> Fwk<'_, H> {
    /// AllocTensor: the next free record from the cursor on; waits for its free flag. `None` if refused, see
    /// [`alloc`](Fwk::alloc).
    #[inline(always)]
    pub fn alloc_as<'q, S: Shape>(&self, que: &'q TrQue) -> Option<&'q TrRecord> {
        let (kind, index) = (self.kind::<S>(que), que.cursor.get());
        let slow = || self.alloc_slow::<S>(que);
        let fast = |record: &'q TrRecord| {
            let id = record.free_id.get();
            let usual = kind == PLAIN || kind == PLAIN_IN_PLACE && (S::TRUSTED || id >= 0);
            if record.state.get() != FREE || !usual {
                return slow();
            }
            que.cursor.set(next(index, que.buf_num.get()));
            record.state.set(OCCUPIED);
            if kind == PLAIN_IN_PLACE {
                self.hooks.wait_effect_fast(S::free_wait(que), i32::from(id));
                return Some(record);
            }
            que.buf_used_count.set(que.buf_used_count.get().wrapping_add(1));
            if id >= 0 {
                record.free_id.set(NO_ID);
                self.wait_and_give::<S>(S::free_event(que), S::free_wait(que), id);
            }
            Some(record)
        };
        with_record::<S, _>(que, index, fast, slow)
    }

    /// EnQue: takes an id and sets its flag.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`], [`FwkError::BadEnqueState`], [`FwkError::QueueFull`], [`FwkError::NoEventId`] and
    /// [`FwkError::EventNotOnCore`].
    #[inline(always)]
    pub fn enque_as<S: Shape>(&self, que: &TrQue, handle: *const TrRecord) -> Checked {
        let (kind, event) = (self.kind::<S>(que), S::enque_event(que));
        let slow = || self.enque_slow::<S>(que, handle);
        let fast = |record: &TrRecord, index: u8| {
            if !S::TRUSTED && !in_hand(record.state.get()) {
                return slow();
            }
            if kind == PLAIN_IN_PLACE {
                record.state.set(enqueued(event));
                self.hooks.set_effect_fast(S::enque_set(que), i32::from(record.enque_id.get()));
                return Ok(());
            }
            let word = self.pipe.events[(event & 63) as usize].get();
            if kind != PLAIN || que.used_count.get() >= S::depth(que) || word >= WORD_FULL {
                return slow();
            }
            let id = self.take_lowest(event, word);
            self.push::<S>(que, record, index, enqueued(event));
            record.enque_id.set(id);
            self.hooks.set_effect_fast(S::enque_set(que), i32::from(id));
            Ok(())
        };
        with_owned(que, handle, fast, slow)
    }

    /// DeQue of a queue with depth > 0: the oldest record; waits for its enqueue flag. `None` if refused, see
    /// [`deque`](Fwk::deque).
    #[inline(always)]
    pub fn deque_as<'q, S: Shape>(&self, que: &'q TrQue) -> Option<&'q TrRecord> {
        let (kind, event) = (self.kind::<S>(que), S::enque_event(que));
        let slow = || self.deque_slow::<S>(que);
        let fast = |record: &'q TrRecord| {
            let enqueued = S::TRUSTED || record.state.get() == enqueued(event);
            if !enqueued || kind != PLAIN {
                return slow();
            }
            self.pop::<S>(que, record, DEQUE);
            let id = record.enque_id.get();
            record.enque_id.set(NO_ID);
            self.wait_and_give::<S>(event, S::enque_wait(que), id);
            Some(record)
        };
        if que.used_count.get() == 0 {
            return slow();
        }
        with_record::<S, _>(que, self.head_slot::<S>(que), fast, slow)
    }

    /// Ring slot of the oldest tensor.
    #[inline(always)]
    fn head_slot<S: Shape>(&self, que: &TrQue) -> u8 {
        let head = if S::TRUSTED && S::depth(que) == 1 { 0 } else { que.head.get() };
        que.ring[(head & 63) as usize].get()
    }

    /// DeQue(tensor) of an in-place queue: waits for the enqueue flag of this record.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`], [`FwkError::NotEnqueued`], [`FwkError::BadArgument`] for a queue with a ring.
    #[inline(always)]
    pub fn deque_in_place_as<S: Shape>(&self, que: &TrQue, handle: *const TrRecord) -> Checked {
        let slow = || self.deque_in_place_slow::<S>(que, handle);
        let fast = |record: &TrRecord, _| {
            let enqueued = S::TRUSTED || record.state.get() == enqueued(S::enque_event(que));
            if !enqueued || self.kind::<S>(que) != PLAIN_IN_PLACE {
                return slow();
            }
            record.state.set(ENQUE_DONE);
            self.hooks.wait_effect_fast(S::enque_wait(que), i32::from(record.enque_id.get()));
            Ok(())
        };
        with_owned(que, handle, fast, slow)
    }

    /// FreeTensor: takes an id and sets its flag.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`], [`FwkError::AlreadyFree`], [`FwkError::FreeWhileEnqueued`],
    /// [`FwkError::NoEventId`]; on 2002 [`FwkError::FlagNeverWaited`].
    #[inline(always)]
    pub fn free_as<S: Shape>(&self, que: &TrQue, handle: *const TrRecord) -> Checked {
        let (kind, event) = (self.kind::<S>(que), S::free_event(que));
        let slow = || self.free_slow::<S>(que, handle);
        let fast = |record: &TrRecord, _| {
            let state = record.state.get();
            if kind == PLAIN_IN_PLACE && (S::TRUSTED || state == ENQUE_DONE || state == OCCUPIED) {
                record.state.set(FREE);
                self.hooks.set_effect_fast(S::free_set(que), i32::from(record.free_id.get()));
                return Ok(());
            }
            let word = self.pipe.events[(event & 63) as usize].get();
            let allowed = S::TRUSTED || in_hand(state);
            if !allowed || kind != PLAIN || word >= WORD_FULL {
                return slow();
            }
            let id = self.take_lowest(event, word);
            record.state.set(FREE);
            record.free_id.set(id);
            que.buf_used_count.set(que.buf_used_count.get().wrapping_sub(1));
            self.hooks.set_effect_fast(S::free_set(que), i32::from(id));
            Ok(())
        };
        with_owned(que, handle, fast, slow)
    }

    /// EnQue of a record that a type says is the queue's and in hand.
    ///
    /// # Errors
    /// [`FwkError::QueueFull`], [`FwkError::NoEventId`], [`FwkError::EventNotOnCore`].
    #[inline(always)]
    pub(crate) fn enque_own<S: Shape>(&self, que: &TrQue, record: &TrRecord) -> Checked {
        let (kind, event) = (self.kind::<S>(que), S::enque_event(que));
        if kind == PLAIN_IN_PLACE {
            self.hooks.set_effect_fast(S::enque_set(que), i32::from(record.enque_id.get()));
            return Ok(());
        }
        let word = self.pipe.events[(event & 63) as usize].get();
        if kind != PLAIN || que.used_count.get() >= S::depth(que) || word >= WORD_FULL {
            return self.enque_slow::<S>(que, record);
        }
        let id = self.take_lowest(event, word);
        let distance = core::ptr::from_ref(record).addr().wrapping_sub(que.first.get().addr());
        self.push::<S>(que, record, (distance >> 4) as u8, enqueued(event));
        record.enque_id.set(id);
        self.hooks.set_effect_fast(S::enque_set(que), i32::from(id));
        Ok(())
    }

    /// DeQue of a record that a type says was enqueued with [`enque_own`](Fwk::enque_own) in an in-place queue.
    #[inline(always)]
    pub(crate) fn deque_own_in_place<S: Shape>(&self, que: &TrQue, record: &TrRecord) {
        if self.kind::<S>(que) & NOTED != 0 {
            // It is enqueued, says its type.
            let _ = self.deque_in_place_slow::<S>(que, record);
            return;
        }
        self.hooks.wait_effect_fast(S::enque_wait(que), i32::from(record.enque_id.get()));
    }

    /// FreeTensor of a record that a type says is the queue's and in hand.
    ///
    /// # Errors
    /// [`FwkError::NoEventId`].
    #[inline(always)]
    pub(crate) fn free_own<S: Shape>(&self, que: &TrQue, record: &TrRecord) -> Checked {
        let (kind, event) = (self.kind::<S>(que), S::free_event(que));
        if kind == PLAIN_IN_PLACE {
            record.state.set(FREE);
            self.hooks.set_effect_fast(S::free_set(que), i32::from(record.free_id.get()));
            return Ok(());
        }
        let word = self.pipe.events[(event & 63) as usize].get();
        if kind != PLAIN || word >= WORD_FULL {
            return self.free_slow::<S>(que, record);
        }
        let id = self.take_lowest(event, word);
        record.state.set(FREE);
        record.free_id.set(id);
        que.buf_used_count.set(que.buf_used_count.get().wrapping_sub(1));
        self.hooks.set_effect_fast(S::free_set(que), i32::from(id));
        Ok(())
    }

    /// `TrQue::kind`, and [`NOTED`] if operations are reported.
    #[inline(always)]
    fn kind<S: Shape>(&self, que: &TrQue) -> u8 {
        if H::NOTES { S::kind(que) | que.kind.get() & NOTED } else { S::kind(que) }
    }

    /// Marks the records that are in a queue of a trusted shape as enqueued, so that Reset knows whose flags stay set.
    pub(crate) fn leave_marks(&self, que: &TrQue) {
        let mut slot = que.head.get();
        for _ in 0..que.used_count.get() {
            if let Some(record) = record_of(que, que.ring[(slot & 63) as usize].get()) {
                record.state.set(enqueued(que.enque_event.get()));
            }
            slot = next(slot, que.depth.get());
        }
    }

    #[cold]
    #[inline(never)]
    fn alloc_slow<S: Shape>(self, que: &TrQue) -> Option<&TrRecord> {
        self.alloc_full::<S>(que).ok()
    }

    #[cold]
    #[inline(never)]
    fn deque_slow<S: Shape>(self, que: &TrQue) -> Option<&TrRecord> {
        self.deque_full::<S>(que).ok()
    }

    /// Takes the lowest free id of a word below [`WORD_FULL`].
    #[inline(always)]
    fn take_lowest(&self, event: u8, word: u64) -> i8 {
        let id = word.trailing_ones();
        self.pipe.events[(event & 63) as usize].set(word | word.wrapping_add(1));
        self.hooks.observe_id(self.pipe, true, event_of(event), id as i32);
        id as i8
    }

    /// Gives an id back and waits for its flag. The word is written first, so that nothing is left to do after the wait.
    #[inline(always)]
    fn wait_and_give<S: Shape>(&self, event: u8, effect: Effect, id: i8) {
        let slot = &self.pipe.events[(event & 63) as usize];
        // After a Reset only a queue from before it can give a stale id back; types do not let such a queue exist.
        let bits = if S::TRUSTED { 1 } else { 1 | STALE_BIT };
        slot.set(slot.get() & !bits.wrapping_shl(id as u32));
        self.hooks.wait_effect_fast(effect, i32::from(id));
        self.hooks.observe_id(self.pipe, false, event_of(event), i32::from(id));
    }
}

impl<H: Hooks> Fwk<'_, H> {
    #[inline(always)]
    fn note(&self, op: QueOp, que: &TrQue, record: &TrRecord) {
        self.note_with(op, que.enque_event.get(), que, record);
    }

    #[inline(always)]
    fn note_with(&self, op: QueOp, event: u8, que: &TrQue, record: &TrRecord) {
        if que.kind.get() & NOTED != 0 {
            self.hooks.note_op(
                op,
                event_of(event),
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
    fn alloc_full<'q, S: Shape>(&self, que: &'q TrQue) -> Checked<&'q TrRecord> {
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
        if S::kind(que) == PLAIN {
            let id = record.free_id.get();
            if id >= 0 {
                self.hooks.wait_effect(S::free_wait(que), i32::from(id));
                self.give_id(S::free_event(que), id);
                record.free_id.set(NO_ID);
            }
            que.buf_used_count.set(que.buf_used_count.get().wrapping_add(1));
        } else {
            self.alloc_other::<S>(que, record)?;
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
    fn alloc_other<S: Shape>(&self, que: &TrQue, record: &TrRecord) -> Checked {
        let (kind, id) = (S::kind(que), record.free_id.get());
        if kind & IN_PLACE != 0 {
            if id < 0 {
                self.broken(Rule::misuse(FwkError::BadFlagId, name_of(que)), id as u64, 8)?;
            }
            self.hooks.wait_effect(S::free_wait(que), i32::from(id));
            return Ok(());
        }
        if kind & FREE_IDS != 0 && id >= 0 {
            if kind & LOOP != 0 {
                self.wait_loop(que, record)?;
            } else {
                self.hooks.wait_effect(S::free_wait(que), i32::from(id));
                self.give_id(S::free_event(que), id);
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
    #[cold]
    #[inline(never)]
    fn enque_slow<S: Shape>(self, que: &TrQue, handle: *const TrRecord) -> Checked {
        let (record, index) = self.owned(que, handle)?;
        let keep_free = self.check_enque_state(que, record)?;
        if S::kind(que) & IN_PLACE != 0 {
            self.hooks.set_effect(S::enque_set(que), i32::from(record.enque_id.get()));
            record.state.set(enqueued(S::enque_event(que)) & keep_free);
            self.note(QueOp::Enque, que, record);
            return Ok(());
        }
        self.check_vacant::<S>(que)?;
        let event = S::enque_event(que);
        if S::kind(que) & ENQUE_IDS != 0 {
            let id = self.take_id(event, name_of(que))?;
            self.push::<S>(que, record, index, enqueued(event) & keep_free);
            record.enque_id.set(id);
            self.note(QueOp::Enque, que, record);
            self.hooks.set_effect(S::enque_set(que), i32::from(id));
        } else {
            self.push::<S>(que, record, index, enqueued(event) & keep_free);
            self.note(QueOp::Enque, que, record);
        }
        Ok(())
    }

    /// `EnQue<src, dst>`: the event of that pair of positions, on every queue of depth > 0.
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
        self.check_vacant::<FromState>(que)?;
        let id = self.take_id(event as u8, name_of(que))?;
        self.push::<FromState>(que, record, index, enqueued(event as u8) & keep_free);
        record.enque_id.set(id);
        self.note_with(QueOp::Enque, event as u8, que, record);
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
    fn push<S: Shape>(&self, que: &TrQue, record: &TrRecord, index: u8, state: u8) {
        if S::TRUSTED && S::depth(que) == 1 {
            que.ring[0].set(index);
        } else {
            let tail = que.tail.get();
            que.ring[(tail & 63) as usize].set(index);
            que.tail.set(next(tail, S::depth(que)));
        }
        que.used_count.set(que.used_count.get().wrapping_add(1));
        // A trusted caller marks what is left in the queue when the queue goes, see `leave_marks`.
        if !S::TRUSTED {
            record.state.set(state);
        }
    }

    #[inline(always)]
    pub(crate) fn owned<'q>(&self, que: &'q TrQue, handle: *const TrRecord) -> Checked<(&'q TrRecord, u8)> {
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
    fn check_vacant<S: Shape>(&self, que: &TrQue) -> Checked {
        let (used, depth) = (que.used_count.get(), S::depth(que));
        if used < depth {
            return Ok(());
        }
        self.broken(Rule::misuse(FwkError::QueueFull, name_of(que)), u64::from(used) + 1, u64::from(depth))
    }

    /// DeQue of a queue with depth > 0: the oldest record.
    ///
    /// # Errors
    /// [`FwkError::QueueEmpty`], [`FwkError::NullHead`], [`FwkError::NotEnqueued`], [`FwkError::UserEventMismatch`].
    fn deque_full<'q, S: Shape>(&self, que: &'q TrQue) -> Checked<&'q TrRecord> {
        let event = S::enque_event(que);
        let (record, after) = self.peek_head::<S>(que, event)?;
        self.pop::<S>(que, record, after);
        let id = record.enque_id.get();
        if id >= 0 && S::kind(que) & ENQUE_IDS != 0 {
            self.hooks.wait_effect(S::enque_wait(que), i32::from(id));
            self.give_id(event, id);
            record.enque_id.set(NO_ID);
        }
        self.note(QueOp::Deque, que, record);
        Ok(record)
    }

    /// `DeQue<src, dst>`.
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
        let (record, after) = self.peek_head::<FromState>(que, event as u8)?;
        self.pop::<FromState>(que, record, after);
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
    fn peek_head<'q, S: Shape>(&self, que: &'q TrQue, event: u8) -> Checked<(&'q TrRecord, u8)> {
        let slot = que.ring[(que.head.get() & 63) as usize].get();
        let Some(record) = record_of(que, slot) else {
            return Err(self.no_head(que));
        };
        let enqueued = S::TRUSTED || record.state.get() == enqueued(event);
        if que.used_count.get() == 0 || !enqueued {
            self.bad_head(que, record, event)?;
            // Checks are off: the release build does not touch the state.
            let free = record.state.get() == FREE;
            return Ok((record, if free { FREE } else { DEQUE }));
        }
        Ok((record, DEQUE))
    }

    #[inline(always)]
    fn pop<S: Shape>(&self, que: &TrQue, record: &TrRecord, after: u8) {
        if !S::TRUSTED || S::depth(que) != 1 {
            que.head.set(next(que.head.get(), S::depth(que)));
        }
        que.used_count.set(que.used_count.get().wrapping_sub(1));
        if !S::TRUSTED {
            record.state.set(after);
        }
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
    #[cold]
    #[inline(never)]
    fn deque_in_place_slow<S: Shape>(self, que: &TrQue, handle: *const TrRecord) -> Checked {
        let (record, _) = self.owned(que, handle)?;
        let in_place = S::kind(que) & IN_PLACE != 0;
        self.check(in_place, Rule::hard(FwkError::BadArgument, name_of(que)), 0, u64::from(S::depth(que)))?;
        if record.state.get() != enqueued(S::enque_event(que)) {
            let rule = Rule::misuse(FwkError::NotEnqueued, name_of(que));
            self.broken(rule, u64::from(record.state.get() & 3), u64::from(ENQUE))?;
        }
        record.state.set(ENQUE_DONE);
        self.hooks.wait_effect(S::enque_wait(que), i32::from(record.enque_id.get()));
        self.note(QueOp::Deque, que, record);
        Ok(())
    }

    /// FreeTensor.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`], [`FwkError::AlreadyFree`], [`FwkError::FreeWhileEnqueued`],
    /// [`FwkError::NoEventId`]; on 2002 [`FwkError::FlagNeverWaited`].
    #[cold]
    #[inline(never)]
    fn free_slow<S: Shape>(self, que: &TrQue, handle: *const TrRecord) -> Checked {
        let (record, _) = self.owned(que, handle)?;
        let state = record.state.get();
        if state != OCCUPIED && state != DEQUE {
            self.check_free_state(que, state)?;
        }
        let kind = S::kind(que);
        if kind == PLAIN {
            let event = S::free_event(que);
            let id = self.take_id(event, name_of(que))?;
            record.state.set(FREE);
            record.free_id.set(id);
            que.buf_used_count.set(que.buf_used_count.get().wrapping_sub(1));
            self.note(QueOp::Free, que, record);
            self.hooks.set_effect(S::free_set(que), i32::from(id));
            return Ok(());
        }
        self.free_other::<S>(que, record)
    }

    #[inline(always)]
    fn free_other<S: Shape>(&self, que: &TrQue, record: &TrRecord) -> Checked {
        let (kind, event) = (S::kind(que), S::free_event(que));
        if kind & IN_PLACE != 0 {
            record.state.set(FREE);
            self.note(QueOp::Free, que, record);
            self.hooks.set_effect(S::free_set(que), i32::from(record.free_id.get()));
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
            let silent = S::free_set(que) == Effect::NONE;
            let rule = Rule::balance(FwkError::FlagNeverWaited, name_of(que));
            self.check(silent, rule, u64::from(event), 0)?;
            id = 0;
        }
        record.state.set(FREE);
        que.buf_used_count.set(que.buf_used_count.get().wrapping_sub(1));
        self.note(QueOp::Free, que, record);
        if id >= 0 {
            self.hooks.set_effect(S::free_set(que), i32::from(id));
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

    /// [`alloc_as`](Fwk::alloc_as) with all properties read from the queue.
    ///
    /// # Errors
    /// [`FwkError::NoFreeBuffer`], [`FwkError::NotInitialised`], [`FwkError::PoolGone`]; loop queues
    /// [`FwkError::LoopEvent`]; in-place queues [`FwkError::BadFlagId`].
    #[inline(always)]
    pub fn alloc<'q>(&self, que: &'q TrQue) -> Checked<&'q TrRecord> {
        self.alloc_as::<FromState>(que).ok_or_else(|| self.last_error())
    }

    /// [`enque_as`](Fwk::enque_as) with all properties read from the queue.
    ///
    /// # Errors
    /// As there.
    #[inline(always)]
    pub fn enque(&self, que: &TrQue, handle: *const TrRecord) -> Checked {
        self.enque_as::<FromState>(que, handle)
    }

    /// [`deque_as`](Fwk::deque_as) with all properties read from the queue.
    ///
    /// # Errors
    /// [`FwkError::QueueEmpty`], [`FwkError::NullHead`], [`FwkError::NotEnqueued`], [`FwkError::UserEventMismatch`].
    #[inline(always)]
    pub fn deque<'q>(&self, que: &'q TrQue) -> Checked<&'q TrRecord> {
        self.deque_as::<FromState>(que).ok_or_else(|| self.last_error())
    }

    /// [`deque_in_place_as`](Fwk::deque_in_place_as) with all properties read from the queue.
    ///
    /// # Errors
    /// As there.
    #[inline(always)]
    pub fn deque_in_place(&self, que: &TrQue, handle: *const TrRecord) -> Checked {
        self.deque_in_place_as::<FromState>(que, handle)
    }

    /// [`free_as`](Fwk::free_as) with all properties read from the queue.
    ///
    /// # Errors
    /// As there.
    #[inline(always)]
    pub fn free(&self, que: &TrQue, handle: *const TrRecord) -> Checked {
        self.free_as::<FromState>(que, handle)
    }
}
