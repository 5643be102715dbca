//! Lane functions of operations with several stages, or with the destination as an input.
//!
//! As [`super::super::lane`], generic over formats and instruction set, but an operation sees a whole group, so that a stage can be rounded to
//! half with the machine's conversion.
//!
//! Unsafe room: raw loads and stores of runs that the decoder has checked.
#![allow(unsafe_code)]

use crate::exec::Env;
use crate::exec::lane::{self, Bits, F16, F32, Format, Grouped, Isa, Lanes, Val};
use crate::exec::number::{Integer, integral, mode};
use crate::exec::ops::FromScalar;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ptr;
use toprope_abi::isa::{CompoundKind, DType};

/// ReLU of a value.
pub(super) trait Clip {
    /// max(self, 0); −0 becomes +0, NaN stays.
    fn relu(self) -> Self;
}

impl Clip for f32 {
    #[inline(always)]
    fn relu(self) -> f32 {
        if self > 0.0 || self.is_nan() { self } else { 0.0 }
    }
}

impl Clip for i16 {
    #[inline(always)]
    fn relu(self) -> i16 {
        self.max(0)
    }
}

/// An operation on a group.
trait Fused {
    /// Format of the sources.
    type S: Format;
    /// Format of the destination.
    type D: Format;
    /// What is taken from the environment once per run.
    type Param: Copy;
    /// Two sources, else one.
    const TWO: bool;
    /// The destination is an input.
    const READS_DST: bool;
    /// Reads the environment.
    fn param(env: &Env) -> Self::Param;
    /// Computes a group; an input that is not there is a default value.
    ///
    /// # Safety
    /// The machine must have the instruction set.
    unsafe fn apply<I: Isa, const CLAMP: bool, const C: usize>(
        p: Self::Param,
        a: [Val<Self::S>; C],
        b: [Val<Self::S>; C],
        d: [Val<Self::D>; C],
    ) -> [Val<Self::D>; C];
}

/// `f` of every element of three arrays.
#[inline(always)]
fn zip<A: Copy, B: Copy, D: Copy, T: Copy + Default, const C: usize>(
    a: [A; C],
    b: [B; C],
    d: [D; C],
    f: impl Fn(A, B, D) -> T,
) -> [T; C] {
    let mut out = [T::default(); C];
    for i in 0..C {
        out[i] = f(a[i], b[i], d[i]);
    }
    out
}

/// Rounds to half and clamps: the end of a stage.
///
/// # Safety
/// The machine must have the instruction set.
#[inline(always)]
unsafe fn half_stage<I: Isa, const CLAMP: bool, const C: usize>(v: [f32; C]) -> [f32; C] {
    // SAFETY: the caller vouches for the instruction set.
    let raw = unsafe { F16::store::<I, CLAMP, C>(v) };
    // SAFETY: as above.
    unsafe { F16::load::<I, C>(raw) }
}

/// dst + src · scalar.
struct Axpy<S, D>(PhantomData<(S, D)>);
/// dst + src0 · src1.
struct MulAddDst<S, D>(PhantomData<(S, D)>);
/// src0 · dst + src1, with or without ReLU.
struct MulDstAdd<F, const RELU: bool>(PhantomData<F>);
/// max(src0 ± src1, 0) of halves to int8.
struct HalfSumToByte<const SUB: bool>;
/// max(src0 ± src1, 0) of int16 to int8.
struct ShortSumToByte<const SUB: bool>;
/// max(src0 ± src1, 0) of floats to half.
struct FloatSumToHalf<const SUB: bool>;
/// src0 · src1 of halves to 8 bits.
struct ProductToByte<T>(PhantomData<T>);

impl<S, D> Fused for Axpy<S, D>
where
    S: Format<Val = f32, Raw: FromScalar>,
    D: Format<Val = f32>,
{
    type S = S;
    type D = D;
    type Param = f32;
    const TWO: bool = false;
    const READS_DST: bool = true;

    #[inline(always)]
    fn param(env: &Env) -> f32 {
        lane::load_plain::<S>(S::Raw::from_scalar(env.value))
    }

    #[inline(always)]
    unsafe fn apply<I: Isa, const CLAMP: bool, const C: usize>(
        s: f32,
        a: [f32; C],
        b: [f32; C],
        d: [f32; C],
    ) -> [f32; C] {
        let mut product = zip(a, b, d, |a, _, _| a * s);
        if D::HALF {
            // SAFETY: the caller vouches for the instruction set.
            product = unsafe { half_stage::<I, CLAMP, C>(product) };
        }
        zip(product, b, d, |p, _, d| p + d)
    }
}

impl<S: Format<Val = f32>, D: Format<Val = f32>> Fused for MulAddDst<S, D> {
    type S = S;
    type D = D;
    type Param = ();
    const TWO: bool = true;
    const READS_DST: bool = true;

    #[inline(always)]
    fn param(_: &Env) {}

    #[inline(always)]
    unsafe fn apply<I: Isa, const CLAMP: bool, const C: usize>(
        (): (),
        a: [f32; C],
        b: [f32; C],
        d: [f32; C],
    ) -> [f32; C] {
        let mut product = zip(a, b, d, |a, b, _| a * b);
        if D::HALF {
            // SAFETY: the caller vouches for the instruction set.
            product = unsafe { half_stage::<I, CLAMP, C>(product) };
        }
        zip(product, b, d, |p, _, d| p + d)
    }
}

impl<F: Format<Val = f32>, const RELU: bool> Fused for MulDstAdd<F, RELU> {
    type S = F;
    type D = F;
    type Param = ();
    const TWO: bool = true;
    const READS_DST: bool = true;

    #[inline(always)]
    fn param(_: &Env) {}

    #[inline(always)]
    unsafe fn apply<I: Isa, const CLAMP: bool, const C: usize>(
        (): (),
        a: [f32; C],
        b: [f32; C],
        d: [f32; C],
    ) -> [f32; C] {
        let mut product = zip(a, b, d, |a, _, d| a * d);
        if F::HALF {
            // SAFETY: the caller vouches for the instruction set.
            product = unsafe { half_stage::<I, CLAMP, C>(product) };
        }
        // Rounding and clamping keep the sign, so the ReLU may come before them.
        zip(product, b, d, |p, b, _| if RELU { (p + b).relu() } else { p + b })
    }
}

impl<const SUB: bool> Fused for HalfSumToByte<SUB> {
    type S = F16;
    type D = Bits<i8>;
    type Param = ();
    const TWO: bool = true;
    const READS_DST: bool = false;

    #[inline(always)]
    fn param(_: &Env) {}

    #[inline(always)]
    unsafe fn apply<I: Isa, const CLAMP: bool, const C: usize>(
        (): (),
        a: [f32; C],
        b: [f32; C],
        d: [i8; C],
    ) -> [i8; C] {
        let sum = zip(a, b, d, |a, b, _| if SUB { a - b } else { a + b });
        // SAFETY: the caller vouches for the instruction set.
        let sum = unsafe { half_stage::<I, CLAMP, C>(sum) };
        zip(sum, b, d, |s, _, _| i8::from_integral::<true>(integral::<{ mode::RINT }>(s.relu())))
    }
}

impl<const SUB: bool> Fused for ShortSumToByte<SUB> {
    type S = Bits<i16>;
    type D = Bits<i8>;
    type Param = ();
    const TWO: bool = true;
    const READS_DST: bool = false;

    #[inline(always)]
    fn param(_: &Env) {}

    #[inline(always)]
    unsafe fn apply<I: Isa, const CLAMP: bool, const C: usize>(
        (): (),
        a: [i16; C],
        b: [i16; C],
        d: [i8; C],
    ) -> [i8; C] {
        zip(a, b, d, |a, b, _| {
            let sum = if SUB { a.saturating_sub(b) } else { a.saturating_add(b) };
            sum.clamp(0, 127) as i8
        })
    }
}

impl<const SUB: bool> Fused for FloatSumToHalf<SUB> {
    type S = F32;
    type D = F16;
    type Param = ();
    const TWO: bool = true;
    const READS_DST: bool = false;

    #[inline(always)]
    fn param(_: &Env) {}

    #[inline(always)]
    unsafe fn apply<I: Isa, const CLAMP: bool, const C: usize>(
        (): (),
        a: [f32; C],
        b: [f32; C],
        d: [f32; C],
    ) -> [f32; C] {
        // A comparison with NaN is false: NaN becomes +0.
        zip(a, b, d, |a, b, _| {
            let sum = if SUB { a - b } else { a + b };
            if sum > 0.0 { sum } else { 0.0 }
        })
    }
}

impl<T: Integer> Fused for ProductToByte<T> {
    type S = F16;
    type D = Bits<T>;
    type Param = ();
    const TWO: bool = true;
    const READS_DST: bool = false;

    #[inline(always)]
    fn param(_: &Env) {}

    #[inline(always)]
    unsafe fn apply<I: Isa, const CLAMP: bool, const C: usize>(
        (): (),
        a: [f32; C],
        b: [f32; C],
        d: [T; C],
    ) -> [T; C] {
        let product = zip(a, b, d, |a, b, _| a * b);
        // SAFETY: the caller vouches for the instruction set.
        let product = unsafe { half_stage::<I, CLAMP, C>(product) };
        zip(product, b, d, |p, _, _| T::from_integral::<true>(integral::<{ mode::RINT }>(p)))
    }
}

/// # Safety
/// Elements `i..i + C` are inside the run; the machine has the instruction set.
#[inline(always)]
unsafe fn load<I: Isa, F: Format, const C: usize>(from: *const u8, i: usize) -> [Val<F>; C] {
    let at = from.wrapping_add(i * size_of::<F::Raw>()).cast::<[F::Raw; C]>();
    // SAFETY: elements i..i+C are inside the run.
    let raw = unsafe { ptr::read_unaligned(at) };
    // SAFETY: the caller vouches for the instruction set.
    unsafe { F::load::<I, C>(raw) }
}

/// Runs a [`Fused`] operation group by group.
struct Stages<O>(PhantomData<O>);

impl<O: Fused> Grouped for Stages<O> {
    const HALF: bool = O::S::HALF || O::D::HALF;
    type Param = O::Param;

    #[inline(always)]
    fn param(env: &Env) -> O::Param {
        O::param(env)
    }

    #[inline(always)]
    unsafe fn group<I: Isa, const CLAMP: bool, const C: usize>(
        p: O::Param,
        to: *mut u8,
        a: *const u8,
        b: *const u8,
        i: usize,
    ) {
        // SAFETY: elements i..i+C are inside the run.
        let va = unsafe { load::<I, O::S, C>(a, i) };
        let vb = if O::TWO {
            // SAFETY: as above.
            unsafe { load::<I, O::S, C>(b, i) }
        } else {
            [Val::<O::S>::default(); C]
        };
        let vd = if O::READS_DST {
            // SAFETY: as above.
            unsafe { load::<I, O::D, C>(to, i) }
        } else {
            [Val::<O::D>::default(); C]
        };
        // SAFETY: the caller vouches for the instruction set.
        let out = unsafe { O::apply::<I, CLAMP, C>(p, va, vb, vd) };
        // SAFETY: as above.
        let raw = unsafe { O::D::store::<I, CLAMP, C>(out) };
        let at = to.wrapping_add(i * size_of::<<O::D as Format>::Raw>()).cast::<[<O::D as Format>::Raw; C]>();
        // SAFETY: elements i..i+C are inside the run.
        unsafe { ptr::write_unaligned(at, raw) };
    }
}

fn pick<O: Fused>(fast: bool) -> Option<Lanes> {
    Some(lane::lanes_of::<Stages<O>>(fast))
}

/// Lane functions of a row; `None` if the pair of types has none.
pub(super) fn lanes(kind: CompoundKind, src: DType, dst: DType, fast: bool) -> Option<Lanes> {
    use CompoundKind as K;
    use DType as T;
    match (kind, src, dst) {
        (K::Axpy, T::F16, T::F16) => pick::<Axpy<F16, F16>>(fast),
        (K::Axpy, T::F32, T::F32) => pick::<Axpy<F32, F32>>(fast),
        (K::Axpy, T::F16, T::F32) => pick::<Axpy<F16, F32>>(fast),
        (K::MulAddDst, T::F16, T::F16) => pick::<MulAddDst<F16, F16>>(fast),
        (K::MulAddDst, T::F32, T::F32) => pick::<MulAddDst<F32, F32>>(fast),
        (K::MulAddDst, T::F16, T::F32) => pick::<MulAddDst<F16, F32>>(fast),
        (K::FusedMulAdd, T::F16, T::F16) => pick::<MulDstAdd<F16, false>>(fast),
        (K::FusedMulAdd, T::F32, T::F32) => pick::<MulDstAdd<F32, false>>(fast),
        (K::FusedMulAddRelu, T::F16, T::F16) => pick::<MulDstAdd<F16, true>>(fast),
        (K::FusedMulAddRelu, T::F32, T::F32) => pick::<MulDstAdd<F32, true>>(fast),
        (K::AddReluCast, T::F32, T::F16) => pick::<FloatSumToHalf<false>>(fast),
        (K::AddReluCast, T::F16, T::S8) => pick::<HalfSumToByte<false>>(fast),
        (K::AddReluCast, T::S16, T::S8) => pick::<ShortSumToByte<false>>(fast),
        (K::SubReluCast, T::F32, T::F16) => pick::<FloatSumToHalf<true>>(fast),
        (K::SubReluCast, T::F16, T::S8) => pick::<HalfSumToByte<true>>(fast),
        (K::SubReluCast, T::S16, T::S8) => pick::<ShortSumToByte<true>>(fast),
        (K::MulCast, T::F16, T::S8) => pick::<ProductToByte<i8>>(fast),
        (K::MulCast, T::F16, T::U8) => pick::<ProductToByte<u8>>(fast),
        _ => None,
    }
}
