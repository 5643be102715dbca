//! Matrix multiplication and Fixpipe.
//!
//! - `mmad`: C = A × B + start on fractals, in `kernel` whatever the element type.
//! - `fixpipe`: L0C → GM or L1 with conversion (`quant`), NZ → ND, channel split and merge.
//! - [`Unit`]: the unit flags of L0C. One bit per 512 bytes: `Mmad` waits for clear bits, Fixpipe for set ones, and with `unitFlag` 3 each
//!   turns them over when it is done, so that a Fixpipe follows its `Mmad` without an event.
//!
//! What the documents leave open, and what is done here: `docs/semantics.md`, section "Cube".
//!
//! Source: Ascend C API reference for Atlas A2, pages Mmad, MmadWithSparse, GEMV, HF32, K direction alignment, UnitFlag, Fixpipe
//! (L0C to GM, L0C to L1), NZ2ND, NZ2NZ, Int8 Channel Merge, F32 Channel Split, quantisation on the way.

mod fixpipe;
mod kernel;
mod mmad;
mod quant;
#[cfg(test)]
mod tests;

pub use fixpipe::FixpipeRow;
pub(super) use fixpipe::{registers as fixpipe_registers, rows as fixpipe_rows};
pub use mmad::{Product, ProductStart};
pub(super) use mmad::{product, starts_from_itself};

use super::access::Shape;
use super::table::{Entry, nothing};
use super::{Decoded, PipeState};
use toprope_abi::core_face::SPACE_SHIFT;
use toprope_abi::isa::{CubeKind, DType, OpRow, RoundMode, ctrl};

/// Decoder and lane functions of a row of this family; `fast`: for this machine, else plain ones.
pub(super) fn make(row: &OpRow, kind: CubeKind, fast: bool) -> Entry {
    let lanes = match (kind, row.src, row.dst) {
        (CubeKind::Mmad | CubeKind::MmadSparse, ..) => None,
        (_, DType::F32, DType::F16 | DType::Bf16) => {
            super::convert::lanes(RoundMode::Rint, row.src, row.dst, fast)
        }
        _ => None,
    };
    Entry {
        decode: match kind {
            CubeKind::Mmad | CubeKind::MmadSparse => mmad::decode,
            CubeKind::FixpipeToGm | CubeKind::FixpipeToL1 => fixpipe::decode,
        },
        lanes: lanes.unwrap_or([nothing; 2]),
        wide_bits: 32,
        mode_bit: ctrl::INF_NAN,
    }
}

/// How an instruction takes part in the unit flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Unit {
    /// Not at all.
    #[default]
    None,
    /// Waits for clear flags and leaves them clear (`Mmad`, 2).
    WaitClear,
    /// Waits for clear flags and sets them (`Mmad`, 3).
    Set,
    /// Waits for set flags and leaves them set (Fixpipe, 2).
    WaitSet,
    /// Waits for set flags and clears them (Fixpipe, 3).
    Clear,
}

impl Unit {
    /// The part of an instruction whose field `unitFlag` is `field`; `None` for 1, which means nothing.
    fn new(field: u64, reads: bool) -> Option<Unit> {
        match (field, reads) {
            (0, _) => Some(Unit::None),
            (2, false) => Some(Unit::WaitClear),
            (3, false) => Some(Unit::Set),
            (2, true) => Some(Unit::WaitSet),
            (3, true) => Some(Unit::Clear),
            _ => None,
        }
    }

    fn waits_for_set(self) -> bool {
        matches!(self, Unit::WaitSet | Unit::Clear)
    }
}

const UNIT_BYTES: u64 = 512;
const CELL_BYTES: u64 = 1024;
const UNITS: u64 = 256;

/// Calls `f` with word and mask of the unit flags of the cells that an instruction works on.
fn for_each_unit(d: &Decoded, mut f: impl FnMut(usize, u64)) {
    let reads = d.env.unit.waits_for_set();
    let access = d.accesses()[usize::from(reads)];
    let matrices = if reads { fixpipe::matrices(d) } else { (1, 0) };
    let Shape::Bursts(bursts) = access.shape else { return };
    let base = access.addr & ((1 << SPACE_SHIFT) - 1);
    for matrix in 0..matrices.0 {
        for group in 0..bursts.count {
            let r = bursts.burst(group);
            let start = base + matrix * matrices.1 + r.start;
            let end = start + (r.end - r.start).next_multiple_of(CELL_BYTES);
            for unit in (start / UNIT_BYTES..end.div_ceil(UNIT_BYTES)).take_while(|u| *u < UNITS) {
                f((unit / 64) as usize, 1 << (unit % 64));
            }
        }
    }
}

/// Whether every unit flag is as the instruction waits for it.
pub(super) fn unit_is_ready(d: &Decoded, state: &PipeState) -> bool {
    let want = d.env.unit.waits_for_set();
    let mut ready = true;
    for_each_unit(d, |word, mask| ready &= (state.unit_flags[word] & mask != 0) == want);
    ready
}

/// What the instruction does to the flags when it is done.
fn unit_done(d: &Decoded, state: &mut PipeState) {
    match d.env.unit {
        Unit::Set => for_each_unit(d, |word, mask| state.unit_flags[word] |= mask),
        Unit::Clear => for_each_unit(d, |word, mask| state.unit_flags[word] &= !mask),
        Unit::None | Unit::WaitClear | Unit::WaitSet => {}
    }
}
