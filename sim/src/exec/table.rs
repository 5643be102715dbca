//! Which functions decode and compute which instruction.
//!
//! Unsafe room: only the signature of lane functions.
#![allow(unsafe_code)]

use super::decode::{self, DecodeFn};
use super::lane::{self, Bf16, Bits, F16, F32, LaneFn, Lanes, Op};
use super::ops::{self, Fill, Fn1, Fn2, FnShift, One, Same, Shift, Two, WithScalar};
use super::{Env, compare, compound, convert, cube, gather, load, rearrange, reduce};
use std::sync::OnceLock;
use toprope_abi::isa::{BinaryFn, DType, Kind, OPS, OpRow, ScalarFn, UnaryFn, ctrl};

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
    _: &[u64; 4],
    _: &super::Regs,
) -> Result<super::Decoded, super::ExecFault> {
    Err(super::ExecFault::Unsupported { intrinsic: row.intrinsic, what: "this instruction" })
}

/// Chooses the functions of a row; `fast`: for this machine, else plain ones.
pub(super) fn make(row: &OpRow, fast: bool) -> Entry {
    match row.kind {
        Kind::Compare(kind) => return compare::make(row, kind, fast),
        Kind::Reduce(kind) => return reduce::make(row, kind, fast),
        Kind::Gather(kind) => return gather::make(row, kind, fast),
        Kind::Compound(kind) => return compound::make(row, kind, fast),
        Kind::Rearrange(kind) => return rearrange::make(row, kind, fast),
        Kind::Load(kind) => return load::make(row, kind, fast),
        Kind::Cube(kind) => return cube::make(row, kind, fast),
        _ => {}
    }
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
        lanes: lanes.unwrap_or([nothing as LaneFn; 2]),
        wide_bits: row.dst.bits().max(row.src.bits()).max(8),
        mode_bit: if clamp_is_cast { ctrl::CAST_TRUNCATE } else { ctrl::INF_NAN },
    }
}

/// Lane function of rows that have none.
pub(super) unsafe fn nothing(_: *mut u8, _: *const u8, _: *const u8, _: usize, _: &Env) {}

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

/// Lane functions of a vector row; `None` if its semantics are missing.
fn lanes(row: &OpRow, fast: bool) -> Option<Lanes> {
    match row.kind {
        Kind::Binary(f) => binary(f, row.dst, fast),
        Kind::Scalar(f) => scalar(f, row.dst, fast),
        Kind::Unary(f) => unary(f, row.dst, fast),
        Kind::Convert(mode) => convert::lanes(mode, row.src, row.dst, fast),
        Kind::ConvertDeq => Some(convert::dequantise(fast)),
        Kind::Duplicate => of_width(row.dst, pick::<Fill<Bits<u16>>>(fast), pick::<Fill<Bits<u32>>>(fast)),
        Kind::CopyMasked => {
            of_width(row.dst, pick::<One<Bits<u16>, Same>>(fast), pick::<One<Bits<u32>, Same>>(fast))
        }
        _ => None,
    }
}

fn pick<O: Op>(fast: bool) -> Lanes {
    lane::lanes::<O>(fast)
}

/// The lane functions for 16-bit or for 32-bit elements.
fn of_width(dtype: DType, short: Lanes, long: Lanes) -> Option<Lanes> {
    match dtype.bits() {
        16 => Some(short),
        32 => Some(long),
        _ => None,
    }
}

/// Arithmetic of one operation in every format that has it.
fn arithmetic<G>(dtype: DType, fast: bool) -> Option<Lanes>
where
    G: Fn2<f32> + Fn2<i8> + Fn2<i16> + Fn2<i32>,
{
    Some(match dtype {
        DType::F16 => pick::<Two<F16, G>>(fast),
        DType::Bf16 => pick::<Two<Bf16, G>>(fast),
        DType::F32 => pick::<Two<F32, G>>(fast),
        DType::S8 => pick::<Two<Bits<i8>, G>>(fast),
        DType::S16 => pick::<Two<Bits<i16>, G>>(fast),
        DType::S32 => pick::<Two<Bits<i32>, G>>(fast),
        _ => return None,
    })
}

fn arithmetic_with_scalar<G>(dtype: DType, fast: bool) -> Option<Lanes>
where
    G: Fn2<f32> + Fn2<i16> + Fn2<i32>,
{
    Some(match dtype {
        DType::F16 => pick::<WithScalar<F16, G>>(fast),
        DType::F32 => pick::<WithScalar<F32, G>>(fast),
        DType::S16 => pick::<WithScalar<Bits<i16>, G>>(fast),
        DType::S32 => pick::<WithScalar<Bits<i32>, G>>(fast),
        _ => return None,
    })
}

fn float_unary<G: Fn1<f32>>(dtype: DType, fast: bool) -> Option<Lanes> {
    Some(match dtype {
        DType::F16 => pick::<One<F16, G>>(fast),
        DType::F32 => pick::<One<F32, G>>(fast),
        _ => return None,
    })
}

/// Lane functions of a two-source function; also those of atomics (which have more formats).
pub(super) fn binary(f: BinaryFn, dtype: DType, fast: bool) -> Option<Lanes> {
    match f {
        BinaryFn::Add => arithmetic::<ops::Add>(dtype, fast),
        BinaryFn::Sub => arithmetic::<ops::Sub>(dtype, fast),
        BinaryFn::Mul => arithmetic::<ops::Mul>(dtype, fast),
        BinaryFn::Max => arithmetic::<ops::Max>(dtype, fast),
        BinaryFn::Min => arithmetic::<ops::Min>(dtype, fast),
        BinaryFn::Div => match dtype {
            DType::F16 => Some(pick::<Two<F16, ops::Div>>(fast)),
            DType::F32 => Some(pick::<Two<F32, ops::Div>>(fast)),
            _ => None,
        },
        BinaryFn::And => {
            of_width(dtype, pick::<Two<Bits<u16>, ops::And>>(fast), pick::<Two<Bits<u32>, ops::And>>(fast))
        }
        BinaryFn::Or => {
            of_width(dtype, pick::<Two<Bits<u16>, ops::Or>>(fast), pick::<Two<Bits<u32>, ops::Or>>(fast))
        }
    }
}

fn scalar(f: ScalarFn, dtype: DType, fast: bool) -> Option<Lanes> {
    match f {
        ScalarFn::Adds => arithmetic_with_scalar::<ops::Add>(dtype, fast),
        ScalarFn::Muls => arithmetic_with_scalar::<ops::Mul>(dtype, fast),
        ScalarFn::Maxs => arithmetic_with_scalar::<ops::Max>(dtype, fast),
        ScalarFn::Mins => arithmetic_with_scalar::<ops::Min>(dtype, fast),
        ScalarFn::LeakyRelu => match dtype {
            DType::F16 => Some(pick::<WithScalar<F16, ops::LeakyRelu>>(fast)),
            DType::F32 => Some(pick::<WithScalar<F32, ops::LeakyRelu>>(fast)),
            _ => None,
        },
        ScalarFn::ShiftLeft => shift::<ops::ShiftLeft>(dtype, fast),
        ScalarFn::ShiftRight => shift::<ops::ShiftRight>(dtype, fast),
    }
}

fn shift<G>(dtype: DType, fast: bool) -> Option<Lanes>
where
    G: FnShift<i16> + FnShift<u16> + FnShift<i32> + FnShift<u32>,
{
    Some(match dtype {
        DType::S16 => pick::<Shift<Bits<i16>, G>>(fast),
        DType::U16 => pick::<Shift<Bits<u16>, G>>(fast),
        DType::S32 => pick::<Shift<Bits<i32>, G>>(fast),
        DType::U32 => pick::<Shift<Bits<u32>, G>>(fast),
        _ => return None,
    })
}

fn unary(f: UnaryFn, dtype: DType, fast: bool) -> Option<Lanes> {
    match f {
        UnaryFn::Relu if dtype == DType::S32 => Some(pick::<One<Bits<i32>, ops::Relu>>(fast)),
        UnaryFn::Abs => float_unary::<ops::Abs>(dtype, fast),
        UnaryFn::Relu => float_unary::<ops::Relu>(dtype, fast),
        UnaryFn::Exp => float_unary::<ops::Exp>(dtype, fast),
        UnaryFn::Ln => float_unary::<ops::Ln>(dtype, fast),
        UnaryFn::Sqrt => float_unary::<ops::Sqrt>(dtype, fast),
        UnaryFn::Rsqrt => float_unary::<ops::Rsqrt>(dtype, fast),
        UnaryFn::Reciprocal => float_unary::<ops::Reciprocal>(dtype, fast),
        UnaryFn::Not => {
            of_width(dtype, pick::<One<Bits<u16>, ops::Not>>(fast), pick::<One<Bits<u32>, ops::Not>>(fast))
        }
    }
}
