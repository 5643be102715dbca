//! Order: which accesses of a kernel are ordered by its flags and barriers, and which only happened in this order today.
//!
//! Each pipe is a thread with a vector clock (`clocks`); flags, barriers and cross-core flags are the edges. Whatever an
//! instruction touches is compared with what was touched before and is not known to be complete. So a missing flag is found in
//! every run, whatever the order in which things happened to run.
//!
//! Not modelled: see `docs/semantics.md`.

mod clocks;
pub mod foreign;
mod gm;
mod hash;
mod history;
mod local;
mod report;
mod shadow;
pub mod sites;
mod strides;

pub use super::cross_flags::CoreId;
pub use clocks::{Clocks, Issued};
pub use gm::GmUse;
pub(in crate::npu) use gm::{Conflicts, CoreLog, GmOrder};
pub use history::History;
pub use local::Local;
pub use sites::{Sites, Visit};

use super::core::Core;
use super::pipes::Origin;
use crate::exec::Decoded;
use sites::Place;
use toprope_abi::isa::{Op, OpRow, Pipe};

/// Slots with rules of their own.
const S: usize = 0;
const V: usize = Pipe::V as usize;
const M: usize = Pipe::M as usize;
const MTE2: usize = Pipe::Mte2 as usize;
const MTE3: usize = Pipe::Mte3 as usize;
const FIX: usize = 6;

/// Who makes an access.
#[derive(Clone, Copy, Debug)]
pub struct Doer {
    /// Part: slot of the pipe, or [`foreign::LOADS`].
    pub slot: usize,
    /// Number of the instruction in its part.
    pub number: u32,
    /// Where it is in the program, and how often that had run.
    pub at: Visit,
}

impl Core {
    /// An instruction on data runs now: `origin` is where it was issued, if it had to wait in its pipe.
    #[inline]
    pub(super) fn follow(&mut self, slot: usize, decoded: &Decoded, origin: Option<&Origin>) {
        let number = self.clocks.next(slot);
        self.hint_work(slot, decoded);
        if !self.checks.on {
            return;
        }
        let doer = Doer { slot, number, at: self.visit(slot, decoded.row(), origin) };
        self.follow_local(&doer, decoded, origin);
        self.follow_gm(&doer, decoded);
    }

    /// How often the instruction that is being issued has run at this place.
    pub(super) fn runs_so_far(&self, op: u32) -> u32 {
        self.sites.runs(Place { here: self.here(), pc: self.face.pc, op })
    }

    /// The place of an instruction runs.
    #[inline]
    fn visit(&mut self, slot: usize, row: &'static OpRow, origin: Option<&Origin>) -> Visit {
        let (here, pc) = match origin {
            None => (self.here(), self.face.pc),
            Some(origin) => (origin.frames[0], origin.pc),
        };
        self.visit_place(Place { here, pc, op: row.op as u32 }, row.intrinsic, slot, origin)
    }

    /// A place runs.
    #[inline]
    fn visit_place(&mut self, place: Place, op: &'static str, slot: usize, origin: Option<&Origin>) -> Visit {
        match self.sites.again(place) {
            Some(visit) => visit,
            None => {
                let frames = origin.map_or_else(|| self.quick_frames(), |o| o.frames);
                self.sites.visit(place, op, slot, frames)
            }
        }
    }

    /// A WaitFlag of pipe `slot` is issued.
    pub(super) fn visit_wait(&mut self, slot: usize) -> Visit {
        let place = Place { here: self.here(), pc: self.face.pc, op: Op::WaitFlagImm as u32 };
        self.visit_place(place, "WaitFlag", slot, None)
    }

    /// A scalar access runs, number `what` of its kinds.
    pub(super) fn visit_scalar(&mut self, what: u32, op: &'static str) -> Visit {
        let place = Place { here: self.here(), pc: self.face.pc, op: sites::SCALAR_OP | what };
        self.visit_place(place, op, S, None)
    }
}
