//! Gather by byte offsets, gather of blocks, gather by mask.
//!
//! | kind | x0 | x1 | x2 | x3 |
//! |---|---|---|---|---|
//! | `Elements`, `DataBlocks` | dst | offsets (u32, bytes) | configuration with the base | - |
//! | `Mask` | dst | src | pattern tensor (pattern 0 only) | configuration |
//!
//! The base is the low half of an address; the memory is UB.

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GatherKind {
    /// An element per offset.
    #[doc(alias = "Gather")]
    Elements,
    /// A data block per offset, eight per repeat.
    #[doc(alias = "Gatherb")]
    DataBlocks,
    /// The elements whose bit is set, packed; their number goes to RSVD_CNT.
    #[doc(alias = "GatherMask")]
    Mask,
}

#[rustfmt::skip]
macro_rules! gather_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
        VgatherB16, "VGATHER.b16", Gather(GatherKind::Elements), B16, B16, V, VecGather, Verified, VectorGather;
        VgatherB32, "VGATHER.b32", Gather(GatherKind::Elements), B32, B32, V, VecGather, Verified, VectorGather;
        VgatherbB16, "VGATHERB.b16", Gather(GatherKind::DataBlocks), B16, B16, V, VecGather, Assumed, VectorGatherBlock;
        VgatherbB32, "VGATHERB.b32", Gather(GatherKind::DataBlocks), B32, B32, V, VecGather, Assumed, VectorGatherBlock;
        Vreducev2B16, "VREDUCEv2.b16", Gather(GatherKind::Mask), B16, B16, V, GatherMask, Verified, VectorGatherMask;
        Vreducev2B32, "VREDUCEv2.b32", Gather(GatherKind::Mask), B32, B32, V, GatherMask, Verified, VectorGatherMask;
    } };
}
