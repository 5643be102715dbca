//! TBufPool: a slice of UB or L1 with records of its own.

use super::que::{GONE, set_record, set_records};
use super::view::record_of_pool;
use super::{Checked, Fwk, Rule, event_of, memory_of, name_of, round_up};
use crate::hooks::{BufferOwner, Hooks};
use toprope_abi::fwk::{
    CHECK_MISUSE, FwkError, MemoryKind, POOL_RECORDS_MAX, TPosition, Target, TrBuf, TrBufPool, TrQue,
    TrRecord,
};

/// Declares a pool over `capacity` records from `records` on, which must outlive it.
///
/// # Errors
/// [`FwkError::PoolTooManyBuffers`] for more than 16, [`FwkError::UnknownPosition`] outside UB and L1.
#[inline(always)]
pub fn construct_pool(
    pool: &TrBufPool,
    target: &Target,
    position: TPosition,
    records: *const TrRecord,
    capacity: u32,
    custom: bool,
) -> Checked {
    let memory = target.memory(position);
    pool.records.set(records);
    pool.capacity.set(0);
    init_pool_object(pool);
    pool.position.set(position as u8);
    pool.memory.set(memory as u8);
    pool.core.set(target.core as u8);
    pool.custom.set(u8::from(custom));
    pool.reset_mark.set(1);
    if capacity > POOL_RECORDS_MAX as u32 {
        return Err(FwkError::PoolTooManyBuffers);
    }
    if !matches!(memory, MemoryKind::Ub | MemoryKind::L1) {
        return Err(FwkError::UnknownPosition);
    }
    pool.capacity.set(capacity);
    Ok(())
}

/// Init of a custom pool: no memory, no records in use.
pub fn init_pool_object(pool: &TrBufPool) {
    pool.start_bytes.set(0);
    pool.mark_bytes.set(0);
    pool.length_bytes.set(0);
    pool.count.set(0);
}

fn set_extent(pool: &TrBufPool, start: u32, length: u32) {
    pool.start_bytes.set(start);
    pool.mark_bytes.set(start);
    pool.length_bytes.set(length);
}

impl<H: Hooks> Fwk<'_, H> {
    /// InitBufPool(pool, len).
    ///
    /// # Errors
    /// As [`init_que`](Fwk::init_que) about lengths.
    pub fn init_pool(&self, pool: &TrBufPool, length_bytes: u32) -> Checked {
        let memory = memory_of(pool.memory.get());
        self.check_alive()?;
        self.check_fits(name_of(pool), memory, 1, length_bytes)?;
        let (at, length) = (self.mark(memory), round_up(length_bytes));
        set_extent(pool, at, length);
        self.set_mark(memory, at.wrapping_add(length));
        self.note_pool(pool);
        Ok(())
    }

    /// InitBufPool(pool, len, shared): the memory of `shared`, all of it.
    ///
    /// # Errors
    /// [`FwkError::ShareMemoryMismatch`], [`FwkError::ShareTooLong`].
    pub fn init_pool_shared(&self, pool: &TrBufPool, length_bytes: u32, shared: &TrBufPool) -> Checked {
        let rule = |error| Rule::misuse(error, name_of(pool)).in_memory(memory_of(pool.memory.get()));
        let (mine, theirs) = (pool.memory.get(), shared.memory.get());
        self.check(mine == theirs, rule(FwkError::ShareMemoryMismatch), u64::from(mine), u64::from(theirs))?;
        let (asked, held) = (u64::from(length_bytes), u64::from(shared.length_bytes.get()));
        self.check(asked <= held, rule(FwkError::ShareTooLong), asked, held)?;
        set_extent(pool, shared.start_bytes.get(), shared.length_bytes.get());
        self.note_pool(pool);
        Ok(())
    }

    /// InitBufPool(child, len) of a pool.
    ///
    /// # Errors
    /// [`FwkError::ZeroLength`], [`FwkError::PoolFull`], [`FwkError::PoolMemoryMismatch`].
    pub fn init_pool_in(&self, pool: &TrBufPool, child: &TrBufPool, length_bytes: u32) -> Checked {
        self.check_pool(pool, name_of(child), child.memory.get(), 0, length_bytes)?;
        let (at, length) = (pool.mark_bytes.get(), round_up(length_bytes));
        set_extent(child, at, length);
        pool.mark_bytes.set(at.wrapping_add(length));
        self.note_pool(child);
        Ok(())
    }

    fn note_pool(&self, pool: &TrBufPool) {
        let (at, length) = (pool.start_bytes.get(), pool.length_bytes.get());
        self.note_buffer(BufferOwner::Pool, name_of(pool), memory_of(pool.memory.get()), at, length, 1);
    }

    /// What every request to a pool must meet; `records` 0 asks for memory only.
    fn check_pool(
        &self,
        pool: &TrBufPool,
        name: u64,
        memory: u8,
        records: u32,
        length_bytes: u32,
    ) -> Checked {
        let rule = |error| Rule::misuse(error, name).in_memory(memory_of(pool.memory.get()));
        let (mine, theirs) = (u64::from(memory), u64::from(pool.memory.get()));
        self.check(mine == theirs, rule(FwkError::PoolMemoryMismatch), mine, theirs)?;
        self.check(length_bytes != 0, rule(FwkError::ZeroLength), 0, 1)?;
        let buffers = u64::from(if records == 0 { 1 } else { records });
        let asked = u64::from(length_bytes).next_multiple_of(32).wrapping_mul(buffers);
        let end = pool.start_bytes.get().wrapping_add(pool.length_bytes.get());
        let left = u64::from(end.saturating_sub(pool.mark_bytes.get()));
        self.check(asked <= left, rule(FwkError::PoolFull), asked, left)?;
        let used = u64::from(pool.count.get()) + u64::from(records);
        let rule = Rule::hard(FwkError::PoolTooManyBuffers, name);
        self.check(used <= u64::from(pool.capacity.get()), rule, used, u64::from(pool.capacity.get()))
    }

    /// InitBuffer(queue, num, len) from a pool. No ids, whatever the depth.
    ///
    /// # Errors
    /// [`FwkError::PoolFull`], [`FwkError::PoolTooManyBuffers`], [`FwkError::ZeroLength`],
    /// [`FwkError::PoolMemoryMismatch`], [`FwkError::BadBufferCount`], [`FwkError::InPlacePool`].
    pub fn pool_init_que(&self, pool: &TrBufPool, que: &TrQue, num: u32, length_bytes: u32) -> Checked {
        let rule = |error| Rule::misuse(error, name_of(que)).in_memory(memory_of(pool.memory.get()));
        self.check(num != 0, rule(FwkError::BadBufferCount), 0, u64::from(pool.capacity.get()))?;
        self.check(que.depth.get() != 0, rule(FwkError::InPlacePool), 0, 1)?;
        self.check_pool(pool, name_of(que), que.memory.get(), num, length_bytes)?;
        let (base, length) = (pool.count.get(), round_up(length_bytes));
        let Some(first) = record_of_pool(pool, base) else {
            return self.broken(rule(FwkError::BadBufferCount), 0, 0);
        };
        set_records(que, first, num);
        que.serial.set(0);
        self.set_noting(que);
        let first_address = pool.mark_bytes.get();
        for i in 0..num {
            let Some(record) = record_of_pool(pool, base.wrapping_add(i)) else { break };
            record.free_event.set(que.free_event.get());
            set_record(record, pool.mark_bytes.get(), length);
            pool.mark_bytes.set(pool.mark_bytes.get().wrapping_add(length));
        }
        pool.count.set(base.wrapping_add(num));
        let memory = memory_of(que.memory.get());
        self.note_buffer(BufferOwner::Que, name_of(que), memory, first_address, length, num);
        Ok(())
    }

    /// InitBuffer(tbuf, len) from a pool.
    ///
    /// # Errors
    /// As [`pool_init_que`](Fwk::pool_init_que).
    pub fn pool_init_buf(&self, pool: &TrBufPool, buf: &TrBuf, length_bytes: u32) -> Checked {
        self.check_pool(pool, name_of(buf), buf.memory.get(), 1, length_bytes)?;
        let (base, length) = (pool.count.get(), round_up(length_bytes));
        let Some(record) = record_of_pool(pool, base) else { return Ok(()) };
        let address = pool.mark_bytes.get();
        set_record(record, address, length);
        pool.mark_bytes.set(address.wrapping_add(length));
        pool.count.set(base.wrapping_add(1));
        self.note_buffer(BufferOwner::Buf, name_of(buf), memory_of(buf.memory.get()), address, length, 1);
        buf.reserved[0].set(0);
        buf.record.set(record);
        buf.length_bytes.set(length);
        buf.offset_bytes.set(0);
        Ok(())
    }

    fn pool_records<'p>(&self, pool: &'p TrBufPool) -> impl Iterator<Item = &'p TrRecord> {
        (0..pool.count.get()).map_while(move |i| record_of_pool(pool, i))
    }

    /// Reset: waits for the free flags, gives memory and records up. The ids stay taken in the pipe.
    ///
    /// # Errors
    /// [`FwkError::StaleEvent`] if the pipe was reset in between. The pool is reset all the same, because the flags
    /// are set and must be waited for.
    pub fn pool_reset(&self, pool: &TrBufPool) -> Checked {
        let mut result = Ok(());
        for record in self.pool_records(pool) {
            let id = record.free_id.get();
            if id < 0 {
                continue;
            }
            let event = record.free_event.get();
            let taken = self.pipe.events[(event & 63) as usize].get() >> (id as u32 & 63) & 1 != 0;
            let known = self.target().events & event_of(event).bit() != 0;
            let rule = Rule::misuse(FwkError::StaleEvent, name_of(pool));
            if let Err(error) = self.check(taken || !known, rule, id as u64, u64::from(event)) {
                result = Err(error);
            }
            self.drain(record);
        }
        let (at, length) = (pool.start_bytes.get(), pool.length_bytes.get());
        init_pool_object(pool);
        if length != 0 {
            self.hooks.note_pool_reset(name_of(pool), memory_of(pool.memory.get()), at, length);
        }
        result
    }

    /// Destructor: Reset; queues that still point into the pool are refused from now on.
    ///
    /// # Errors
    /// As [`pool_reset`](Fwk::pool_reset).
    pub fn pool_drop(&self, pool: &TrBufPool) -> Checked {
        let result = self.pool_reset(pool);
        if self.pipe.checks.get() & CHECK_MISUSE != 0 {
            for record in (0..pool.capacity.get()).map_while(|i| record_of_pool(pool, i)) {
                record.state.set(GONE);
            }
        }
        result
    }

    /// GetBufHandle(index) of a custom pool.
    ///
    /// # Errors
    /// [`FwkError::PoolTooManyBuffers`].
    pub fn pool_record<'p>(&self, pool: &'p TrBufPool, index: u32) -> Checked<&'p TrRecord> {
        match record_of_pool(pool, index) {
            Some(record) => Ok(record),
            None => {
                let rule = Rule::hard(FwkError::PoolTooManyBuffers, name_of(pool));
                let asked = u64::from(index) + 1;
                self.broken(rule, asked, u64::from(pool.capacity.get()))?;
                Err(FwkError::PoolTooManyBuffers)
            }
        }
    }

    /// InitStartBufHandle of a queue: `num` records from `record` on.
    ///
    /// # Errors
    /// [`FwkError::BadBufferCount`].
    pub fn que_init_start(&self, que: &TrQue, record: *const TrRecord, num: u32) -> Checked {
        let rule = Rule::hard(FwkError::BadBufferCount, name_of(que));
        let max = POOL_RECORDS_MAX as u32;
        self.check((1..=max).contains(&num), rule, u64::from(num), u64::from(max))?;
        set_records(que, record, num);
        que.serial.set(0);
        self.set_noting(que);
        Ok(())
    }

    /// InitBufHandle of a queue: writes one record.
    ///
    /// # Errors
    /// [`FwkError::ZeroLength`].
    pub fn que_init_handle(
        &self,
        que: &TrQue,
        record: &TrRecord,
        address_bytes: u32,
        length_bytes: u32,
    ) -> Checked {
        self.check(length_bytes != 0, Rule::misuse(FwkError::ZeroLength, name_of(que)), 0, 1)?;
        let length = round_up(length_bytes);
        record.free_event.set(que.free_event.get());
        set_record(record, address_bytes, length);
        let memory = memory_of(que.memory.get());
        self.note_buffer(BufferOwner::PlacedQue, name_of(que), memory, address_bytes, length, 1);
        Ok(())
    }
}
