//! Moves of the cube core: GM to L1, L1 to L0A/L0B/BT/FB, L1 to GM, constant fills.

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadKind {}

#[rustfmt::skip]
macro_rules! load_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
    } };
}
