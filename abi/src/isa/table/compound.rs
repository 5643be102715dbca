//! Compound arithmetic: multiply-add forms, fused ReLU and conversions, dequantisation.
//!
//! Operands: `Axpy` and `ShiftRightRound` as `Scalar` (dst, src, scalar bits, configuration), `Dequantise` as `Unary` (dst, src, configuration),
//! everything else as `Binary` (dst, src0, src1, configuration). The intrinsics were not seen in public bitcode; packings are those of the
//! classes they belong to (Ascend C API reference, compound computation).

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompoundKind {
    /// dst += src · scalar.
    Axpy,
    /// dst += src0 · src1.
    MulAddDst,
    /// dst = src0 · dst + src1.
    FusedMulAdd,
    /// dst = max(src0 · dst + src1, 0).
    FusedMulAddRelu,
    /// max(src0 + src1, 0).
    AddRelu,
    /// max(src0 − src1, 0).
    SubRelu,
    /// max(src0 + src1, 0), converted.
    AddReluCast,
    /// max(src0 − src1, 0), converted.
    SubReluCast,
    /// src0 · src1, converted.
    MulCast,
    /// int16 · scale + offset to 8 bits, into one half of every destination block.
    Dequantise {
        /// Parameters come from 16 words in UB (one per element of a block), else from the register.
        table: bool,
        /// Into bytes 16 to 31 of a block, else 0 to 15.
        high: bool,
    },
    /// Arithmetic shift right that adds the last bit shifted out.
    ShiftRightRound,
}

impl CompoundKind {
    /// Whether the destination is an input too.
    pub const fn reads_dst(self) -> bool {
        matches!(
            self,
            CompoundKind::Axpy
                | CompoundKind::MulAddDst
                | CompoundKind::FusedMulAdd
                | CompoundKind::FusedMulAddRelu
        )
    }
}

#[rustfmt::skip]
macro_rules! compound_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
        VaxpyF16, "VAXPY.f16", Compound(CompoundKind::Axpy), F16, F16, V, VecUnary, Assumed, Vector;
        VaxpyF32, "VAXPY.f32", Compound(CompoundKind::Axpy), F32, F32, V, VecUnary, Assumed, Vector;
        VaxpyF162f32, "VAXPY.f162f32", Compound(CompoundKind::Axpy), F32, F16, V, VecUnary, Assumed, VectorFused;
        VmlaF16, "VMLA.f16", Compound(CompoundKind::MulAddDst), F16, F16, V, VecBinary, Assumed, VectorFused;
        VmlaF32, "VMLA.f32", Compound(CompoundKind::MulAddDst), F32, F32, V, VecBinary, Assumed, VectorFused;
        VmlaF162f32, "VMLA.f162f32", Compound(CompoundKind::MulAddDst), F32, F16, V, VecBinary, Assumed, VectorFused;
        VmaddF16, "VMADD.f16", Compound(CompoundKind::FusedMulAdd), F16, F16, V, VecBinary, Assumed, VectorFused;
        VmaddF32, "VMADD.f32", Compound(CompoundKind::FusedMulAdd), F32, F32, V, VecBinary, Assumed, VectorFused;
        VmaddreluF16, "VMADDRELU.f16", Compound(CompoundKind::FusedMulAddRelu), F16, F16, V, VecBinary, Assumed, VectorFused;
        VmaddreluF32, "VMADDRELU.f32", Compound(CompoundKind::FusedMulAddRelu), F32, F32, V, VecBinary, Assumed, VectorFused;
        VaddreluF16, "VADDRELU.f16", Compound(CompoundKind::AddRelu), F16, F16, V, VecBinary, Assumed, Vector;
        VaddreluF32, "VADDRELU.f32", Compound(CompoundKind::AddRelu), F32, F32, V, VecBinary, Assumed, Vector;
        VaddreluS16, "VADDRELU.s16", Compound(CompoundKind::AddRelu), S16, S16, V, VecBinary, Assumed, Vector;
        VsubreluF16, "VSUBRELU.f16", Compound(CompoundKind::SubRelu), F16, F16, V, VecBinary, Assumed, Vector;
        VsubreluF32, "VSUBRELU.f32", Compound(CompoundKind::SubRelu), F32, F32, V, VecBinary, Assumed, Vector;
        VsubreluS16, "VSUBRELU.s16", Compound(CompoundKind::SubRelu), S16, S16, V, VecBinary, Assumed, Vector;
        VaddreluconvF322f16, "VADDRELUCONV.f322f16", Compound(CompoundKind::AddReluCast), F16, F32, V, VecBinary, Assumed, VectorConvert;
        VaddreluconvF162s8, "VADDRELUCONV.f162s8", Compound(CompoundKind::AddReluCast), S8, F16, V, VecBinary, Assumed, VectorConvert;
        VaddreluconvS162s8, "VADDRELUCONV.s162s8", Compound(CompoundKind::AddReluCast), S8, S16, V, VecBinary, Assumed, VectorConvert;
        VsubreluconvF322f16, "VSUBRELUCONV.f322f16", Compound(CompoundKind::SubReluCast), F16, F32, V, VecBinary, Assumed, VectorConvert;
        VsubreluconvF162s8, "VSUBRELUCONV.f162s8", Compound(CompoundKind::SubReluCast), S8, F16, V, VecBinary, Assumed, VectorConvert;
        VsubreluconvS162s8, "VSUBRELUCONV.s162s8", Compound(CompoundKind::SubReluCast), S8, S16, V, VecBinary, Assumed, VectorConvert;
        VmulconvF162s8, "VMULCONV.f162s8", Compound(CompoundKind::MulCast), S8, F16, V, VecBinary, Assumed, VectorConvert;
        VmulconvF162u8, "VMULCONV.f162u8", Compound(CompoundKind::MulCast), U8, F16, V, VecBinary, Assumed, VectorConvert;
        VconvDeqS162s8h, "VCONV_DEQ.s162s8h", Compound(CompoundKind::Dequantise { table: false, high: true }), S8, S16, V, VecUnary, Assumed, VectorConvert;
        VconvDeqS162s8l, "VCONV_DEQ.s162s8l", Compound(CompoundKind::Dequantise { table: false, high: false }), S8, S16, V, VecUnary, Assumed, VectorConvert;
        VconvDeqS162u8h, "VCONV_DEQ.s162u8h", Compound(CompoundKind::Dequantise { table: false, high: true }), U8, S16, V, VecUnary, Assumed, VectorConvert;
        VconvDeqS162u8l, "VCONV_DEQ.s162u8l", Compound(CompoundKind::Dequantise { table: false, high: false }), U8, S16, V, VecUnary, Assumed, VectorConvert;
        VconvVdeqS162s8h, "VCONV_VDEQ.s162s8h", Compound(CompoundKind::Dequantise { table: true, high: true }), S8, S16, V, VecUnary, Assumed, VectorConvert;
        VconvVdeqS162s8l, "VCONV_VDEQ.s162s8l", Compound(CompoundKind::Dequantise { table: true, high: false }), S8, S16, V, VecUnary, Assumed, VectorConvert;
        VconvVdeqS162u8h, "VCONV_VDEQ.s162u8h", Compound(CompoundKind::Dequantise { table: true, high: true }), U8, S16, V, VecUnary, Assumed, VectorConvert;
        VconvVdeqS162u8l, "VCONV_VDEQ.s162u8l", Compound(CompoundKind::Dequantise { table: true, high: false }), U8, S16, V, VecUnary, Assumed, VectorConvert;
        VshrS16Round, "VSHR.s16.round", Compound(CompoundKind::ShiftRightRound), S16, S16, V, VecUnary, Assumed, VectorScalar;
        VshrS32Round, "VSHR.s32.round", Compound(CompoundKind::ShiftRightRound), S32, S32, V, VecUnary, Assumed, VectorScalar;
    } };
}
