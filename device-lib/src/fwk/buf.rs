//! TBuf: one record, no queue, no events.

use super::que::{fill_tensor, set_record};
use super::view::record_of_buf;
use super::{Checked, Fwk, Rule, memory_of, name_of, position_of, round_up};
use crate::hooks::{BufferOwner, Hooks, QueOp};
use toprope_abi::fwk::{FwkError, HardEvent, TPosition, Target, TrBuf, TrRecord, TrTensor};

/// Declares a TBuf for a core.
#[inline]
pub fn construct_buf(buf: &TrBuf, target: &Target, position: TPosition) {
    buf.record.set(core::ptr::null());
    buf.length_bytes.set(0);
    buf.offset_bytes.set(0);
    buf.position.set(position as u8);
    buf.memory.set(target.memory(position) as u8);
    buf.core.set(target.core as u8);
    for byte in &buf.reserved {
        byte.set(0);
    }
}

/// Bytes of `elements` elements of `bits` each (half a byte each for 4-bit types).
const fn bytes_of(elements: u32, bits: u32) -> u32 {
    if bits == 4 { elements / 2 } else { elements.wrapping_mul(bits / 8) }
}

/// Elements of `bits` each in `bytes`.
const fn elements_in(bytes: u32, bits: u32) -> u32 {
    match bits {
        4 => bytes.wrapping_mul(2),
        8 => bytes,
        16 => bytes / 2,
        32 => bytes / 4,
        _ => bytes / 8,
    }
}

impl<H: Hooks> Fwk<'_, H> {
    fn buf_record<'b>(&self, buf: &'b TrBuf) -> Checked<&'b TrRecord> {
        let Some(record) = record_of_buf(buf) else {
            let rule = Rule::hard(FwkError::NotInitialised, name_of(buf));
            return Err(self.broken(rule, 1, 0).err().unwrap_or(FwkError::NotInitialised));
        };
        Ok(record)
    }

    /// `Get<T>(elements)`.
    ///
    /// # Errors
    /// [`FwkError::ZeroLength`], [`FwkError::TBufUnaligned`], [`FwkError::TBufTooShort`], [`FwkError::NotInitialised`].
    pub fn buf_get(&self, buf: &TrBuf, elements: u32, bits: u32, out: &TrTensor) -> Checked {
        let record = self.buf_record(buf)?;
        let (bytes, length) = (bytes_of(elements, bits), buf.length_bytes.get());
        let rule = |error| Rule::misuse(error, name_of(buf)).in_memory(memory_of(buf.memory.get()));
        self.check(elements != 0, rule(FwkError::ZeroLength), 0, 1)?;
        self.check(bytes <= length, rule(FwkError::TBufTooShort), u64::from(bytes), u64::from(length))?;
        self.check(bytes.is_multiple_of(32), rule(FwkError::TBufUnaligned), u64::from(bytes), 32)?;
        record.length_bytes.set(bytes);
        self.fill_buf_tensor(buf, record, out);
        out.elements.set(elements_in(bytes, bits));
        Ok(())
    }

    /// `Get<T>()`: the whole TBuf.
    ///
    /// # Errors
    /// As [`buf_get`](Fwk::buf_get).
    pub fn buf_get_all(&self, buf: &TrBuf, bits: u32, out: &TrTensor) -> Checked {
        self.buf_get(buf, elements_in(buf.length_bytes.get(), bits), bits, out)
    }

    /// `GetWithOffset<T>(elements, offset)`: a 4-bit element counts as one byte here.
    ///
    /// # Errors
    /// [`FwkError::TBufOffsetBeyond`], [`FwkError::NotInitialised`].
    pub fn buf_get_with_offset(
        &self,
        buf: &TrBuf,
        elements: u32,
        bits: u32,
        offset_bytes: u32,
        out: &TrTensor,
    ) -> Checked {
        let record = self.buf_record(buf)?;
        let bytes = bytes_of(elements, if bits == 4 { 8 } else { bits });
        let (end, length) = (u64::from(offset_bytes) + u64::from(bytes), buf.length_bytes.get());
        let rule =
            Rule::misuse(FwkError::TBufOffsetBeyond, name_of(buf)).in_memory(memory_of(buf.memory.get()));
        self.check(end <= u64::from(length), rule, end, u64::from(length))?;
        record.length_bytes.set(bytes);
        self.fill_buf_tensor(buf, record, out);
        out.address_bytes.set(record.address_bytes.get().wrapping_add(offset_bytes));
        out.elements.set(elements_in(bytes, bits));
        Ok(())
    }

    fn fill_buf_tensor(&self, buf: &TrBuf, record: &TrRecord, out: &TrTensor) {
        fill_tensor(out, record, position_of(buf.position.get()), memory_of(buf.memory.get()));
        if H::NOTES && buf.reserved[0].get() == 0 && self.pipe.note_ops.get() != 0 {
            buf.reserved[0].set(1);
            let (address, length) = (record.address_bytes.get(), record.length_bytes.get());
            let memory = memory_of(buf.memory.get());
            self.hooks.note_op(QueOp::Alloc, HardEvent::Max, name_of(buf), memory, address, length);
        }
    }

    /// DeQue() of a TBuf: its record, at full length again.
    ///
    /// # Errors
    /// [`FwkError::NotInitialised`].
    pub fn buf_deque<'b>(&self, buf: &'b TrBuf) -> Checked<&'b TrRecord> {
        let record = self.buf_record(buf)?;
        record.length_bytes.set(buf.length_bytes.get());
        Ok(record)
    }

    /// GetBufferAddr: the record as it is.
    ///
    /// # Errors
    /// [`FwkError::NotInitialised`].
    pub fn buf_tensor(&self, buf: &TrBuf, out: &TrTensor) -> Checked {
        self.fill_buf_tensor(buf, self.buf_record(buf)?, out);
        Ok(())
    }

    /// GetState of a tensor of the TBuf; a tensor without record is free.
    ///
    /// # Errors
    /// [`FwkError::ForeignBuffer`].
    pub fn buf_state(&self, buf: &TrBuf, handle: *const TrRecord) -> Checked<u32> {
        match record_of_buf(buf) {
            _ if handle.is_null() => Ok(0),
            Some(record) if core::ptr::eq(record, handle) => Ok(u32::from(record.state.get() & 3)),
            _ => {
                let rule = Rule::hard(FwkError::ForeignBuffer, name_of(buf));
                self.broken(rule, handle.addr() as u64, buf.record.get().addr() as u64).map(|()| 0)
            }
        }
    }

    /// InitStartBufHandle of a TBuf: record and length as given.
    ///
    /// # Errors
    /// [`FwkError::TBufCount`].
    pub fn buf_init_start(&self, buf: &TrBuf, record: &TrRecord, num: u32, length_bytes: u32) -> Checked {
        let rule = Rule::misuse(FwkError::TBufCount, name_of(buf));
        self.check(num == 1, rule, u64::from(num), 1)?;
        buf.record.set(record);
        buf.length_bytes.set(length_bytes);
        buf.offset_bytes.set(0);
        Ok(())
    }

    /// InitBufHandle of a TBuf. The record's free event becomes that of a queue from the position to itself.
    ///
    /// # Errors
    /// [`FwkError::ZeroLength`].
    pub fn buf_init_handle(
        &self,
        buf: &TrBuf,
        record: &TrRecord,
        address_bytes: u32,
        length_bytes: u32,
    ) -> Checked {
        self.check(length_bytes != 0, Rule::misuse(FwkError::ZeroLength, name_of(buf)), 0, 1)?;
        let position = position_of(buf.position.get());
        let (_, free) = super::target_of(buf.core.get()).queue_events(position, position, 0);
        record.free_event.set(free as u8);
        let length = round_up(length_bytes);
        set_record(record, address_bytes, length);
        let memory = memory_of(buf.memory.get());
        self.note_buffer(BufferOwner::PlacedBuf, name_of(buf), memory, address_bytes, length, 1);
        Ok(())
    }
}
