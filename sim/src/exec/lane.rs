//! Computes one contiguous run of elements: load a group, compute, store.
//!
//! Written once, generic over the operation ([`Op`]), the element formats ([`Format`]) and the instruction set
//! of the machine ([`Isa`]); instantiated twice per operation, with plain code and with AVX2 + F16C. A group
//! is loaded whole before it is stored, so source and destination may be the same. The rest of a run goes
//! through the same code with groups of one.
//!
//! Results do not depend on the instruction set: NaN results are canonical (quiet, positive, no payload), so
//! what the machine does with payloads does not show; multiplication and addition are never fused.
//!
//! Unsafe room: raw loads and stores, CPU intrinsics behind a run-time check.
#![allow(unsafe_code)]

use super::Env;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ptr;

/// Computes `n` contiguous elements: destination, first source, second source (null if there is none).
///
/// # Safety
/// `n` elements must be readable at each source the operation has and writable at the destination; source
/// and destination are the same or apart as the decoder has checked.
pub(super) type LaneFn = unsafe fn(*mut u8, *const u8, *const u8, usize, &Env);

/// Elements computed at once: many, so that loops stay loops and are vectorised as such; fewer where half
/// conversion has to be unrolled into intrinsics.
const GROUP: usize = 64;
const GROUP_OF_HALVES: usize = 16;
/// Elements computed at once in what is left of a run: a data block of 32-bit elements.
const BLOCK: usize = 8;

/// `map` as a plain loop, which the compiler vectorises (`array::map` it unrolls).
#[inline(always)]
fn each<T: Copy, U: Copy + Default, const C: usize>(from: [T; C], f: impl Fn(T) -> U) -> [U; C] {
    let mut to = [U::default(); C];
    for i in 0..C {
        to[i] = f(from[i]);
    }
    to
}

/// What the machine offers for half conversion.
pub(super) trait Isa {
    /// Widens halves exactly.
    ///
    /// # Safety
    /// The machine must have the instruction set.
    unsafe fn widen<const C: usize>(raw: [u16; C]) -> [f32; C];
    /// Rounds to half, to nearest even.
    ///
    /// # Safety
    /// The machine must have the instruction set.
    unsafe fn narrow<const C: usize>(v: [f32; C]) -> [u16; C];
    /// Replaces every NaN by the canonical one.
    ///
    /// # Safety
    /// The machine must have the instruction set.
    unsafe fn canonical<const C: usize>(v: [f32; C]) -> [f32; C];
}

/// The canonical NaN for any NaN; on bits, because the compiler may take any NaN for as good as another.
#[inline(always)]
fn canonical_bits(x: f32) -> f32 {
    let bits = x.to_bits();
    f32::from_bits(if bits & 0x7fff_ffff > 0x7f80_0000 { 0x7fc0_0000 } else { bits })
}

/// Plain code, runs everywhere.
pub(super) struct Plain;

impl Isa for Plain {
    #[inline(always)]
    unsafe fn widen<const C: usize>(raw: [u16; C]) -> [f32; C] {
        each(raw, |r| half::f16::from_bits(r).to_f32_const())
    }

    #[inline(always)]
    unsafe fn narrow<const C: usize>(v: [f32; C]) -> [u16; C] {
        each(v, |x| half::f16::from_f32_const(x).to_bits())
    }

    #[inline(always)]
    unsafe fn canonical<const C: usize>(v: [f32; C]) -> [f32; C] {
        each(v, canonical_bits)
    }
}

/// AVX2 and F16C.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Isa for Avx2 {
    #[inline(always)]
    unsafe fn widen<const C: usize>(raw: [u16; C]) -> [f32; C] {
        use std::arch::x86_64::{__m128i, _mm256_cvtph_ps, _mm256_storeu_ps};
        let mut out = [0f32; C];
        for i in 0..C / 8 {
            // SAFETY: 8 halves are in bounds of `raw`; unaligned load.
            let h = unsafe { ptr::read_unaligned(raw.as_ptr().wrapping_add(i * 8).cast::<__m128i>()) };
            // SAFETY: the caller vouches for F16C.
            let v = unsafe { _mm256_cvtph_ps(h) };
            // SAFETY: 8 floats are in bounds of `out`.
            unsafe { _mm256_storeu_ps(out.as_mut_ptr().wrapping_add(i * 8), v) };
        }
        for i in C / 8 * 8..C {
            out[i] = half::f16::from_bits(raw[i]).to_f32_const();
        }
        out
    }

    #[inline(always)]
    unsafe fn narrow<const C: usize>(v: [f32; C]) -> [u16; C] {
        use std::arch::x86_64::{__m128i, _MM_FROUND_TO_NEAREST_INT, _mm256_cvtps_ph, _mm256_loadu_ps};
        let mut out = [0u16; C];
        for i in 0..C / 8 {
            // SAFETY: 8 floats are in bounds of `v`.
            let f = unsafe { _mm256_loadu_ps(v.as_ptr().wrapping_add(i * 8)) };
            // SAFETY: the caller vouches for F16C.
            let h = unsafe { _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(f) };
            // SAFETY: 8 halves are in bounds of `out`; unaligned store.
            unsafe { ptr::write_unaligned(out.as_mut_ptr().wrapping_add(i * 8).cast::<__m128i>(), h) };
        }
        for i in C / 8 * 8..C {
            out[i] = half::f16::from_f32_const(v[i]).to_bits();
        }
        out
    }

    #[inline(always)]
    unsafe fn canonical<const C: usize>(mut v: [f32; C]) -> [f32; C] {
        use std::arch::x86_64::{
            _CMP_UNORD_Q, _mm256_blendv_ps, _mm256_cmp_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_storeu_ps,
        };
        // SAFETY: the caller vouches for AVX2.
        let nan = unsafe { _mm256_set1_ps(f32::from_bits(0x7fc0_0000)) };
        for i in 0..C / 8 {
            let at = v.as_mut_ptr().wrapping_add(i * 8);
            // SAFETY: 8 floats are in bounds of `v`.
            let x = unsafe { _mm256_loadu_ps(at) };
            // SAFETY: the caller vouches for AVX2.
            let is_nan = unsafe { _mm256_cmp_ps::<_CMP_UNORD_Q>(x, x) };
            // SAFETY: as above.
            let settled = unsafe { _mm256_blendv_ps(x, nan, is_nan) };
            // SAFETY: 8 floats are in bounds of `v`.
            unsafe { _mm256_storeu_ps(at, settled) };
        }
        for x in &mut v[C / 8 * 8..] {
            *x = canonical_bits(*x);
        }
        v
    }
}

/// How an element lies in memory and what it is computed in.
pub(super) trait Format {
    /// In memory.
    type Raw: Copy;
    /// In computation.
    type Val: Copy + Default;
    /// Uses half conversion.
    const HALF: bool = false;
    /// Memory to computation.
    ///
    /// # Safety
    /// The machine must have the instruction set.
    unsafe fn load<I: Isa, const C: usize>(raw: [Self::Raw; C]) -> [Self::Val; C];
    /// Computation to memory; `CLAMP`: saturation mode.
    ///
    /// # Safety
    /// The machine must have the instruction set.
    unsafe fn store<I: Isa, const CLAMP: bool, const C: usize>(v: [Self::Val; C]) -> [Self::Raw; C];
}

/// Half, computed in f32 and rounded once.
pub(super) struct F16;
/// bfloat16, computed in f32.
pub(super) struct Bf16;
/// float; results are canonicalised, never saturated.
pub(super) struct F32;
/// An element stored as it is computed: integers, raw bits, and halves that the operation has rounded itself.
pub(super) struct Bits<T>(PhantomData<T>);

impl Format for F16 {
    const HALF: bool = true;
    type Raw = u16;
    type Val = f32;

    #[inline(always)]
    unsafe fn load<I: Isa, const C: usize>(raw: [u16; C]) -> [f32; C] {
        // SAFETY: the caller vouches for the instruction set.
        unsafe { I::widen(raw) }
    }

    #[inline(always)]
    unsafe fn store<I: Isa, const CLAMP: bool, const C: usize>(v: [f32; C]) -> [u16; C] {
        // SAFETY: the caller vouches for the instruction set.
        let raw = unsafe { I::narrow(v) };
        each(raw, settle_f16::<CLAMP>)
    }
}

thread_local! {
    static OVERFLOWED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// A result was clamped in saturation mode. Only that mode pays for it.
#[cold]
pub(super) fn note_overflow() {
    OVERFLOWED.set(true);
}

/// Whether a result was clamped on this thread since the last call.
pub fn take_overflow() -> bool {
    OVERFLOWED.replace(false)
}

/// Final form of a half result: canonical NaN, or in saturation mode no NaN and no infinity.
#[inline(always)]
pub(super) fn settle_f16<const CLAMP: bool>(h: u16) -> u16 {
    let magnitude = h & 0x7fff;
    let nan = if CLAMP { 0 } else { 0x7e00 };
    if CLAMP && magnitude >= 0x7c00 {
        note_overflow();
    }
    let h = if CLAMP && magnitude == 0x7c00 { h - 1 } else { h };
    if magnitude > 0x7c00 { nan } else { h }
}

/// Final form of a bfloat16 result.
#[inline(always)]
pub(super) fn settle_bf16<const CLAMP: bool>(h: u16) -> u16 {
    let magnitude = h & 0x7fff;
    let nan = if CLAMP { 0 } else { 0x7fc0 };
    if CLAMP && magnitude >= 0x7f80 {
        note_overflow();
    }
    let h = if CLAMP && magnitude == 0x7f80 { h - 1 } else { h };
    if magnitude > 0x7f80 { nan } else { h }
}

impl Format for Bf16 {
    type Raw = u16;
    type Val = f32;

    #[inline(always)]
    unsafe fn load<I: Isa, const C: usize>(raw: [u16; C]) -> [f32; C] {
        each(raw, |r| f32::from_bits(u32::from(r) << 16))
    }

    #[inline(always)]
    unsafe fn store<I: Isa, const CLAMP: bool, const C: usize>(v: [f32; C]) -> [u16; C] {
        each(v, |x| {
            let bits = x.to_bits();
            let rounded = (bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16) as u16;
            settle_bf16::<CLAMP>(if x.is_nan() { 0x7fff } else { rounded })
        })
    }
}

impl Format for F32 {
    type Raw = f32;
    type Val = f32;

    #[inline(always)]
    unsafe fn load<I: Isa, const C: usize>(raw: [f32; C]) -> [f32; C] {
        raw
    }

    #[inline(always)]
    unsafe fn store<I: Isa, const CLAMP: bool, const C: usize>(v: [f32; C]) -> [f32; C] {
        // SAFETY: the caller vouches for the instruction set.
        unsafe { I::canonical(v) }
    }
}

impl<T: Copy + Default> Format for Bits<T> {
    type Raw = T;
    type Val = T;

    #[inline(always)]
    unsafe fn load<I: Isa, const C: usize>(raw: [T; C]) -> [T; C] {
        raw
    }

    #[inline(always)]
    unsafe fn store<I: Isa, const CLAMP: bool, const C: usize>(v: [T; C]) -> [T; C] {
        v
    }
}

/// An element-wise operation.
pub(super) trait Op {
    /// Format of the sources.
    type S: Format;
    /// Format of the destination.
    type D: Format;
    /// What is taken from the environment once per run.
    type Param: Copy;
    /// Number of sources: 0, 1 or 2.
    const SOURCES: usize;
    /// Reads the environment.
    fn param(env: &Env) -> Self::Param;
    /// Computes one element; a missing source is a default value. `CLAMP`: saturation mode.
    fn apply<const CLAMP: bool>(p: Self::Param, a: Val<Self::S>, b: Val<Self::S>) -> Val<Self::D>;
}

/// What a format computes in.
pub(super) type Val<F> = <F as Format>::Val;

/// What a run is made of: groups of elements, loaded whole before they are stored.
pub(super) trait Grouped {
    /// Uses half conversion.
    const HALF: bool;
    /// What is taken from the environment once per run.
    type Param: Copy;
    /// Reads the environment.
    fn param(env: &Env) -> Self::Param;
    /// Loads, computes and stores elements `i..i + C`.
    ///
    /// # Safety
    /// As [`LaneFn`], and the machine must have the instruction set.
    unsafe fn group<I: Isa, const CLAMP: bool, const C: usize>(
        p: Self::Param,
        to: *mut u8,
        a: *const u8,
        b: *const u8,
        i: usize,
    );
}

/// An operation on each element for itself.
struct Each<O>(PhantomData<O>);

impl<O: Op> Grouped for Each<O> {
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
        type Raw<F> = <F as Format>::Raw;
        let source = |from: *const u8| {
            let at = from.wrapping_add(i * size_of::<Raw<O::S>>()).cast::<[Raw<O::S>; C]>();
            // SAFETY: elements i..i+C are inside the run.
            let raw = unsafe { ptr::read_unaligned(at) };
            // SAFETY: the caller vouches for the instruction set.
            unsafe { O::S::load::<I, C>(raw) }
        };
        let none = [Val::<O::S>::default(); C];
        let va = if O::SOURCES >= 1 { source(a) } else { none };
        let vb = if O::SOURCES >= 2 { source(b) } else { none };
        let mut out = [Val::<O::D>::default(); C];
        for j in 0..C {
            out[j] = O::apply::<CLAMP>(p, va[j], vb[j]);
        }
        // SAFETY: the caller vouches for the instruction set.
        let raw = unsafe { O::D::store::<I, CLAMP, C>(out) };
        let at = to.wrapping_add(i * size_of::<Raw<O::D>>()).cast::<[Raw<O::D>; C]>();
        // SAFETY: elements i..i+C are inside the run.
        unsafe { ptr::write_unaligned(at, raw) };
    }
}

/// # Safety
/// As [`Grouped::group`] for elements `0..n`.
#[inline(always)]
unsafe fn run<I: Isa, G: Grouped, const CLAMP: bool>(
    to: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
    env: &Env,
) {
    let p = G::param(env);
    let mut i = 0;
    if G::HALF {
        while i + GROUP_OF_HALVES <= n {
            // SAFETY: i + GROUP_OF_HALVES <= n.
            unsafe { G::group::<I, CLAMP, GROUP_OF_HALVES>(p, to, a, b, i) };
            i += GROUP_OF_HALVES;
        }
    } else {
        while i + GROUP <= n {
            // SAFETY: i + GROUP <= n.
            unsafe { G::group::<I, CLAMP, GROUP>(p, to, a, b, i) };
            i += GROUP;
        }
        while i + BLOCK <= n {
            // SAFETY: i + BLOCK <= n.
            unsafe { G::group::<I, CLAMP, BLOCK>(p, to, a, b, i) };
            i += BLOCK;
        }
    }
    while i < n {
        // SAFETY: i < n.
        unsafe { G::group::<I, CLAMP, 1>(p, to, a, b, i) };
        i += 1;
    }
}

/// # Safety
/// As [`LaneFn`].
unsafe fn plain<G: Grouped, const CLAMP: bool>(to: *mut u8, a: *const u8, b: *const u8, n: usize, env: &Env) {
    // SAFETY: same contract; plain code needs no instruction set.
    unsafe { run::<Plain, G, CLAMP>(to, a, b, n, env) }
}

/// # Safety
/// As [`LaneFn`], and the machine must have AVX2 and F16C.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c")]
unsafe fn avx2<G: Grouped, const CLAMP: bool>(to: *mut u8, a: *const u8, b: *const u8, n: usize, env: &Env) {
    // SAFETY: same contract.
    unsafe { run::<Avx2, G, CLAMP>(to, a, b, n, env) }
}

/// Lane functions of one operation: clamping, not clamping.
pub(super) type Lanes = [LaneFn; 2];

/// Lane functions of `O`; `fast` only where [`has_fast_lanes`] holds.
pub(super) const fn lanes<O: Op>(fast: bool) -> Lanes {
    lanes_of::<Each<O>>(fast)
}

/// Lane functions of what `G` does with groups; `fast` as in [`lanes`].
pub(super) const fn lanes_of<G: Grouped>(fast: bool) -> Lanes {
    #[cfg(target_arch = "x86_64")]
    if fast {
        return [avx2::<G, true>, avx2::<G, false>];
    }
    let _ = fast;
    [plain::<G, true>, plain::<G, false>]
}

/// Loads one element with plain code.
#[inline(always)]
pub(super) fn load_plain<F: Format>(raw: F::Raw) -> F::Val {
    // SAFETY: plain code runs on every machine.
    let [value] = unsafe { F::load::<Plain, 1>([raw]) };
    value
}

/// Whether fast lane functions may be called on this machine.
#[inline]
pub(super) fn has_fast_lanes() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("f16c");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
