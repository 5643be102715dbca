//! Reductions: whole repeat, data block, pair; sum, maximum, minimum with index.

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceKind {}

#[rustfmt::skip]
macro_rules! reduce_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
    } };
}
