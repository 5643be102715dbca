//! Sides of conflicts in words.

use super::Visit;
use crate::findings::{DraftSide, Side};
use crate::npu::core::Core;
use std::ops::Range;
use toprope_abi::isa::{SPACES, Space};

impl Core {
    /// One side of a conflict on this core: `at` `writes` (else reads) `bytes`, counted from the start of memory `space`.
    pub(crate) fn side(
        &self,
        at: Visit,
        writes: bool,
        space: Space,
        bytes: Range<u64>,
        owner: String,
    ) -> DraftSide {
        let site = self.sites.get(at.site);
        let verb = if writes { "writes" } else { "reads" };
        DraftSide {
            side: Side {
                what: format!("{} {verb}", site.op),
                pipe: Core::pipe_name(site.slot),
                memory: SPACES[space as usize].1,
                first_byte: bytes.start,
                end_byte: bytes.end,
                owner,
                iteration: u64::from(at.iteration),
                core: self.core_name(),
                block: self.face.block_idx,
                place: None,
            },
            frames: site.frames(),
            op: Some(site.op),
        }
    }

    /// The buffer that holds a byte of a local memory: `buffer inQueueX`, or `buffer of MEMORY at OFFSET`; empty if none
    /// was announced.
    pub(crate) fn owner_of(&self, space: Space, byte: u64) -> String {
        let holds = |b: &&crate::npu::core::BufferNote| {
            b.space == space as u64 && (b.offset..b.offset + b.bytes).contains(&byte)
        };
        match self.buffers.iter().rev().find(holds) {
            Some(b) if b.name.is_empty() => format!("the buffer at {:#x}", b.offset),
            Some(b) => format!("buffer {}", b.name),
            None => String::new(),
        }
    }
}
