//! Ownership: which queue, TBuf or pool each byte of a local memory belongs to, and how far each tensor has come.
//!
//! ```text
//!  device-lib ──hooks──▶ annotations ──▶ steps (protocol of queues, pools, TPipe) ──┐
//!  instructions, GetValue, SetValue ──▶ accesses (whose bytes, in which state) ─────┴──▶ findings TR07.., TR02..
//! ```
//! All of it comes from annotations, which `device-lib` sends through its hooks, so C++, Rust and Python kernels are judged
//! alike; a kernel that manages its memory itself sends none and is not judged.
//!
//! An access belongs to the buffer in which its operand starts. Bytes that several buffers share (pools that share memory, places
//! the kernel named, tensors made from an offset) may be used as long as one of them is in the kernel's hand.
//!
//! Tensors that a kernel makes from an address on top of such buffers are followed in `placed`.
//!
//! Not modelled: which handle an access came through. A stale handle to a buffer that was given out again is not told from the
//! new one; one TBuf used through the handle of another is not noticed.

mod accesses;
mod placed;
mod report;
mod slots;
mod steps;

use super::pipes::Frames;
use crate::findings::catalogue::Entry;
use slots::Slots;
use std::collections::HashSet;

/// What is known of a core's buffers.
#[derive(Debug, Default)]
pub struct Owners {
    slots: Slots,
    /// The TPipe that is alive: its address, and where it began.
    pipe: Option<(u64, Frames)>,
    /// What was reported in this block: the entry and the place.
    told: HashSet<(&'static str, u64, u64)>,
    /// Flags of tensors that a finding says were never dequeued: slots of the pipes, and the place of EnQue.
    told_flags: Vec<((usize, usize), u64)>,
}

impl Owners {
    /// A block begins.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.pipe = None;
        self.told.clear();
        self.told_flags.clear();
    }

    /// Whether a kernel has announced buffers.
    #[inline]
    pub fn are_known(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Whether a TPipe is alive.
    pub fn has_pipe(&self) -> bool {
        self.pipe.is_some()
    }

    /// Queues whose buffers were all used more than once: InitBuffer, name, number of buffers, pipes that fill and empty them.
    pub fn queues_in_turn(&self) -> impl Iterator<Item = (Frames, String, u32, (usize, usize))> + '_ {
        let first = |s: &&slots::Slot| s.is_queue && s.number.0 == 0 && s.number.1 > 1 && s.pipes != (0, 0);
        let again = |s: &&slots::Slot| {
            let mine = |o: &&slots::Slot| o.object == s.object && o.init == s.init;
            self.slots.all.iter().filter(mine).all(|o| o.allocations > 1)
        };
        let all = self.slots.all.iter().filter(first).filter(again);
        all.map(|s| (s.init, s.name(), s.number.1, s.pipes))
    }

    /// Whether this is the first finding of its kind at a place.
    fn is_news(&mut self, entry: &Entry, here: u64, pc: u64) -> bool {
        self.told.insert((entry.code, here, pc))
    }
}
