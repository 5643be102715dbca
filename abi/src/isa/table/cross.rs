//! Order between cores: cross-core flags.
//!
//! | kind | x0 | x1 |
//! |---|---|---|
//! | `Set` | pipe | 1, mode << 4, flag << 8 |
//! | `Wait` | flag | - |
//!
//! Source: spellings of the public AscendNPU-IR c220 library; word and modes: Ascend C API reference, CrossCoreSetFlag.

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CrossKind {
    /// Set a cross-core flag; runs on the pipe it names.
    Set,
    /// Wait for a cross-core flag; stops the scalar unit.
    Wait,
}

#[rustfmt::skip]
macro_rules! cross_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
        SetCrossCore, "SET.CROSS.CORE", Cross(CrossKind::Set), None, None, S, Flag, Verified, Sync;
        WaitFlagDevReg, "WAIT.FLAG.DEV.REG", Cross(CrossKind::Wait), None, None, S, Flag, Verified, Sync;
    } };
}
