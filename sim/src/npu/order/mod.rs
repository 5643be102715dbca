//! Order: which accesses of a kernel are ordered by its flags and barriers, and which only happened in this order today.
//!
//! Each pipe is a thread with a vector clock (`clocks`); flags, barriers and cross-core flags are the edges. Whatever an
//! instruction touches is compared with what was touched before and is not known to be complete. So a missing flag is found in
//! every run, whatever the order in which things happened to run.
//!
//! Not modelled: see `docs/semantics.md`.

mod clocks;
pub mod foreign;

pub use super::cross_flags::CoreId;
pub use clocks::{Clocks, Issued};

use super::core::Core;
use super::pipes::Frames;
use crate::exec::Decoded;

impl Core {
    /// An instruction on data runs now: `origin` is where it was issued, if it had to wait in its pipe.
    #[inline]
    pub(super) fn follow(&mut self, slot: usize, _decoded: &Decoded, _origin: Option<&Frames>) {
        self.clocks.next(slot);
    }
}
