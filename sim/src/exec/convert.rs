//! Element-type conversions.
//!
//! - To an integer: rounded to an integral value by the mode, then clamped (CTRL\[59\] = 0) or cut to its low bits
//!   (CTRL\[59\] = 1; the products only document 0). NaN gives 0, ±inf the ends of the range. (The public table
//!   shows 65504 for half → int16, which int16 cannot hold; here it clamps to 32767.)
//! - To half or bfloat16: rounded once by the mode; overflow as said in `number`; CTRL\[48\] chooses between
//!   infinity and the largest number, NaN and 0.
//! - float → float: rounded to an integral value; a zero result is +0.
//! - int32 → half multiplies by the dequantisation scale (a half): the exact product is rounded once to
//!   nearest even. (The manual writes x / 2^17 × scale × 2^17; how the chip rounds in between is not public.)
//! - 4-bit integers: two to a byte, low half first.
//!
//! Unsafe room: lane functions of 4-bit types, which do not fit the generic ones.
#![allow(unsafe_code)]

use super::Env;
use super::lane::{self, Bits, F16, F32, Format, Lanes, Op, Val};
use super::number::{self, Half, Integer, encode_f32, encode_f64, encode_i64, integral, mode};
use std::marker::PhantomData;
use std::ptr;
use toprope_abi::isa::{DType, RoundMode};

/// Conversion of one value.
pub(super) trait Cast {
    /// Source format.
    type S: Format;
    /// Destination format.
    type D: Format;
    /// Converts one value.
    fn cast<const CLAMP: bool>(a: Val<Self::S>) -> Val<Self::D>;
}

/// A conversion as an operation.
struct Conversion<C>(PhantomData<C>);

impl<C: Cast> Op for Conversion<C> {
    type S = C::S;
    type D = C::D;
    type Param = ();
    const SOURCES: usize = 1;

    #[inline(always)]
    fn param(_: &Env) {}

    #[inline(always)]
    fn apply<const CLAMP: bool>((): (), a: Val<C::S>, _: Val<C::S>) -> Val<C::D> {
        C::cast::<CLAMP>(a)
    }
}

/// The value is exact in what the destination is computed in; its format rounds to nearest even if it must.
struct Widen<S, D>(PhantomData<(S, D)>);
/// To an integer, from a format computed in f32.
struct ToInteger<S, T, const MODE: u32>(PhantomData<(S, T)>);
/// Integer to a narrower one.
struct Shorten<S, T>(PhantomData<(S, T)>);
/// float to half or bfloat16.
struct ToShortFloat<B, const MODE: u32>(PhantomData<B>);
/// int16 to half.
struct ShortToHalf<const MODE: u32>;
/// Integer to float.
struct ToFloat<S, const MODE: u32>(PhantomData<S>);
/// float to an integral float.
struct Integral<const MODE: u32>;

impl<S: Format<Val: Into<Val<D>>>, D: Format> Cast for Widen<S, D> {
    type S = S;
    type D = D;

    #[inline(always)]
    fn cast<const CLAMP: bool>(a: Val<S>) -> Val<D> {
        a.into()
    }
}

impl<S: Format<Val = f32>, T: Integer, const MODE: u32> Cast for ToInteger<S, T, MODE> {
    type S = S;
    type D = Bits<T>;

    #[inline(always)]
    fn cast<const CLAMP: bool>(a: f32) -> T {
        T::from_integral::<CLAMP>(integral::<MODE>(a))
    }
}

impl<S: Copy + Default + Into<i64>, T: Integer> Cast for Shorten<S, T> {
    type S = Bits<S>;
    type D = Bits<T>;

    #[inline(always)]
    fn cast<const CLAMP: bool>(a: S) -> T {
        T::from_i64::<CLAMP>(a.into())
    }
}

impl<const MODE: u32> Cast for ToShortFloat<Half, MODE> {
    type S = F32;
    type D = Bits<u16>;

    #[inline(always)]
    fn cast<const CLAMP: bool>(a: f32) -> u16 {
        lane::settle_f16::<CLAMP>(encode_f32::<Half, MODE>(a) as u16)
    }
}

impl<const MODE: u32> Cast for ToShortFloat<number::Brain, MODE> {
    type S = F32;
    type D = Bits<u16>;

    #[inline(always)]
    fn cast<const CLAMP: bool>(a: f32) -> u16 {
        lane::settle_bf16::<CLAMP>(encode_f32::<number::Brain, MODE>(a) as u16)
    }
}

impl<const MODE: u32> Cast for ShortToHalf<MODE> {
    type S = Bits<i16>;
    type D = Bits<u16>;

    #[inline(always)]
    fn cast<const CLAMP: bool>(a: i16) -> u16 {
        encode_i64::<Half, MODE>(a.into()) as u16
    }
}

macro_rules! to_float {
    ($($t:ty)*) => {$(
        impl<const MODE: u32> Cast for ToFloat<$t, MODE> {
            type S = Bits<$t>;
            type D = F32;

            #[inline(always)]
            fn cast<const CLAMP: bool>(a: $t) -> f32 {
                if MODE == mode::RINT {
                    return a as f32;
                }
                f32::from_bits(encode_i64::<number::Single, MODE>(a.into()))
            }
        }
    )*};
}

to_float! { i32 i64 }

impl<const MODE: u32> Cast for Integral<MODE> {
    type S = F32;
    type D = F32;

    #[inline(always)]
    fn cast<const CLAMP: bool>(a: f32) -> f32 {
        // −0 + 0 is +0.
        integral::<MODE>(a) + 0.0
    }
}

/// int32 × scale → half.
struct Dequantise;

impl Op for Dequantise {
    type S = Bits<i32>;
    type D = Bits<u16>;
    type Param = f64;
    const SOURCES: usize = 1;

    #[inline(always)]
    fn param(env: &Env) -> f64 {
        half::f16::from_bits(env.value as u16).to_f64_const()
    }

    #[inline(always)]
    fn apply<const CLAMP: bool>(scale: f64, a: i32, _: i32) -> u16 {
        // 31 + 11 bits: exact in f64.
        lane::settle_f16::<CLAMP>(encode_f64::<Half, { mode::RINT }>(f64::from(a) * scale) as u16)
    }
}

/// 4-bit to half; `n` is even.
///
/// # Safety
/// As [`lane::LaneFn`].
unsafe fn s4_to_f16(to: *mut u8, a: *const u8, _: *const u8, n: usize, _: &Env) {
    for i in 0..n / 2 {
        // SAFETY: byte i holds elements 2i and 2i+1 of the run.
        let byte = unsafe { ptr::read(a.wrapping_add(i)) };
        let pair = [byte << 4, byte].map(|b| half::f16::from_f32_const(f32::from((b as i8) >> 4)).to_bits());
        // SAFETY: elements 2i and 2i+1 are inside the run.
        unsafe { ptr::write_unaligned(to.wrapping_add(i * 4).cast::<[u16; 2]>(), pair) };
    }
}

/// Half to 4-bit; `n` is even.
///
/// # Safety
/// As [`lane::LaneFn`].
unsafe fn f16_to_s4<const MODE: u32, const CLAMP: bool>(
    to: *mut u8,
    a: *const u8,
    _: *const u8,
    n: usize,
    _: &Env,
) {
    for i in 0..n / 2 {
        // SAFETY: elements 2i and 2i+1 are inside the run.
        let pair = unsafe { ptr::read_unaligned(a.wrapping_add(i * 4).cast::<[u16; 2]>()) };
        let [low, high] = pair.map(|raw| {
            let x = integral::<MODE>(half::f16::from_bits(raw).to_f32_const());
            let x = if CLAMP || x.is_infinite() { x.clamp(-8.0, 7.0) } else { x };
            (i32::from_integral::<true>(x) & 15) as u8
        });
        // SAFETY: byte i holds elements 2i and 2i+1 of the run.
        unsafe { ptr::write(to.wrapping_add(i), low | high << 4) };
    }
}

fn pick<C: Cast>(fast: bool) -> Lanes {
    lane::lanes::<Conversion<C>>(fast)
}

/// Lane functions of the conversion from `src` to `dst` with one round mode.
fn lanes_of_mode<const MODE: u32>(src: DType, dst: DType, fast: bool) -> Option<Lanes> {
    use DType::{Bf16, F16 as Half16, F32 as Single32, S4, S8, S16, S32, S64, U8};
    let rint = MODE == mode::RINT;
    Some(match (src, dst) {
        (S4, Half16) => [s4_to_f16, s4_to_f16],
        (Half16, S4) => [f16_to_s4::<MODE, true>, f16_to_s4::<MODE, false>],
        (S8, Half16) => pick::<Widen<Bits<i8>, F16>>(fast),
        (U8, Half16) => pick::<Widen<Bits<u8>, F16>>(fast),
        (S16, Half16) if rint => pick::<Widen<Bits<i16>, F16>>(fast),
        (S16, Half16) => pick::<ShortToHalf<MODE>>(fast),
        (S16, Single32) => pick::<Widen<Bits<i16>, F32>>(fast),
        (S32, S16) => pick::<Shorten<i32, i16>>(fast),
        (S32, Single32) => pick::<ToFloat<i32, MODE>>(fast),
        (S32, S64) => pick::<Widen<Bits<i32>, Bits<i64>>>(fast),
        (S64, S32) => pick::<Shorten<i64, i32>>(fast),
        (S64, Single32) => pick::<ToFloat<i64, MODE>>(fast),
        (Half16, S8) => pick::<ToInteger<F16, i8, MODE>>(fast),
        (Half16, U8) => pick::<ToInteger<F16, u8, MODE>>(fast),
        (Half16, S16) => pick::<ToInteger<F16, i16, MODE>>(fast),
        (Half16, S32) => pick::<ToInteger<F16, i32, MODE>>(fast),
        (Half16, Single32) => pick::<Widen<F16, F32>>(fast),
        (Bf16, S32) => pick::<ToInteger<lane::Bf16, i32, MODE>>(fast),
        (Bf16, Single32) => pick::<Widen<lane::Bf16, F32>>(fast),
        (Single32, S16) => pick::<ToInteger<F32, i16, MODE>>(fast),
        (Single32, S32) => pick::<ToInteger<F32, i32, MODE>>(fast),
        (Single32, S64) => pick::<ToInteger<F32, i64, MODE>>(fast),
        (Single32, Half16) if rint => pick::<Widen<F32, F16>>(fast),
        (Single32, Half16) => pick::<ToShortFloat<Half, MODE>>(fast),
        (Single32, Bf16) if rint => pick::<Widen<F32, lane::Bf16>>(fast),
        (Single32, Bf16) => pick::<ToShortFloat<number::Brain, MODE>>(fast),
        (Single32, Single32) => pick::<Integral<MODE>>(fast),
        _ => return None,
    })
}

/// Lane functions of a conversion.
pub(super) fn lanes(mode: RoundMode, src: DType, dst: DType, fast: bool) -> Option<Lanes> {
    match mode {
        RoundMode::None | RoundMode::Rint => lanes_of_mode::<{ mode::RINT }>(src, dst, fast),
        RoundMode::Floor => lanes_of_mode::<{ mode::FLOOR }>(src, dst, fast),
        RoundMode::Ceil => lanes_of_mode::<{ mode::CEIL }>(src, dst, fast),
        RoundMode::Round => lanes_of_mode::<{ mode::ROUND }>(src, dst, fast),
        RoundMode::Trunc => lanes_of_mode::<{ mode::TRUNC }>(src, dst, fast),
        // Only float → half rounds to odd.
        RoundMode::Odd if (src, dst) == (DType::F32, DType::F16) => {
            Some(pick::<ToShortFloat<Half, { mode::ODD }>>(fast))
        }
        RoundMode::Odd => None,
    }
}

/// Lane functions of int32 × scale → half.
pub(super) fn dequantise(fast: bool) -> Lanes {
    lane::lanes::<Dequantise>(fast)
}
