//! Which functions decode and compute which instruction.

use super::decode::{self, DecodeFn};
use super::lane::{self, Lanes, Op};
use super::ops;
use std::sync::OnceLock;
use toprope_abi::isa::{BinaryFn, DType, Kind, OPS, OpRow, ctrl};

/// What belongs to one row of the instruction table.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// Turns operands into footprints.
    pub decode: DecodeFn,
    /// Computes runs: \[clamping, not clamping\].
    pub lanes: Lanes,
    /// Width of the widest element type; decides the elements of a repeat.
    pub wide_bits: u32,
    /// CTRL bit that switches clamping off when 1.
    pub mode_bit: u32,
}

/// The entry of a row.
#[inline]
pub(super) fn entry(row: &'static OpRow) -> &'static Entry {
    static TABLE: OnceLock<Vec<Entry>> = OnceLock::new();
    let table = TABLE.get_or_init(|| OPS.iter().map(|row| make(row, lane::has_fast_lanes())).collect());
    &table[row.op as usize]
}

fn unsupported(
    row: &'static OpRow,
    _: &'static Entry,
    _: [u64; 4],
    _: &super::Regs,
) -> Result<super::Decoded, super::ExecFault> {
    Err(super::ExecFault::Unsupported { intrinsic: row.intrinsic, what: "this instruction" })
}

/// Chooses the functions of a row; `fast`: for this machine, else plain ones.
pub(super) fn make(row: &OpRow, fast: bool) -> Entry {
    let lanes = lanes(row, fast);
    let decode: DecodeFn = match row.kind {
        Kind::CopyBurst(_) => decode::burst,
        Kind::CopyAlign(_) => decode::align,
        Kind::Brcb => decode::brcb,
        _ if !is_vector(row.kind) => decode::not_data,
        _ if lanes.is_none() => unsupported,
        Kind::Binary(_) => decode::binary,
        Kind::Scalar(_) => decode::scalar,
        Kind::Duplicate => decode::duplicate,
        _ => decode::unary,
    };
    let clamp_is_cast = matches!(row.kind, Kind::Convert(_)) && !matches!(row.dst, DType::F16 | DType::Bf16);
    Entry {
        decode,
        lanes: lanes.unwrap_or(pick::<ops::AddF32>(false)),
        wide_bits: row.dst.bits().max(row.src.bits()).max(8),
        mode_bit: if clamp_is_cast { ctrl::CAST_TRUNCATE } else { ctrl::INF_NAN },
    }
}

fn is_vector(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Binary(_)
            | Kind::Scalar(_)
            | Kind::Unary(_)
            | Kind::Convert(_)
            | Kind::ConvertDeq
            | Kind::Duplicate
            | Kind::CopyMasked
    )
}

fn pick<O: Op>(fast: bool) -> Lanes {
    if fast { lane::fast_lanes::<O>() } else { lane::plain_lanes::<O>() }
}

fn lanes(row: &OpRow, fast: bool) -> Option<Lanes> {
    Some(match (row.kind, row.src) {
        (Kind::Binary(BinaryFn::Add), DType::F16) => pick::<ops::AddF16>(fast),
        (Kind::Binary(BinaryFn::Add), DType::F32) => pick::<ops::AddF32>(fast),
        _ => return None,
    })
}
