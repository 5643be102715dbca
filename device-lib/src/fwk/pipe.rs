//! The pipe: life cycle, InitBuffer, event ids, shared window, stack buffer.

use super::que::{is_enqueued, is_live_in_place, set_record, set_records};
use super::view::record_of_pipe;
use super::{Checked, Fwk, Rule, STALE_BIT, event_of, memory_of, name_of, round_up};
use crate::hooks::{BufferNote, BufferOwner, Hooks, PipeEvent};
use toprope_abi::fwk::target::Effect;
use toprope_abi::fwk::{
    CHECK_FLAG_BALANCE, CHECK_NOTES, EVENT_IDS, FwkCore, FwkError, HardEvent, MemoryKind, PIPE_RECORDS,
    TPosition, TrAddrLen, TrBuf, TrPipe, TrQue, TrRecord, TrTensor,
};
use toprope_abi::isa::Pipe;

/// No shared window recorded.
const NO_WINDOW: u32 = u32::MAX;
const RECORDS: u32 = PIPE_RECORDS as u32;

/// Constructs a pipe: registers, then Init.
///
/// # Errors
/// [`FwkError::PipeExists`]; the new pipe then counts as destroyed and the other one stays current.
pub fn construct_pipe<H: Hooks>(pipe: &TrPipe, hooks: &H, core: FwkCore, checks: u32) -> Checked {
    pipe.core.set(core as u8);
    pipe.checks.set(checks);
    pipe.note_ops.set(u8::from(checks & CHECK_NOTES != 0));
    pipe.destroyed.set(1);
    pipe.count.set(0);
    pipe.error.set(0);
    pipe.error_count.set(0);
    pipe.last_error.set(0);
    pipe.error_asked.set(0);
    pipe.error_limit.set(0);
    pipe.spill_address.set(0);
    pipe.spill_length_bytes.set(0);
    pipe.spill_memory.set(0);
    for length in &pipe.share_length_bytes {
        length.set(0);
    }
    let fwk = Fwk { pipe, hooks };
    fwk.check_no_other_pipe()?;
    fwk.set_registers();
    fwk.init()
}

impl<H: Hooks> Fwk<'_, H> {
    fn check_no_other_pipe(&self) -> Checked {
        let live = self.hooks.live_pipe();
        let rule = Rule::misuse(FwkError::PipeExists, name_of(self.pipe));
        self.check(live.is_null(), rule, name_of(self.pipe), live.addr() as u64)
    }

    fn set_registers(&self) {
        self.hooks.set_atomic_none();
        match self.target().core {
            FwkCore::Aic2201 => {
                self.hooks.set_mask_norm();
                self.hooks.set_l1_3d_size(0);
                self.hooks.set_padding(0);
            }
            FwkCore::Aiv2201 => {
                self.hooks.set_mask_norm();
                self.hooks.set_vector_mask(u64::MAX, u64::MAX);
            }
            FwkCore::Mix2002 => {}
        }
    }

    /// Marks, ids, records and shared windows as at the start.
    fn clear(&self, event: PipeEvent) {
        let target = self.target();
        self.pipe.tscm_mark_bytes.set(target.tscm_top);
        self.pipe.count.set(0);
        for mark in &self.pipe.marks_bytes {
            mark.set(0);
        }
        for (event, word) in self.pipe.events.iter().enumerate() {
            let known = event < HardEvent::Max as usize && target.events >> (event & 63) & 1 != 0;
            word.set(if known { 0 } else { u64::MAX });
        }
        for start in &self.pipe.share_start_bytes {
            start.set(NO_WINDOW);
        }
        self.pipe.serial.set(self.hooks.next_serial());
        self.hooks.note_pipe(event, self.pipe);
    }

    /// Init: for a pipe that was destroyed, or has just been constructed.
    ///
    /// # Errors
    /// [`FwkError::PipeExists`].
    pub fn init(&self) -> Checked {
        self.check_no_other_pipe()?;
        self.clear(PipeEvent::Begin);
        let event = HardEvent::MMte1;
        for _ in 0..self.target().reserved_m_mte1 {
            let id = self.take_id(event as u8, name_of(self.pipe))?;
            self.hooks.set_effect(self.target().set_effect(event), i32::from(id));
        }
        self.hooks.set_pipe_ptr(self.pipe);
        self.hooks.set_live_pipe(self.pipe);
        self.pipe.destroyed.set(0);
        Ok(())
    }

    /// Waits for the free flag of every free record in order. The ids stay taken.
    fn drain_records(&self) {
        for record in self.records() {
            if record.free_id.get() >= 0 && record.state.get() == 0 {
                self.drain(record);
            }
        }
    }

    fn records(&self) -> impl Iterator<Item = &TrRecord> {
        self.pipe.records.iter().take(self.pipe.count.get() as usize)
    }

    /// Reset: drains, sets up registers, clears. Does not take the ids that Init takes on the cube core. Flags of tensors
    /// that are still enqueued stay set; taking their ids again is refused ([`FwkError::FlagStillSet`]).
    pub fn reset(&self) {
        self.drain_records();
        self.set_registers();
        let count = self.pipe.count.get();
        self.clear(PipeEvent::Reset);
        if self.pipe.checks.get() & CHECK_FLAG_BALANCE == 0 {
            return;
        }
        for record in self.pipe.records.iter().take(count as usize).filter(|r| is_enqueued(r.state.get())) {
            let (event, id) = (record.state.get() >> 2, record.enque_id.get());
            let silent = self.target().set_effect(event_of(event)) == Effect::NONE;
            if (0..EVENT_IDS as i8).contains(&id) && !silent {
                let word = &self.pipe.events[(event & 63) as usize];
                word.set(word.get() | STALE_BIT.wrapping_shl(id as u32));
            }
        }
    }

    /// DestroyWithoutPipeAll.
    pub fn destroy_without_pipe_all(&self) {
        self.pipe.destroyed.set(1);
        self.drain_records();
        let event = HardEvent::MMte1;
        for id in 0..self.target().reserved_m_mte1 as i8 {
            self.hooks.wait_effect(self.target().wait_effect(event), i32::from(id));
            self.give_id(event as u8, id);
        }
        if core::ptr::eq(self.hooks.live_pipe(), self.pipe) {
            self.hooks.set_live_pipe(core::ptr::null());
        }
        self.hooks.note_pipe(PipeEvent::End, self.pipe);
    }

    /// Destroy.
    pub fn destroy(&self) {
        self.destroy_without_pipe_all();
        self.hooks.barrier(Pipe::All);
        if matches!(self.target().core, FwkCore::Mix2002) {
            self.hooks.dcci();
        }
    }

    /// Destructor: Destroy unless destroyed.
    pub fn drop_pipe(&self) {
        if self.pipe.destroyed.get() == 0 {
            self.destroy();
        }
    }

    /// InitBuffer(queue, num, len).
    ///
    /// # Errors
    /// What does not fit or contradicts the queue's declaration: `MemoryFull`, `TooManyBuffers`, `BadBufferCount`,
    /// `BadLength`, `BadTotalLength`, `L1HitsTscm`, `TscmHitsL1`, `ConfigCount`, `ConfigLength`, `MemoryIsGm`,
    /// `InPlacePool`, `QueueLive`, `PipeDestroyed`, and those of taking event ids.
    pub fn init_que(&self, que: &TrQue, num: u32, length_bytes: u32) -> Checked {
        let memory = memory_of(que.memory.get());
        let rule = |error| Rule::misuse(error, name_of(que)).in_memory(memory);
        self.check_que(que, num)?;
        let config_length = que.config_length_bytes.get();
        let same = config_length == 0 || config_length == length_bytes;
        self.check(same, rule(FwkError::ConfigLength), u64::from(length_bytes), u64::from(config_length))?;
        let length = round_up(length_bytes);
        let first_address = if que.dst.get() == TPosition::Tscm as u8 {
            self.reserve_tscm(que, num, length_bytes)?
        } else {
            self.check_fits(name_of(que), memory, num, length_bytes)?;
            let at = self.mark(memory);
            self.set_mark(memory, at.wrapping_add(num.wrapping_mul(length)));
            at
        };
        let at = |i: u32| (first_address.wrapping_add(i.wrapping_mul(length)), length);
        self.give_records(que, num, at)?;
        self.note_buffer(BufferOwner::Que, name_of(que), memory, first_address, length, num);
        Ok(())
    }

    /// InitBuffer(queue, (addr, len)...): no rounding, no mark moves.
    ///
    /// # Errors
    /// `AddressBeyond`, `NotSupported` for TSCM, and those of [`init_que`](Fwk::init_que) about counts and ids.
    pub fn init_que_addrs(&self, que: &TrQue, list: &[TrAddrLen]) -> Checked {
        let (num, memory) = (list.len() as u32, memory_of(que.memory.get()));
        let rule = |error| Rule::misuse(error, name_of(que)).in_memory(memory);
        self.check_que(que, num)?;
        let tscm = que.dst.get() == TPosition::Tscm as u8;
        self.check(!tscm, Rule::hard(FwkError::NotSupported, name_of(que)), 0, 0)?;
        let size = u64::from(self.target().memory_bytes(memory));
        for buffer in list {
            let end = u64::from(buffer.address_bytes) + u64::from(buffer.length_bytes);
            self.check(end <= size, rule(FwkError::AddressBeyond), end, size)?;
        }
        let at = |i: u32| list.get(i as usize).map_or((0, 0), |b| (b.address_bytes, b.length_bytes));
        self.give_records(que, num, at)?;
        for buffer in list {
            let (address, length) = (buffer.address_bytes, buffer.length_bytes);
            self.note_buffer(BufferOwner::PlacedQue, name_of(que), memory, address, length, 1);
        }
        Ok(())
    }

    /// What is checked of a queue before any InitBuffer of a pipe.
    fn check_que(&self, que: &TrQue, num: u32) -> Checked {
        let (name, memory) = (name_of(que), memory_of(que.memory.get()));
        let rule = |error| Rule::misuse(error, name).in_memory(memory);
        self.check_alive()?;
        let in_gm = matches!(memory, MemoryKind::Gm);
        self.check(!in_gm, rule(FwkError::MemoryIsGm), 0, 0)?;
        let config_num = u32::from(que.config_num.get());
        let same = config_num == 0 || config_num == num;
        self.check(same, rule(FwkError::ConfigCount), u64::from(num), u64::from(config_num))?;
        self.check(num != 0, rule(FwkError::BadBufferCount), 0, u64::from(RECORDS))?;
        let too_many = Rule::hard(FwkError::BadBufferCount, name);
        self.check(num <= RECORDS, too_many, u64::from(num), u64::from(RECORDS))?;
        let total = u32::from(self.pipe.count.get()).wrapping_add(num);
        let too_many = Rule::hard(FwkError::TooManyBuffers, name);
        self.check(total <= RECORDS, too_many, u64::from(total), u64::from(RECORDS))?;
        if que.depth.get() != 0 {
            return Ok(());
        }
        let tscm = que.dst.get() == TPosition::Tscm as u8;
        self.check(!tscm, rule(FwkError::InPlacePool), 0, 0)?;
        self.check(!is_live_in_place(self, que), rule(FwkError::QueueLive), 0, 0)?;
        self.check_ids(que.enque_event.get(), num, name)?;
        self.check_ids(que.free_event.get(), num, name)
    }

    /// Whether `num` ids of a class can be taken.
    fn check_ids(&self, event: u8, num: u32, name: u64) -> Checked {
        let word = self.pipe.events[(event & 63) as usize].get();
        if word == u64::MAX {
            return self.peek_id(event, name).map(|_| ());
        }
        let free = (!word & 0xff).count_ones();
        let rule = Rule::misuse(FwkError::NoEventId, name);
        self.check(num <= free, rule, u64::from(num), u64::from(free))?;
        let rule = Rule::hard(FwkError::NoEventId, name);
        self.check(num <= (!word).count_ones(), rule, u64::from(num), u64::from(EVENT_IDS))
    }

    pub(crate) fn check_alive(&self) -> Checked {
        let alive = self.pipe.destroyed.get() == 0;
        self.check(alive, Rule::misuse(FwkError::PipeDestroyed, name_of(self.pipe)), 1, 0)
    }

    /// Whether `num` buffers fit behind the mark of a memory.
    pub(crate) fn check_fits(&self, name: u64, memory: MemoryKind, num: u32, length_bytes: u32) -> Checked {
        let rule = |error| Rule::misuse(error, name).in_memory(memory);
        let size = u64::from(self.target().memory_bytes(memory));
        let length = u64::from(length_bytes).next_multiple_of(32);
        let ok = length_bytes != 0 && length <= size;
        self.check(ok, rule(FwkError::BadLength), u64::from(length_bytes), size)?;
        let total = length.wrapping_mul(u64::from(num));
        self.check(total <= size, rule(FwkError::BadTotalLength), total, size)?;
        let end = u64::from(self.mark(memory)).wrapping_add(total);
        if matches!(memory, MemoryKind::L1) {
            let top = u64::from(self.pipe.tscm_mark_bytes.get());
            self.check(end <= top, rule(FwkError::L1HitsTscm), end, top)?;
        }
        self.check(end <= size, rule(FwkError::MemoryFull), end, size)
    }

    /// Memory for a TSCM queue, from the top of L1 down. The address of the first record.
    fn reserve_tscm(&self, que: &TrQue, num: u32, length_bytes: u32) -> Checked<u32> {
        let rule = |error| Rule::misuse(error, name_of(que)).in_memory(MemoryKind::L1);
        let group = que.config.get() & toprope_abi::fwk::QUE_SCM_BLOCK_GROUP != 0;
        let per_sub_block = matches!(self.target().core, FwkCore::Aiv2201) && !group;
        let (ratio, sub) =
            if per_sub_block { (self.hooks.sub_block_num(), self.hooks.sub_block_idx()) } else { (1, 0) };
        self.check(length_bytes != 0, rule(FwkError::ZeroLength), 0, 1)?;
        let size = u64::from(self.target().memory_bytes(MemoryKind::L1));
        let asked = u64::from(num).wrapping_mul(u64::from(length_bytes));
        self.check(asked < size, rule(FwkError::TscmTooLarge), asked, size)?;
        let total = num.wrapping_mul(round_up(length_bytes));
        let mark = self.pipe.tscm_mark_bytes.get();
        let below = u64::from(ratio).wrapping_mul(u64::from(total));
        let room = u64::from(mark.saturating_sub(self.mark(MemoryKind::L1)));
        self.check(below <= room, rule(FwkError::TscmHitsL1), below, room)?;
        self.pipe.tscm_mark_bytes.set(mark.wrapping_sub(ratio.wrapping_mul(total)));
        Ok(mark.wrapping_sub(ratio.wrapping_sub(sub).wrapping_mul(total)))
    }

    /// Sets up the next `num` records of the pipe for a queue; in-place queues get their ids and set the free flag.
    fn give_records(&self, que: &TrQue, num: u32, at: impl Fn(u32) -> (u32, u32)) -> Checked {
        let base = u32::from(self.pipe.count.get());
        if let Some(first) = record_of_pipe(self.pipe, base) {
            set_records(que, first, num);
        }
        que.serial.set(self.pipe.serial.get());
        self.set_noting(que);
        for i in 0..num {
            let Some(record) = record_of_pipe(self.pipe, base.wrapping_add(i)) else { break };
            let (address, length) = at(i);
            record.free_event.set(que.free_event.get());
            set_record(record, address, length);
            if que.depth.get() == 0 {
                record.enque_id.set(self.take_id(que.enque_event.get(), name_of(que))?);
                let id = self.take_id(que.free_event.get(), name_of(que))?;
                record.free_id.set(id);
                let event = event_of(que.free_event.get());
                self.hooks.set_effect(self.target().set_effect(event), i32::from(id));
            }
        }
        self.pipe.count.set(base.wrapping_add(num) as u8);
        Ok(())
    }

    pub(crate) fn note_buffer(
        &self,
        owner: BufferOwner,
        object: u64,
        memory: MemoryKind,
        address_bytes: u32,
        length_bytes: u32,
        num: u32,
    ) {
        self.hooks.note_buffer(BufferNote { owner, object, memory, address_bytes, length_bytes, num });
    }

    /// InitBuffer(tbuf, len).
    ///
    /// # Errors
    /// As [`init_que`](Fwk::init_que), and `UnknownPosition`.
    pub fn init_buf(&self, buf: &TrBuf, length_bytes: u32) -> Checked {
        let (name, memory) = (name_of(buf), memory_of(buf.memory.get()));
        self.check_alive()?;
        let known = buf.position.get() != TPosition::Spm as u8;
        let rule = Rule::misuse(FwkError::UnknownPosition, name).in_memory(memory);
        self.check(known, rule, u64::from(buf.position.get()), 0)?;
        self.check(memory as u8 != 0, Rule::misuse(FwkError::MemoryIsGm, name), 0, 0)?;
        self.check_fits(name, memory, 1, length_bytes)?;
        let base = u32::from(self.pipe.count.get());
        let Some(record) = record_of_pipe(self.pipe, base) else {
            let rule = Rule::hard(FwkError::TooManyBuffers, name);
            return self.broken(rule, u64::from(base) + 1, u64::from(RECORDS));
        };
        let (at, length) = (self.mark(memory), round_up(length_bytes));
        set_record(record, at, length);
        self.set_mark(memory, at.wrapping_add(length));
        self.pipe.count.set(base.wrapping_add(1) as u8);
        buf.record.set(record);
        buf.length_bytes.set(length);
        buf.offset_bytes.set(0);
        buf.reserved[0].set(0);
        self.note_buffer(BufferOwner::Buf, name, memory, at, length, 1);
        Ok(())
    }

    fn known_event(&self, event: u32) -> Checked<HardEvent> {
        let event = HardEvent::from_number(event).unwrap_or(HardEvent::Max);
        let exists = !matches!(event, HardEvent::Max);
        self.check(exists, Rule::hard(FwkError::NoSuchEvent, name_of(self.pipe)), event as u64, 35)?;
        Ok(event)
    }

    /// AllocEventID.
    ///
    /// # Errors
    /// [`FwkError::NoEventId`], [`FwkError::EventNotOnCore`], [`FwkError::NoSuchEvent`].
    pub fn alloc_event_id(&self, event: u32) -> Checked<i8> {
        self.take_id(self.known_event(event)? as u8, name_of(self.pipe))
    }

    /// FetchEventID.
    ///
    /// # Errors
    /// As [`alloc_event_id`](Fwk::alloc_event_id).
    pub fn fetch_event_id(&self, event: u32) -> Checked<i8> {
        self.peek_id(self.known_event(event)? as u8, name_of(self.pipe))
    }

    /// ReleaseEventID.
    ///
    /// # Errors
    /// [`FwkError::BadEventId`], [`FwkError::EventNotOnCore`], [`FwkError::NoSuchEvent`].
    pub fn release_event_id(&self, event: u32, id: i32) -> Checked {
        let event = self.known_event(event)?;
        let on_core = self.target().events & event.bit() != 0;
        self.check(on_core, Rule::hard(FwkError::EventNotOnCore, name_of(self.pipe)), event as u64, 0)?;
        let ok = (0..EVENT_IDS as i32).contains(&id);
        let rule = Rule::misuse(FwkError::BadEventId, name_of(self.pipe));
        self.check(ok, rule, id as u64, u64::from(EVENT_IDS))?;
        self.give_id(event as u8, id as i8);
        Ok(())
    }

    /// GetAbsAddr: a tensor without record.
    ///
    /// # Errors
    /// [`FwkError::AddressBeyond`].
    pub fn abs_addr(
        &self,
        position: TPosition,
        address_bytes: u32,
        length_bytes: u32,
        out: &TrTensor,
    ) -> Checked {
        let memory = self.target().memory(position);
        let size = u64::from(self.target().memory_bytes(memory));
        let end = u64::from(address_bytes) + u64::from(length_bytes);
        let rule = Rule::misuse(FwkError::AddressBeyond, name_of(self.pipe)).in_memory(memory);
        self.check(end <= size, rule, end, size)?;
        set_loose_tensor(out, position, memory, address_bytes, length_bytes);
        Ok(())
    }

    /// PopStackBuffer(tensor): all of UB behind the mark.
    ///
    /// # Errors
    /// [`FwkError::NotUb`], [`FwkError::MemoryFull`].
    pub fn pop_stack_tensor(&self, position: TPosition, out: &TrTensor) -> Checked {
        let (at, length) = self.stack_buffer(self.target().memory(position), name_of(self.pipe))?;
        set_loose_tensor(out, position, MemoryKind::Ub, at, length);
        Ok(())
    }

    /// PopStackBuffer(tbuf, record).
    ///
    /// # Errors
    /// As [`pop_stack_tensor`](Fwk::pop_stack_tensor).
    pub fn pop_stack_buf(&self, buf: &TrBuf, record: &TrRecord) -> Checked {
        let (at, length) = self.stack_buffer(memory_of(buf.memory.get()), name_of(buf))?;
        record.address_bytes.set(at);
        record.length_bytes.set(length);
        buf.record.set(record);
        buf.length_bytes.set(length);
        buf.offset_bytes.set(0);
        Ok(())
    }

    fn stack_buffer(&self, memory: MemoryKind, name: u64) -> Checked<(u32, u32)> {
        let rule = |error| Rule::misuse(error, name).in_memory(memory);
        self.check(
            matches!(memory, MemoryKind::Ub),
            rule(FwkError::NotUb),
            memory as u64,
            MemoryKind::Ub as u64,
        )?;
        let (at, end) = (self.mark(MemoryKind::Ub), self.target().stack_buffer_end);
        self.check(at <= end, rule(FwkError::MemoryFull), u64::from(at), u64::from(end))?;
        Ok((at, end.wrapping_sub(at)))
    }

    /// InitShareBufStart: lengths of the window in L1, L0C and (2002 only) UB.
    ///
    /// # Errors
    /// [`FwkError::BadSubBlock`], [`FwkError::ShareWindow`].
    pub fn share_start(&self, mode: u32, lengths_bytes: [u32; 3], sub_block: u32) -> Checked {
        let name = name_of(self.pipe);
        self.check(sub_block <= 1, Rule::misuse(FwkError::BadSubBlock, name), u64::from(sub_block), 1)?;
        let [l1, l0c, ub] = lengths_bytes;
        let lengths_bytes = [(0, l1), (1, l0c), (2, ub)];
        for (n, length) in lengths_bytes {
            let Some((memory, start, _, recorded)) = self.window(n) else { continue };
            // On the vector core the window is only mirrored from the cube core, which checks it.
            let mirrored = matches!(self.target().core, FwkCore::Aiv2201);
            let fits = mirrored || start.get() == NO_WINDOW || length <= recorded.get();
            let rule = Rule::misuse(FwkError::ShareWindow, name).in_memory(memory);
            self.check(fits, rule, u64::from(length), u64::from(recorded.get()))?;
        }
        for (n, length) in lengths_bytes {
            let Some((memory, start, limit, recorded)) = self.window(n) else { continue };
            let mark = self.mark(memory);
            if start.get() == NO_WINDOW {
                start.set(mark);
                recorded.set(length);
                limit.set(mark.wrapping_add(length));
            } else {
                limit.set(mark);
            }
            let half = if mode == 1 && sub_block == 1 { length / 2 } else { 0 };
            self.set_mark(memory, start.get().wrapping_add(half));
        }
        self.set_mark(MemoryKind::L0a, 0);
        self.set_mark(MemoryKind::L0b, 0);
        self.set_mark(MemoryKind::Bias, 0);
        Ok(())
    }

    /// InitShareBufEnd.
    pub fn share_end(&self) {
        for n in 0..3 {
            if let Some((memory, _, limit, _)) = self.window(n) {
                self.set_mark(memory, limit.get());
            }
        }
    }

    /// Memory, start, limit and recorded length of window `n` (L1, L0C, UB), if this core has it. One at a time: an array of them would be
    /// a table in memory.
    #[inline(always)]
    fn window(&self, n: usize) -> Option<Window<'_>> {
        let TrPipe { share_start_bytes, share_limit_bytes, share_length_bytes, .. } = self.pipe;
        let ([s0, s1, s2, ..], [l0, l1, l2, ..], [n0, n1, n2, ..]) =
            (share_start_bytes, share_limit_bytes, share_length_bytes);
        match n {
            0 => Some((MemoryKind::L1, s0, l0, n0)),
            1 => Some((MemoryKind::L0c, s1, l1, n1)),
            2 if matches!(self.target().core, FwkCore::Mix2002) => Some((MemoryKind::Ub, s2, l2, n2)),
            _ => None,
        }
    }
}

type Window<'a> =
    (MemoryKind, &'a core::cell::Cell<u32>, &'a core::cell::Cell<u32>, &'a core::cell::Cell<u32>);

fn set_loose_tensor(out: &TrTensor, position: TPosition, memory: MemoryKind, address: u32, length: u32) {
    out.record.set(core::ptr::null());
    out.address_bytes.set(address);
    out.length_bytes.set(length);
    out.position.set(position as u8);
    out.memory.set(memory as u8);
    out.elements.set(0);
}
