//! Order between cores: cross-core flags.

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CrossKind {}

#[rustfmt::skip]
macro_rules! cross_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
    } };
}
