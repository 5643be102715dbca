//! Bodies of instructions that are more than a function of runs: written once, instantiated with plain code and with AVX2 + F16C.
//!
//! Unsafe room: code for an instruction set that the machine has been asked for.
#![allow(unsafe_code)]

use super::lane::{Isa, Plain};
use super::{Decoded, PipeState, RunFn};

/// What an instruction computes.
pub(super) trait Body {
    /// Computes a decoded instruction.
    ///
    /// # Safety
    /// As [`super::execute`], and the machine must have the instruction set.
    unsafe fn run<I: Isa>(d: &Decoded, state: &mut PipeState);
}

/// # Safety
/// As [`super::execute`].
unsafe fn plain<B: Body>(d: &Decoded, state: &mut PipeState) {
    // SAFETY: same contract; plain code needs no instruction set.
    unsafe { B::run::<Plain>(d, state) }
}

/// # Safety
/// As [`super::execute`], and the machine must have AVX2 and F16C.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c")]
unsafe fn avx2<B: Body>(d: &Decoded, state: &mut PipeState) {
    // SAFETY: same contract.
    unsafe { B::run::<super::lane::Avx2>(d, state) }
}

/// The function of a body; `fast` only where [`super::lane::has_fast_lanes`] holds.
#[inline]
pub(super) fn body<B: Body>(fast: bool) -> RunFn {
    #[cfg(target_arch = "x86_64")]
    if fast {
        return avx2::<B>;
    }
    let _ = fast;
    plain::<B>
}
