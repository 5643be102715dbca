//! Compound arithmetic: multiply-add forms, fused ReLU and conversions, dequantisation.
//!
//! Every stage is rounded to the type it is said to have, and in saturation mode (CTRL\[48\] = 0) clamped, before the next stage:
//! - half multiply-adds round the product to half, then the sum; with half sources and a float destination the product is exact and only the
//!   float sum is rounded. float stages round to float and are never clamped.
//! - `AddRelu`, `SubRelu` on int16 wrap or clamp before the ReLU as `Add` and `Sub` do. In the converting forms the int16 sum always clamps, and
//!   NaN becomes +0 also in inf/NaN mode (boundary-value tables of `AddReluCast` and `SubReluCast`).
//! - Conversions to 8 bits round the half result to nearest even and always clamp.
//! - Dequantisation: the exact src · scale + offset is rounded to nearest even, then clamped. The scale is a float of which 10 fraction bits
//!   count, the offset has 9 bits.
//!
//! Not modelled: which roundings the chip makes inside a dequantisation (not public).
//!
//! Source: Ascend C API reference (compound computation, SetDeqScale, boundary values of vector instructions).

mod dequantise;
mod fused;

use super::decode::{self, DecodeFn};
use super::lane::{self, Bits, F16, F32, Lanes, Op};
use super::ops::{self, Fn2, FnShift, Two};
use super::table::{Entry, nothing};
use super::{Decoded, Env, ExecFault, Regs, overlap};
use toprope_abi::isa::{CompoundKind, DType, OpRow, ctrl};

/// max(a + b, 0).
struct AddRelu;
/// max(a − b, 0).
struct SubRelu;
/// Shift right that adds the last bit shifted out.
struct ShiftRightRound;

macro_rules! relu_of {
    ($($t:ty)*) => {$(
        impl Fn2<$t> for AddRelu {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t, b: $t) -> $t {
                <$t as fused::Clip>::relu(<ops::Add as Fn2<$t>>::call::<CLAMP>(a, b))
            }
        }
        impl Fn2<$t> for SubRelu {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t, b: $t) -> $t {
                <$t as fused::Clip>::relu(<ops::Sub as Fn2<$t>>::call::<CLAMP>(a, b))
            }
        }
    )*};
}

relu_of! { f32 i16 }

macro_rules! round_shift {
    ($($t:ty)*) => {$(
        impl FnShift<$t> for ShiftRightRound {
            #[inline(always)]
            fn call(a: $t, n: u32) -> $t {
                if n == 0 {
                    return a;
                }
                let last = n.min(<$t>::BITS);
                (a >> (last - 1).min(<$t>::BITS - 1) & 1) + (a >> n.min(<$t>::BITS - 1))
            }
        }
    )*};
}

round_shift! { i16 i32 }

fn pick<O: Op>(fast: bool) -> Option<Lanes> {
    Some(lane::lanes::<O>(fast))
}

fn relu_lanes<G: Fn2<f32> + Fn2<i16>>(dtype: DType, fast: bool) -> Option<Lanes> {
    match dtype {
        DType::F16 => pick::<Two<F16, G>>(fast),
        DType::F32 => pick::<Two<F32, G>>(fast),
        DType::S16 => pick::<Two<Bits<i16>, G>>(fast),
        _ => None,
    }
}

fn shift_lanes(dtype: DType, fast: bool) -> Option<Lanes> {
    match dtype {
        DType::S16 => pick::<ops::Shift<Bits<i16>, ShiftRightRound>>(fast),
        DType::S32 => pick::<ops::Shift<Bits<i32>, ShiftRightRound>>(fast),
        _ => None,
    }
}

/// Decoder and lane functions of a row of this family; `fast`: for this machine, else plain ones.
pub(super) fn make(row: &OpRow, kind: CompoundKind, fast: bool) -> Entry {
    use CompoundKind as K;
    let (lanes, decode): (Option<Lanes>, DecodeFn) = match kind {
        K::AddRelu => (relu_lanes::<AddRelu>(row.dst, fast), decode::binary),
        K::SubRelu => (relu_lanes::<SubRelu>(row.dst, fast), decode::binary),
        K::ShiftRightRound => (shift_lanes(row.dst, fast), shift_right_round),
        K::Dequantise { .. } => (Some([nothing; 2]), dequantise::decode),
        K::Axpy => (fused::lanes(kind, row.src, row.dst, fast), axpy),
        K::MulAddDst | K::FusedMulAdd | K::FusedMulAddRelu => {
            (fused::lanes(kind, row.src, row.dst, fast), multiply_add)
        }
        K::AddReluCast | K::SubReluCast | K::MulCast => {
            (fused::lanes(kind, row.src, row.dst, fast), decode::binary)
        }
    };
    Entry {
        decode: if lanes.is_some() { decode } else { decode::not_data },
        lanes: lanes.unwrap_or([nothing; 2]),
        wide_bits: row.dst.bits().max(row.src.bits()),
        mode_bit: ctrl::INF_NAN,
    }
}

fn multiply_add(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    with_destination_input(decode::binary(row, entry, x, regs)?)
}

fn axpy(row: &'static OpRow, entry: &'static Entry, x: &[u64; 4], regs: &Regs) -> Result<Decoded, ExecFault> {
    with_destination_input(decode::scalar(row, entry, x, regs)?)
}

/// One contiguous run of operands of one width has nothing to check.
fn with_destination_input(d: Decoded) -> Result<Decoded, ExecFault> {
    if let Some(fault) = d.overwritten() {
        return Err(fault);
    }
    if d.whole == 0 || d.row.dst.bits() != d.row.src.bits() {
        overlap::check_destination_input(&d)?;
    }
    Ok(d)
}

/// dst, src, distance, configuration.
fn shift_right_round(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    let max = u64::from(row.dst.bits());
    let asked = if max == 16 { i64::from(x[2] as i16) } else { i64::from(x[2] as i32) };
    if asked < 0 || asked as u64 > max {
        return Err(ExecFault::ScalarRange { intrinsic: row.intrinsic, asked, max });
    }
    let (operands, repeats) = decode::unary_operands(row, x, x[3]);
    decode::vector(row, entry, regs, &operands, repeats, Env { value: x[2], ..Env::default() })
}
