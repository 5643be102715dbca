//! Rounding.
//!
//! Round modes of conversions (Ascend C's `RoundMode`): `Rint` to nearest, ties to even; `Round` to nearest,
//! ties away from zero; `Floor`, `Ceil`, `Trunc`; `Odd`: if inexact, the neighbour whose last significand bit
//! is 1; `None`: exact conversions, else as `Rint`.
//!
//! A float result is rounded as if its exponent had no upper end; what is then too large becomes infinity (or
//! the largest finite number in saturation mode), in every round mode. This follows the public tables, where
//! overflow does not depend on the mode; IEEE would stop at the largest number when rounding toward zero.
//! Subnormal results are kept.
//!
//! Unsafe room: one float to integer conversion that is in range.
#![allow(unsafe_code)]

use toprope_abi::isa::RoundMode;

/// Round modes as constants, for const generics.
pub(super) mod mode {
    use super::RoundMode;
    pub const RINT: u32 = RoundMode::Rint as u32;
    pub const FLOOR: u32 = RoundMode::Floor as u32;
    pub const CEIL: u32 = RoundMode::Ceil as u32;
    pub const ROUND: u32 = RoundMode::Round as u32;
    pub const TRUNC: u32 = RoundMode::Trunc as u32;
    pub const ODD: u32 = RoundMode::Odd as u32;
}

/// Rounds to an integral value.
#[inline(always)]
pub(super) fn integral<const MODE: u32>(x: f32) -> f32 {
    match MODE {
        mode::FLOOR => x.floor(),
        mode::CEIL => x.ceil(),
        mode::TRUNC => x.trunc(),
        mode::ROUND => {
            // x - trunc(x) is exact; adding -0 keeps the sign of a zero.
            let t = x.trunc();
            let away = if (x - t).abs() >= 0.5 { 1.0 } else { 0.0f32 };
            t + away.copysign(x)
        }
        _ => x.round_ties_even(),
    }
}

/// A binary floating-point format.
pub(super) trait Binary {
    /// Significand bits, the hidden one included.
    const PRECISION: u32;
    /// Exponent of the last bit of a subnormal.
    const MIN_EXPONENT: i32;
    /// Bits of infinity.
    const INFINITY: u32;
    /// Sign bit.
    const SIGN: u32;
    /// The NaN of results.
    const NAN: u32;
}

/// IEEE binary16.
pub(super) struct Half;
/// bfloat16.
pub(super) struct Brain;
/// IEEE binary32.
pub(super) struct Single;

impl Binary for Half {
    const PRECISION: u32 = 11;
    const MIN_EXPONENT: i32 = -24;
    const INFINITY: u32 = 0x7c00;
    const SIGN: u32 = 0x8000;
    const NAN: u32 = 0x7e00;
}

impl Binary for Brain {
    const PRECISION: u32 = 8;
    const MIN_EXPONENT: i32 = -133;
    const INFINITY: u32 = 0x7f80;
    const SIGN: u32 = 0x8000;
    const NAN: u32 = 0x7fc0;
}

impl Binary for Single {
    const PRECISION: u32 = 24;
    const MIN_EXPONENT: i32 = -149;
    const INFINITY: u32 = 0x7f80_0000;
    const SIGN: u32 = 0x8000_0000;
    const NAN: u32 = 0x7fc0_0000;
}

/// Bits of ±`m`·2^`e` in format `B`, rounded.
#[inline(always)]
pub(super) fn encode<B: Binary, const MODE: u32>(negative: bool, m: u64, e: i32) -> u32 {
    let sign = if negative { B::SIGN } else { 0 };
    if m == 0 {
        return sign;
    }
    let top = 63 - m.leading_zeros() as i32;
    // Exponent of the last kept bit.
    let last = (e + top - (B::PRECISION as i32 - 1)).max(B::MIN_EXPONENT);
    let drop = last - e;
    let kept = if drop <= 0 {
        m << -drop
    } else if drop >= 64 {
        // Everything is dropped; with drop == 64 it may be half or more.
        let (half, inexact_tie) = (drop == 64 && m >> 63 == 1, drop == 64 && m == 1 << 63);
        increment::<MODE>(0, negative, half, inexact_tie, true)
    } else {
        let rest = m & ((1 << drop) - 1);
        let half = 1u64 << (drop - 1);
        let kept = m >> drop;
        increment::<MODE>(kept, negative, rest >= half, rest == half, rest != 0)
    };
    let exponent = (last - B::MIN_EXPONENT) as u64;
    let bits = (exponent << (B::PRECISION - 1)) + kept;
    sign | bits.min(u64::from(B::INFINITY)) as u32
}

#[inline(always)]
fn increment<const MODE: u32>(
    kept: u64,
    negative: bool,
    at_least_half: bool,
    tie: bool,
    inexact: bool,
) -> u64 {
    let up = match MODE {
        mode::FLOOR => negative && inexact,
        mode::CEIL => !negative && inexact,
        mode::TRUNC => false,
        mode::ROUND => at_least_half,
        mode::ODD => inexact && kept & 1 == 0,
        _ => at_least_half && (!tie || kept & 1 == 1),
    };
    kept + u64::from(up)
}

/// Bits of `x` in format `B`, rounded.
#[inline(always)]
pub(super) fn encode_f32<B: Binary, const MODE: u32>(x: f32) -> u32 {
    let bits = x.to_bits();
    let (negative, exponent, fraction) = (bits >> 31 == 1, (bits >> 23) & 0xff, u64::from(bits & 0x7f_ffff));
    match exponent {
        0xff if fraction != 0 => B::NAN,
        0xff => B::INFINITY | if negative { B::SIGN } else { 0 },
        0 => encode::<B, MODE>(negative, fraction, -149),
        _ => encode::<B, MODE>(negative, fraction | 0x80_0000, exponent as i32 - 150),
    }
}

/// Bits of the finite `x` in format `B`, rounded.
#[inline(always)]
pub(super) fn encode_f64<B: Binary, const MODE: u32>(x: f64) -> u32 {
    let bits = x.to_bits();
    let (negative, exponent, fraction) = (bits >> 63 == 1, (bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    match exponent {
        0x7ff if fraction != 0 => B::NAN,
        0x7ff => B::INFINITY | if negative { B::SIGN } else { 0 },
        0 => encode::<B, MODE>(negative, fraction, -1074),
        _ => encode::<B, MODE>(negative, fraction | 1 << 52, exponent as i32 - 1075),
    }
}

/// Bits of the integer `x` in format `B`, rounded.
#[inline(always)]
pub(super) fn encode_i64<B: Binary, const MODE: u32>(x: i64) -> u32 {
    encode::<B, MODE>(x < 0, x.unsigned_abs(), 0)
}

/// Destination integers of conversions.
pub(super) trait Integer: Copy + Default {
    /// Converts an integral value: clamped, or its low bits. NaN gives 0, infinity the end of the range.
    fn from_integral<const CLAMP: bool>(x: f32) -> Self;
    /// Converts an integer: clamped, or its low bits.
    fn from_i64<const CLAMP: bool>(x: i64) -> Self;
}

/// `x as i32` (clamped, NaN gives 0), written so that it vectorises.
#[inline(always)]
fn clamp_to_i32(x: f32) -> i32 {
    const BELOW: f32 = 2_147_483_520.0;
    let low = if x > -2_147_483_648.0 { x } else { -2_147_483_648.0 };
    let inside = if low < BELOW { low } else { BELOW };
    // SAFETY: `inside` is a number between i32::MIN and the largest float below 2^31.
    let clamped = unsafe { inside.to_int_unchecked::<i32>() };
    let clamped = if x >= 2_147_483_648.0 { i32::MAX } else { clamped };
    if x.is_nan() { 0 } else { clamped }
}

macro_rules! integer {
    ($($t:ty, $x:ident: $clamp:expr;)*) => {$(
        impl Integer for $t {
            #[inline(always)]
            fn from_integral<const CLAMP: bool>($x: f32) -> $t {
                if CLAMP || $x.is_infinite() { $clamp } else { low_bits($x) as $t }
            }

            #[inline(always)]
            fn from_i64<const CLAMP: bool>(x: i64) -> $t {
                if CLAMP { x.clamp(i64::from(<$t>::MIN), i64::from(<$t>::MAX)) as $t } else { x as $t }
            }
        }
    )*};
}

integer! {
    i8, x: clamp_to_i32(x).clamp(-128, 127) as i8;
    u8, x: clamp_to_i32(x).clamp(0, 255) as u8;
    i16, x: clamp_to_i32(x).clamp(-32768, 32767) as i16;
    i32, x: clamp_to_i32(x);
    i64, x: x as i64;
}

/// Low 64 bits of a finite integral value (two's complement); NaN gives 0.
#[inline(always)]
fn low_bits(x: f32) -> i64 {
    // From 2^87 on, a 24-bit significand leaves 64 zero bits.
    if x.abs() < (1u128 << 87) as f32 { x as i128 as i64 } else { 0 }
}
