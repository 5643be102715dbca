//! Element-wise operations.

use super::Env;
use super::lane::{F16, F32, Op, Val};
use std::marker::PhantomData;

/// Two sources, same format.
pub(super) struct Two<F, G>(PhantomData<(F, G)>);

/// A function of two values.
pub(super) trait Fn2<V> {
    /// Computes one element.
    fn call<const CLAMP: bool>(a: V, b: V) -> V;
}

impl<F: super::lane::Format, G: Fn2<Val<F>>> Op for Two<F, G> {
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

/// Addition.
pub(super) struct Add;

impl Fn2<f32> for Add {
    #[inline(always)]
    fn call<const CLAMP: bool>(a: f32, b: f32) -> f32 {
        a + b
    }
}

/// `Add` on half.
pub(super) type AddF16 = Two<F16, Add>;
/// `Add` on float.
pub(super) type AddF32 = Two<F32, Add>;
