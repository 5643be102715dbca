//! Spill buffer: UB data parked in GM, or on 2002 in L1.

use super::que::set_record;
use super::view::record_of_pipe;
use super::{Checked, Fwk, Rule, name_of};
use crate::hooks::{Hooks, SpillCopy};
use toprope_abi::fwk::{DATA_BLOCK_BYTES, FwkCore, FwkError, HardEvent, MemoryKind};

/// Shape of a spill copy, in 32-byte blocks, as `DataCopyParams`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpillShape {
    /// Number of runs.
    pub block_count: u32,
    /// Length of a run.
    pub block_len: u32,
    /// Gap at the source.
    pub src_stride: u32,
    /// Gap at the destination.
    pub dst_stride: u32,
}

impl<H: Hooks> Fwk<'_, H> {
    /// InitSpmBuffer in GM.
    pub fn spill_init_gm(&self, gm_address: u64, length_bytes: u32) {
        self.pipe.spill_address.set(gm_address);
        self.pipe.spill_length_bytes.set(length_bytes);
        self.pipe.spill_memory.set(MemoryKind::Gm as u32);
    }

    /// InitSpmBuffer in L1: one record of L1, 2002 only.
    ///
    /// # Errors
    /// [`FwkError::NotSupported`] on 2201; as [`init_que`](Fwk::init_que) about lengths.
    pub fn spill_init_l1(&self, length_bytes: u32) -> Checked {
        let name = name_of(self.pipe);
        let exists = matches!(self.target().core, FwkCore::Mix2002);
        self.check(exists, Rule::hard(FwkError::NotSupported, name), 0, 0)?;
        self.check_alive()?;
        self.check_fits(name, MemoryKind::L1, 1, length_bytes)?;
        let base = u32::from(self.pipe.count.get());
        let Some(record) = record_of_pipe(self.pipe, base) else {
            return self.broken(Rule::hard(FwkError::TooManyBuffers, name), u64::from(base) + 1, 64);
        };
        let at = self.mark(MemoryKind::L1);
        set_record(record, at, length_bytes);
        self.set_mark(MemoryKind::L1, at.wrapping_add(length_bytes));
        self.pipe.count.set(base.wrapping_add(1) as u8);
        self.pipe.spill_address.set(u64::from(at));
        self.pipe.spill_length_bytes.set(length_bytes);
        self.pipe.spill_memory.set(MemoryKind::L1 as u32);
        Ok(())
    }

    /// WriteSpmBuffer: UB to the spill buffer.
    ///
    /// # Errors
    /// [`FwkError::AddressBeyond`] past the end of the spill buffer; those of fetching event ids.
    pub fn spill_write(&self, ub_address_bytes: u32, shape: SpillShape, offset_bytes: u32) -> Checked {
        let in_l1 = self.pipe.spill_memory.get() == MemoryKind::L1 as u32;
        let back = if in_l1 { HardEvent::Mte3Mte1 } else { HardEvent::Mte3Mte2 };
        let before = [HardEvent::VMte3, HardEvent::Mte2Mte3];
        let after = [back, HardEvent::Mte3V];
        self.spill(true, ub_address_bytes, shape, offset_bytes, before.iter(), after.iter())
    }

    /// ReadSpmBuffer: the spill buffer to UB.
    ///
    /// # Errors
    /// As [`spill_write`](Fwk::spill_write).
    pub fn spill_read(&self, ub_address_bytes: u32, shape: SpillShape, offset_bytes: u32) -> Checked {
        if self.pipe.spill_memory.get() == MemoryKind::L1 as u32 {
            let (before, after) = ([HardEvent::VMte1], [HardEvent::Mte1V, HardEvent::Mte1Mte3]);
            self.spill(false, ub_address_bytes, shape, offset_bytes, before.iter(), after.iter())
        } else {
            let (before, after) = ([HardEvent::VMte2], [HardEvent::Mte2V, HardEvent::Mte2Mte3]);
            self.spill(false, ub_address_bytes, shape, offset_bytes, before.iter(), after.iter())
        }
    }

    fn spill<'e>(
        &self,
        write: bool,
        ub_address_bytes: u32,
        shape: SpillShape,
        offset_bytes: u32,
        before: core::slice::Iter<'e, HardEvent>,
        after: core::slice::Iter<'e, HardEvent>,
    ) -> Checked {
        let memory = if self.pipe.spill_memory.get() == MemoryKind::L1 as u32 {
            MemoryKind::L1
        } else {
            MemoryKind::Gm
        };
        let gap = if write { shape.dst_stride } else { shape.src_stride };
        let run = u64::from(shape.block_len) + u64::from(gap);
        let blocks = run.wrapping_mul(u64::from(shape.block_count)).saturating_sub(u64::from(gap));
        let end = u64::from(offset_bytes).wrapping_add(blocks.wrapping_mul(u64::from(DATA_BLOCK_BYTES)));
        let length = u64::from(self.pipe.spill_length_bytes.get());
        let rule = Rule::misuse(FwkError::AddressBeyond, name_of(self.pipe)).in_memory(memory);
        self.check(end <= length, rule, end, length)?;
        for event in before.clone().chain(after.clone()) {
            self.peek_id(*event as u8, name_of(self.pipe))?;
        }
        self.spill_sync(before)?;
        self.hooks.spill_copy(SpillCopy {
            write,
            memory,
            address: self.pipe.spill_address.get().wrapping_add(u64::from(offset_bytes)),
            ub_address_bytes,
            block_count: shape.block_count,
            block_len: shape.block_len,
            src_stride: shape.src_stride,
            dst_stride: shape.dst_stride,
        });
        self.spill_sync(after)
    }

    /// Sets and waits for each event with an id that is free now; nothing is taken.
    fn spill_sync(&self, events: core::slice::Iter<'_, HardEvent>) -> Checked {
        let target = self.target();
        for event in events {
            let id = i32::from(self.peek_id(*event as u8, name_of(self.pipe))?);
            self.hooks.set_effect(target.set_effect(*event), id);
            self.hooks.wait_effect(target.wait_effect(*event), id);
        }
        Ok(())
    }
}
