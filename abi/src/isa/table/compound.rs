//! Compound arithmetic: multiply-add forms, fused ReLU and conversions, dequantisation.

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompoundKind {}

#[rustfmt::skip]
macro_rules! compound_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
    } };
}
