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
//! Not modelled: which handle an access came through. A stale handle to a buffer that was given out again is not told from the
//! new one; one TBuf used through the handle of another is not noticed.

mod accesses;
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

    /// Whether there was a finding of this kind in the block.
    fn has_told(&self, entry: &Entry) -> bool {
        self.told.iter().any(|t| t.0 == entry.code)
    }

    /// Whether this is the first finding of its kind at a place.
    fn is_news(&mut self, entry: &Entry, here: u64, pc: u64) -> bool {
        self.told.insert((entry.code, here, pc))
    }
}
