//! What the buffers of a kernel need of each local memory, for the report: who, from where, how much, and the room there is.
//!
//! Taken of block 0 when it ends, per kind of core: what its last TPipe gave out, as the annotations of `device-lib` tell. A kernel that manages
//! its memory itself shows nothing. What did not fit is told by the finding (TR0204), with the same table.

use super::core::Core;
use toprope_abi::isa::{CoreKind, SPACES};

/// The buffers of one memory of one kind of core.
#[derive(Clone, Debug)]
pub struct MemoryDemand {
    /// `AIV` or `AIC`.
    pub core: &'static str,
    /// `UB`, `L1`, …
    pub memory: &'static str,
    /// Bytes there are.
    pub limit_bytes: u64,
    /// In the order in which they were asked for.
    pub buffers: Vec<BufferDemand>,
}

/// One buffer, or all buffers of a queue.
#[derive(Clone, Debug)]
pub struct BufferDemand {
    /// First byte, and the one behind the last.
    pub bytes: (u64, u64),
    /// What it is: `TQue<VECIN>, 2 x 1024`.
    pub name: String,
    /// Return addresses of InitBuffer.
    pub frames: Vec<u64>,
}

impl Core {
    /// What this core's buffers need; nothing but of block 0. Takes the notes of the buffers.
    pub(super) fn demand(&mut self) -> Vec<MemoryDemand> {
        if self.face.block_idx != 0 || self.buffers.is_empty() {
            return Vec::new();
        }
        let mut all: Vec<MemoryDemand> = Vec::new();
        for note in std::mem::take(&mut self.buffers) {
            let Some((space, memory)) = SPACES.get(note.space as usize).map(|s| (s.0, s.1)) else { continue };
            let buffer = BufferDemand {
                bytes: (note.offset, note.offset + note.bytes),
                name: note.name,
                frames: note.frames,
            };
            match all.iter_mut().find(|m| m.memory == memory) {
                Some(known) => known.buffers.push(buffer),
                None => all.push(MemoryDemand {
                    core: if self.kind == CoreKind::Aic { "AIC" } else { "AIV" },
                    memory,
                    limit_bytes: u64::from(self.region.bytes(space)),
                    buffers: vec![buffer],
                }),
            }
        }
        all
    }
}

/// Adds what another core needs, if it is not of a kind that is there.
pub fn add(all: &mut Vec<MemoryDemand>, more: Vec<MemoryDemand>) {
    let is_new = |m: &MemoryDemand| !all.iter().any(|known| known.core == m.core && known.memory == m.memory);
    let new: Vec<MemoryDemand> = more.into_iter().filter(is_new).collect();
    all.extend(new);
}
