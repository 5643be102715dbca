//! Caches, data barriers and what else belongs to no pipe of its own: the scalar unit does it when it is issued.
//!
//! | kind | x0 | x1 | x2 |
//! |---|---|---|---|
//! | `CacheClean` | address | 0 its line, 1 the whole data cache | memory it is made to agree with (0 all, 1 UB, 2 GM, 3 atomics) |
//! | `CachePreload` | GM address | offset in bytes | - |
//! | `DataBarrier` | 0 all, 1 GM, 2 UB, 3 SEQ | - | - |
//! | `Watch` | number of the watch, 0..3 | configuration | - |
//!
//! Source: `DCCI` as in the public AscendNPU-IR c220 library (two operands there); the other spellings are ours. Semantics: pages of the
//! Ascend C reference DataCacheCleanAndInvalid, DataCachePreload, DataSyncBarrier, CheckLocalMemoryIA. Scalar accesses, around the cache
//! too, are no rows: [`crate::core_face::TrCore::scalar_access`].

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SystemKind {
    /// Writes back and drops lines of the scalar unit's data cache.
    CacheClean,
    /// Loads a line into the data cache.
    CachePreload,
    /// Holds the scalar unit until earlier accesses to a memory are done.
    DataBarrier,
    /// Watches a range of UB: an access to it is an error.
    Watch,
}

#[rustfmt::skip]
macro_rules! system_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
        Dcci, "DCCI", System(SystemKind::CacheClean), None, None, S, Register, Verified, Scalar;
        DcPreload, "DC.PRELOAD", System(SystemKind::CachePreload), None, None, S, Register, Assumed, Scalar;
        Dsb, "DSB", System(SystemKind::DataBarrier), None, None, S, Register, Assumed, Scalar;
        SetDataExp, "SET.DATA.EXP", System(SystemKind::Watch), None, None, S, Watch, Assumed, Scalar;
        SetStAtomicCfg, "SET.ST.ATOMIC.CFG", SetSpr(Spr::StAtomicCfg), None, None, S, Register, Assumed, Scalar;
    } };
}
