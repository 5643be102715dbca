//! Element-wise operations of vector instructions.
//!
//! - **float** (f32): IEEE, round to nearest even, subnormals kept, never saturated. `Exp`, `Ln` and `Rsqrt` are
//!   computed in f64 and rounded once more (within 1 ULP; almost always correctly rounded). `Reciprocal` and
//!   `Sqrt` are correctly rounded. The chip's `Rsqrt` and `Reciprocal` are coarser.
//! - **half**: computed in f32, rounded once to nearest even. For + − × ÷ √ that is the correctly rounded half
//!   result. In saturation mode (CTRL\[48\] = 0) a result of ±inf becomes ±65504 and NaN becomes 0, also where
//!   the operation only passes its input on (`Abs`, `Max`).
//! - **integers**: wrap when CTRL\[48\] = 1, clamp when it is 0.
//! - **Max/Min**: NaN if any operand is NaN; +0 is greater than −0. **Relu**: −0 and negatives become +0, NaN stays
//!   NaN. **LeakyRelu**: an operand with the sign bit set (also −0) is multiplied by the scalar, any other
//!   stays. (The public table shows odd signs for −MAX × ±inf in saturation mode; here the product is taken.)
//! - **Shifts**: right shifts of signed types copy the sign; left shifts of signed types *keep the sign bit* and
//!   shift the rest, as the public page shows. A shift by the full width leaves only that.
//! - A NaN result is the canonical quiet NaN (0x7fc00000, 0x7e00, 0x7fc0).

use super::Env;
use super::lane::{Format, Op, Val};
use std::marker::PhantomData;

/// A function of one value.
pub(super) trait Fn1<V> {
    /// Computes one element.
    fn call<const CLAMP: bool>(a: V) -> V;
}

/// A function of two values.
pub(super) trait Fn2<V> {
    /// Computes one element.
    fn call<const CLAMP: bool>(a: V, b: V) -> V;
}

/// Raw elements from scalar operands.
pub(super) trait FromScalar {
    /// The low bits of `bits`.
    fn from_scalar(bits: u64) -> Self;
}

macro_rules! from_scalar {
    ($($t:ty)*) => {$(
        impl FromScalar for $t {
            #[inline(always)]
            fn from_scalar(bits: u64) -> $t {
                bits as $t
            }
        }
    )*};
}

from_scalar! { i8 u16 i16 u32 i32 }

impl FromScalar for f32 {
    #[inline(always)]
    fn from_scalar(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
}

#[inline(always)]
fn scalar<F: Format<Raw: FromScalar>>(env: &Env) -> Val<F> {
    super::lane::load_plain::<F>(F::Raw::from_scalar(env.value))
}

/// One source.
pub(super) struct One<F, G>(PhantomData<(F, G)>);
/// Two sources.
pub(super) struct Two<F, G>(PhantomData<(F, G)>);
/// One source and a scalar.
pub(super) struct WithScalar<F, G>(PhantomData<(F, G)>);
/// One source and a shift distance.
pub(super) struct Shift<F, G>(PhantomData<(F, G)>);
/// No source: the scalar.
pub(super) struct Fill<F>(PhantomData<F>);

impl<F: Format, G: Fn1<Val<F>>> Op for One<F, G> {
    type S = F;
    type D = F;
    type Param = ();
    const SOURCES: usize = 1;

    #[inline(always)]
    fn param(_: &Env) {}

    #[inline(always)]
    fn apply<const CLAMP: bool>((): (), a: Val<F>, _: Val<F>) -> Val<F> {
        G::call::<CLAMP>(a)
    }
}

impl<F: Format, G: Fn2<Val<F>>> Op for Two<F, G> {
    type S = F;
    type D = F;
    type Param = ();
    const SOURCES: usize = 2;

    #[inline(always)]
    fn param(_: &Env) {}

    #[inline(always)]
    fn apply<const CLAMP: bool>((): (), a: Val<F>, b: Val<F>) -> Val<F> {
        G::call::<CLAMP>(a, b)
    }
}

impl<F: Format<Raw: FromScalar>, G: Fn2<Val<F>>> Op for WithScalar<F, G> {
    type S = F;
    type D = F;
    type Param = Val<F>;
    const SOURCES: usize = 1;

    #[inline(always)]
    fn param(env: &Env) -> Val<F> {
        scalar::<F>(env)
    }

    #[inline(always)]
    fn apply<const CLAMP: bool>(s: Val<F>, a: Val<F>, _: Val<F>) -> Val<F> {
        G::call::<CLAMP>(a, s)
    }
}

/// A shift of one value.
pub(super) trait FnShift<V> {
    /// Shifts by `n` bits, at most the width.
    fn call(a: V, n: u32) -> V;
}

impl<F: Format, G: FnShift<Val<F>>> Op for Shift<F, G> {
    type S = F;
    type D = F;
    type Param = u32;
    const SOURCES: usize = 1;

    #[inline(always)]
    fn param(env: &Env) -> u32 {
        env.value as u32
    }

    #[inline(always)]
    fn apply<const CLAMP: bool>(n: u32, a: Val<F>, _: Val<F>) -> Val<F> {
        G::call(a, n)
    }
}

impl<F: Format<Raw: FromScalar>> Op for Fill<F> {
    type S = F;
    type D = F;
    type Param = Val<F>;
    const SOURCES: usize = 0;

    #[inline(always)]
    fn param(env: &Env) -> Val<F> {
        scalar::<F>(env)
    }

    #[inline(always)]
    fn apply<const CLAMP: bool>(s: Val<F>, _: Val<F>, _: Val<F>) -> Val<F> {
        s
    }
}

/// a + b.
pub(super) struct Add;
/// a − b.
pub(super) struct Sub;
/// a × b.
pub(super) struct Mul;
/// a ÷ b.
pub(super) struct Div;
/// Greater of both.
pub(super) struct Max;
/// Smaller of both.
pub(super) struct Min;
/// Bitwise and.
pub(super) struct And;
/// Bitwise or.
pub(super) struct Or;
/// a, or a × b if a has its sign bit set.
pub(super) struct LeakyRelu;
/// Left shift.
pub(super) struct ShiftLeft;
/// Right shift.
pub(super) struct ShiftRight;
/// |a|.
pub(super) struct Abs;
/// max(a, 0).
pub(super) struct Relu;
/// e^a.
pub(super) struct Exp;
/// Natural logarithm.
pub(super) struct Ln;
/// Square root.
pub(super) struct Sqrt;
/// 1 / √a.
pub(super) struct Rsqrt;
/// 1 / a.
pub(super) struct Reciprocal;
/// Bitwise not.
pub(super) struct Not;
/// a.
pub(super) struct Same;

macro_rules! float2 {
    ($($op:ident: |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl Fn2<f32> for $op {
            #[inline(always)]
            fn call<const CLAMP: bool>($a: f32, $b: f32) -> f32 {
                $value
            }
        }
    )*};
}

float2! {
    Add: |a, b| a + b;
    Sub: |a, b| a - b;
    Mul: |a, b| a * b;
    Div: |a, b| a / b;
    LeakyRelu: |a, s| if a.to_bits() >> 31 == 1 { a * s } else { a };
    Max: |a, b| {
        // Equal values differ at most in the sign of zero: "and" keeps +0.
        let zero = f32::from_bits(a.to_bits() & b.to_bits());
        let m = if a > b { a } else { b };
        let m = if a == b { zero } else { m };
        if a.is_nan() { a } else { m }
    };
    Min: |a, b| {
        let zero = f32::from_bits(a.to_bits() | b.to_bits());
        let m = if a < b { a } else { b };
        let m = if a == b { zero } else { m };
        if a.is_nan() { a } else { m }
    };
}

macro_rules! float1 {
    ($($op:ident: |$a:ident| $value:expr;)*) => {$(
        impl Fn1<f32> for $op {
            #[inline(always)]
            fn call<const CLAMP: bool>($a: f32) -> f32 {
                $value
            }
        }
    )*};
}

float1! {
    Abs: |a| f32::from_bits(a.to_bits() & 0x7fff_ffff);
    Relu: |a| if a > 0.0 || a.is_nan() { a } else { 0.0 };
    Exp: |a| super::elementary::exp(a);
    Ln: |a| super::elementary::ln(a);
    Sqrt: |a| a.sqrt();
    Rsqrt: |a| (1.0 / f64::from(a).sqrt()) as f32;
    Reciprocal: |a| 1.0 / a;
}

macro_rules! integer2 {
    ($($t:ty)*) => {$(
        impl Fn2<$t> for Add {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t, b: $t) -> $t {
                if CLAMP { a.saturating_add(b) } else { a.wrapping_add(b) }
            }
        }
        impl Fn2<$t> for Sub {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t, b: $t) -> $t {
                if CLAMP { a.saturating_sub(b) } else { a.wrapping_sub(b) }
            }
        }
        impl Fn2<$t> for Mul {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t, b: $t) -> $t {
                if CLAMP { a.saturating_mul(b) } else { a.wrapping_mul(b) }
            }
        }
        impl Fn2<$t> for Max {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t, b: $t) -> $t {
                a.max(b)
            }
        }
        impl Fn2<$t> for Min {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t, b: $t) -> $t {
                a.min(b)
            }
        }
    )*};
}

integer2! { i8 i16 i32 }

macro_rules! bitwise {
    ($($t:ty)*) => {$(
        impl Fn2<$t> for And {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t, b: $t) -> $t {
                a & b
            }
        }
        impl Fn2<$t> for Or {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t, b: $t) -> $t {
                a | b
            }
        }
        impl Fn1<$t> for Not {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t) -> $t {
                !a
            }
        }
        impl Fn1<$t> for Same {
            #[inline(always)]
            fn call<const CLAMP: bool>(a: $t) -> $t {
                a
            }
        }
    )*};
}

bitwise! { u16 u32 }

impl Fn1<i32> for Relu {
    #[inline(always)]
    fn call<const CLAMP: bool>(a: i32) -> i32 {
        a.max(0)
    }
}

macro_rules! shifts {
    ($($signed:ty, $unsigned:ty;)*) => {$(
        impl FnShift<$unsigned> for ShiftLeft {
            #[inline(always)]
            fn call(a: $unsigned, n: u32) -> $unsigned {
                if n >= <$unsigned>::BITS { 0 } else { a << n }
            }
        }
        impl FnShift<$unsigned> for ShiftRight {
            #[inline(always)]
            fn call(a: $unsigned, n: u32) -> $unsigned {
                if n >= <$unsigned>::BITS { 0 } else { a >> n }
            }
        }
        impl FnShift<$signed> for ShiftLeft {
            #[inline(always)]
            fn call(a: $signed, n: u32) -> $signed {
                let moved = if n >= <$signed>::BITS { 0 } else { a << n };
                (a & <$signed>::MIN) | (moved & <$signed>::MAX)
            }
        }
        impl FnShift<$signed> for ShiftRight {
            #[inline(always)]
            fn call(a: $signed, n: u32) -> $signed {
                a >> n.min(<$signed>::BITS - 1)
            }
        }
    )*};
}

shifts! {
    i16, u16;
    i32, u32;
}
