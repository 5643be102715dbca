//! Matrix multiplication and Fixpipe.

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CubeKind {}

#[rustfmt::skip]
macro_rules! cube_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
    } };
}
