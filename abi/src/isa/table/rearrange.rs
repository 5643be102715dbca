//! Rearrangement: transposition, 5HD transposition, sort and merge.
//!
//! | kind | x0 | x1 | x2 | x3 |
//! |---|---|---|---|---|
//! | `Transpose` | dst | src | - | - |
//! | `MoveVa` | VA register 0 to 7 | position 0, 2, 4 or 6 | address | address of the next position |
//! | `NchwConv` | first VA register of 16 destinations | of 16 sources | configuration | b8: bit 0 high half of dst, bit 1 of src |
//! | `Sort32` | dst | scores | indices (u32) | configuration |
//! | `MergeSort` | dst | UB offset / 8 of four lists, 16 bits each | lengths, 16 bits each | configuration |
//!
//! Spellings and packings of `S.VNCHWCONV`, `MOVEVA`, `VBS32` and `VMRGSORT` are those of the public AscendNPU-IR library (whose b8 form has the
//! two flags as operands of their own).

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RearrangeKind {
    /// 16 × 16 matrix of 16-bit elements.
    Transpose,
    /// Writes two addresses of an address register.
    MoveVa,
    /// Transposes 16 blocks that address registers name.
    NchwConv,
    /// Sorts 32 scores with their indices per repeat.
    Sort32,
    /// Merges up to four sorted lists.
    MergeSort,
}

#[rustfmt::skip]
macro_rules! rearrange_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
        VtransposeB16, "VTRANSPOSE.b16", Rearrange(RearrangeKind::Transpose), B16, B16, V, Register, Assumed, VectorTranspose;
        Moveva, "MOVEVA", Rearrange(RearrangeKind::MoveVa), None, None, S, Register, Verified, Scalar;
        SVnchwconvB8, "S.VNCHWCONV.b8", Rearrange(RearrangeKind::NchwConv), B8, B8, V, NchwConv, Verified, VectorTranspose;
        SVnchwconvB16, "S.VNCHWCONV.b16", Rearrange(RearrangeKind::NchwConv), B16, B16, V, NchwConv, Verified, VectorTranspose;
        SVnchwconvB32, "S.VNCHWCONV.b32", Rearrange(RearrangeKind::NchwConv), B32, B32, V, NchwConv, Verified, VectorTranspose;
        Vbs32F16, "VBS32.f16", Rearrange(RearrangeKind::Sort32), F16, F16, V, VecRepeat, Verified, VectorSort;
        Vbs32F32, "VBS32.f32", Rearrange(RearrangeKind::Sort32), F32, F32, V, VecRepeat, Verified, VectorSort;
        VmrgsortF16V220, "VMRGSORT.f16.V220", Rearrange(RearrangeKind::MergeSort), F16, F16, V, Merge, Verified, VectorMerge;
        VmrgsortF32V220, "VMRGSORT.f32.V220", Rearrange(RearrangeKind::MergeSort), F32, F32, V, Merge, Verified, VectorMerge;
    } };
}
