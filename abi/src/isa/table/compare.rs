//! Compare, compare to the mask register, select, and the mask register CMPMASK.
//!
//! | kind | x0 | x1 | x2 | x3 |
//! |---|---|---|---|---|
//! | `Tensors` | dst (bits) | src0 | src1 | configuration |
//! | `Scalar` | dst (bits) | src | scalar bits | configuration |
//! | `ToRegister` | src0 | src1 | configuration | - |
//! | `Select` | dst | src0 | src1, or the mask tensor in mode 1 | configuration with the mode |
//! | `SetRegister` | src (16 bytes) | - | - | - |
//! | `GetRegister` | dst (16 bytes) | - | - | - |

/// What is asked of two elements; the values are those of Ascend C's `CMPMODE`. A NaN on either side answers no, also for `Ne`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[doc(alias = "CMPMODE")]
#[allow(missing_docs)]
pub enum Comparison {
    Lt = 0,
    Gt = 1,
    Eq = 2,
    Le = 3,
    Ge = 4,
    Ne = 5,
}

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareKind {
    /// Two tensors to one bit per element.
    Tensors(Comparison),
    /// A tensor and a scalar to one bit per element.
    Scalar(Comparison),
    /// One repeat of two tensors to CMPMASK.
    ToRegister(Comparison),
    /// Elements of one source or the other, by bits; the mode is a field of the configuration.
    Select,
    /// 16 bytes of UB to CMPMASK.
    SetRegister,
    /// CMPMASK to 16 bytes of UB.
    GetRegister,
}

#[rustfmt::skip]
macro_rules! compare_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
        VcmpvLtF16, "VCMPV.LT.f16", Compare(CompareKind::Tensors(Comparison::Lt)), U8, F16, V, VecBinary, Verified, Vector;
        VcmpvLtF32, "VCMPV.LT.f32", Compare(CompareKind::Tensors(Comparison::Lt)), U8, F32, V, VecBinary, Verified, Vector;
        VcmpvGtF16, "VCMPV.GT.f16", Compare(CompareKind::Tensors(Comparison::Gt)), U8, F16, V, VecBinary, Verified, Vector;
        VcmpvGtF32, "VCMPV.GT.f32", Compare(CompareKind::Tensors(Comparison::Gt)), U8, F32, V, VecBinary, Verified, Vector;
        VcmpvEqF16, "VCMPV.EQ.f16", Compare(CompareKind::Tensors(Comparison::Eq)), U8, F16, V, VecBinary, Verified, Vector;
        VcmpvEqF32, "VCMPV.EQ.f32", Compare(CompareKind::Tensors(Comparison::Eq)), U8, F32, V, VecBinary, Verified, Vector;
        VcmpvEqS32, "VCMPV.EQ.s32", Compare(CompareKind::Tensors(Comparison::Eq)), U8, S32, V, VecBinary, Verified, Vector;
        VcmpvLeF16, "VCMPV.LE.f16", Compare(CompareKind::Tensors(Comparison::Le)), U8, F16, V, VecBinary, Verified, Vector;
        VcmpvLeF32, "VCMPV.LE.f32", Compare(CompareKind::Tensors(Comparison::Le)), U8, F32, V, VecBinary, Verified, Vector;
        VcmpvGeF16, "VCMPV.GE.f16", Compare(CompareKind::Tensors(Comparison::Ge)), U8, F16, V, VecBinary, Verified, Vector;
        VcmpvGeF32, "VCMPV.GE.f32", Compare(CompareKind::Tensors(Comparison::Ge)), U8, F32, V, VecBinary, Verified, Vector;
        VcmpvNeF16, "VCMPV.NE.f16", Compare(CompareKind::Tensors(Comparison::Ne)), U8, F16, V, VecBinary, Verified, Vector;
        VcmpvNeF32, "VCMPV.NE.f32", Compare(CompareKind::Tensors(Comparison::Ne)), U8, F32, V, VecBinary, Verified, Vector;
        VcmpvsLtF16, "VCMPVS.LT.f16", Compare(CompareKind::Scalar(Comparison::Lt)), U8, F16, V, VecUnary, Verified, VectorScalar;
        VcmpvsLtF32, "VCMPVS.LT.f32", Compare(CompareKind::Scalar(Comparison::Lt)), U8, F32, V, VecUnary, Verified, VectorScalar;
        VcmpvsGtF16, "VCMPVS.GT.f16", Compare(CompareKind::Scalar(Comparison::Gt)), U8, F16, V, VecUnary, Verified, VectorScalar;
        VcmpvsGtF32, "VCMPVS.GT.f32", Compare(CompareKind::Scalar(Comparison::Gt)), U8, F32, V, VecUnary, Verified, VectorScalar;
        VcmpvsEqF16, "VCMPVS.EQ.f16", Compare(CompareKind::Scalar(Comparison::Eq)), U8, F16, V, VecUnary, Verified, VectorScalar;
        VcmpvsEqF32, "VCMPVS.EQ.f32", Compare(CompareKind::Scalar(Comparison::Eq)), U8, F32, V, VecUnary, Verified, VectorScalar;
        VcmpvsEqS32, "VCMPVS.EQ.s32", Compare(CompareKind::Scalar(Comparison::Eq)), U8, S32, V, VecUnary, Verified, VectorScalar;
        VcmpvsLeF16, "VCMPVS.LE.f16", Compare(CompareKind::Scalar(Comparison::Le)), U8, F16, V, VecUnary, Verified, VectorScalar;
        VcmpvsLeF32, "VCMPVS.LE.f32", Compare(CompareKind::Scalar(Comparison::Le)), U8, F32, V, VecUnary, Verified, VectorScalar;
        VcmpvsGeF16, "VCMPVS.GE.f16", Compare(CompareKind::Scalar(Comparison::Ge)), U8, F16, V, VecUnary, Verified, VectorScalar;
        VcmpvsGeF32, "VCMPVS.GE.f32", Compare(CompareKind::Scalar(Comparison::Ge)), U8, F32, V, VecUnary, Verified, VectorScalar;
        VcmpvsNeF16, "VCMPVS.NE.f16", Compare(CompareKind::Scalar(Comparison::Ne)), U8, F16, V, VecUnary, Verified, VectorScalar;
        VcmpvsNeF32, "VCMPVS.NE.f32", Compare(CompareKind::Scalar(Comparison::Ne)), U8, F32, V, VecUnary, Verified, VectorScalar;
        VcmpLtF16, "VCMP.LT.f16", Compare(CompareKind::ToRegister(Comparison::Lt)), U8, F16, V, VecBinary, Assumed, Vector;
        VcmpLtF32, "VCMP.LT.f32", Compare(CompareKind::ToRegister(Comparison::Lt)), U8, F32, V, VecBinary, Assumed, Vector;
        VcmpGtF16, "VCMP.GT.f16", Compare(CompareKind::ToRegister(Comparison::Gt)), U8, F16, V, VecBinary, Assumed, Vector;
        VcmpGtF32, "VCMP.GT.f32", Compare(CompareKind::ToRegister(Comparison::Gt)), U8, F32, V, VecBinary, Assumed, Vector;
        VcmpEqF16, "VCMP.EQ.f16", Compare(CompareKind::ToRegister(Comparison::Eq)), U8, F16, V, VecBinary, Assumed, Vector;
        VcmpEqF32, "VCMP.EQ.f32", Compare(CompareKind::ToRegister(Comparison::Eq)), U8, F32, V, VecBinary, Assumed, Vector;
        VcmpLeF16, "VCMP.LE.f16", Compare(CompareKind::ToRegister(Comparison::Le)), U8, F16, V, VecBinary, Assumed, Vector;
        VcmpLeF32, "VCMP.LE.f32", Compare(CompareKind::ToRegister(Comparison::Le)), U8, F32, V, VecBinary, Assumed, Vector;
        VcmpGeF16, "VCMP.GE.f16", Compare(CompareKind::ToRegister(Comparison::Ge)), U8, F16, V, VecBinary, Assumed, Vector;
        VcmpGeF32, "VCMP.GE.f32", Compare(CompareKind::ToRegister(Comparison::Ge)), U8, F32, V, VecBinary, Assumed, Vector;
        VcmpNeF16, "VCMP.NE.f16", Compare(CompareKind::ToRegister(Comparison::Ne)), U8, F16, V, VecBinary, Assumed, Vector;
        VcmpNeF32, "VCMP.NE.f32", Compare(CompareKind::ToRegister(Comparison::Ne)), U8, F32, V, VecBinary, Assumed, Vector;
        VselF161, "VSEL.f16.1", Compare(CompareKind::Select), F16, F16, V, VecSelect, Verified, Vector;
        VselF321, "VSEL.f32.1", Compare(CompareKind::Select), F32, F32, V, VecSelect, Verified, Vector;
        SetCmpmask, "SET.CMPMASK", Compare(CompareKind::SetRegister), B8, B8, V, Register, Verified, VectorScalar;
        GetCmpmask, "GET.CMPMASK", Compare(CompareKind::GetRegister), B8, B8, V, Register, Assumed, VectorScalar;
    } };
}
