//! Moves into and out of the memories of the cube core.
//!
//! | module | instructions |
//! |---|---|
//! | [`nd2nz`] | GM → L1 with ND → NZ |
//! | [`fractal`] | copies of 512-byte fractals, as they are or transposed |
//! | [`square`] | transposed squares of fractals |
//! | [`image`] | tiles of an im2col matrix |
//! | [`buffer`] | fills, L1 to the bias table and the fixpipe buffer, sparse matrices |
//!
//! Plain bursts GM → L1 and L1 → GM are `copy`'s. Alignment: L0A and L0B 512 bytes, L1 32 bytes, GM none (reference pages of the copies).

mod buffer;
mod fractal;
mod image;
mod nd2nz;
mod square;

pub use buffer::index_address;
pub(super) use image::feature_map;

use super::decode::DecodeFn;
use super::fault::ExecFault;
use super::lane::LaneFn;
use super::table::{Entry, nothing};
use toprope_abi::isa::{Field, LoadKind, OpRow, Space};

/// Decoder and lane functions of a row of this family; `fast`: for this machine, else plain ones.
pub(super) fn make(row: &OpRow, kind: LoadKind, _fast: bool) -> Entry {
    let decode: DecodeFn = match kind {
        LoadKind::Nd2Nz => nd2nz::decode,
        LoadKind::Load2d(_) => fractal::decode,
        LoadKind::Load2dTranspose(_) => square::decode,
        LoadKind::Load2dSparse => buffer::decode_sparse,
        LoadKind::Load3d(_) => image::decode,
        LoadKind::Fill(_) => buffer::decode_fill,
        LoadKind::ToBias | LoadKind::ToFixpipe => buffer::decode_table,
    };
    Entry { decode, lanes: [nothing as LaneFn; 2], wide_bits: row.dst.bits().max(8), mode_bit: 0 }
}

/// Bytes an operand in this memory has to be a multiple of.
const fn align_of(space: Space) -> u32 {
    match space {
        Space::Gm => 1,
        Space::L0a | Space::L0b => 512,
        Space::L0c => 1024,
        Space::Bt => 64,
        Space::Fb => 128,
        Space::L1 | Space::Ub => 32,
    }
}

/// Refuses 0 in a stride that is used.
fn needs_stride(row: &'static OpRow, f: &Field, asked: u64, used: bool) -> Result<(), ExecFault> {
    if used && asked == 0 {
        return Err(ExecFault::FieldRange {
            intrinsic: row.intrinsic,
            field: f.id,
            asked,
            min: 1,
            max: f.max,
        });
    }
    Ok(())
}
