//! The rows. One line per instruction, one file per family. The number of an instruction is its place in the whole table: kernels are
//! compiled against the header of the library they run on, so numbers may move from version to version
//! ([`crate::core_face::CORE_ABI_VERSION`] says which belong together).
//!
//! A family file holds a macro with its rows, which hands them on to the next family; [`chain`](self) ends in `ops!`, which makes the enum and
//! the table of all of them.

use super::*;

#[macro_use]
mod compare;
#[macro_use]
mod reduce;
#[macro_use]
mod gather;
#[macro_use]
mod compound;
#[macro_use]
mod rearrange;
#[macro_use]
mod cross;
#[macro_use]
mod system;
#[macro_use]
mod load;
#[macro_use]
mod cube;

pub use compare::{CompareKind, Comparison};
pub use compound::CompoundKind;
pub use cross::CrossKind;
pub use cube::{CubeKind, quant_mode};
pub use gather::GatherKind;
pub use load::LoadKind;
pub use rearrange::RearrangeKind;
pub use reduce::{ReduceFn, ReduceKind};
pub use system::SystemKind;

/// Collects the rows of the listed families, then makes the table.
macro_rules! chain {
    ([] $($rows:tt)*) => { ops! { $($rows)* } };
    ([$head:ident $($tail:ident)*] $($rows:tt)*) => { $head! { [$($tail)*] $($rows)* } };
}

macro_rules! ops {
    ($($variant:ident, $intrinsic:literal, $kind:expr, $dst:ident, $src:ident, $pipe:ident, $layout:ident, $prov:ident, $cost:ident;)*) => {
        /// Instruction numbers; see [`OPS`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum Op { $(#[doc = concat!("`", $intrinsic, "`")] $variant,)* }

        /// The instruction table, indexed by [`Op`].
        pub static OPS: &[OpRow] = &[$(OpRow {
            op: Op::$variant,
            intrinsic: $intrinsic,
            kind: { use Kind::*; $kind },
            dst: DType::$dst,
            src: DType::$src,
            pipe: Pipe::$pipe,
            layout: Layout::$layout,
            provenance: Provenance::$prov,
            cost: Cost::$cost,
        },)*];
    };
}

#[rustfmt::skip]
chain! {
    [compare_rows reduce_rows gather_rows compound_rows rearrange_rows cross_rows system_rows load_rows cube_rows]
    // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
    VaddF16, "VADD.f16", Binary(BinaryFn::Add), F16, F16, V, VecBinary, Verified, Vector;
    VaddF32, "VADD.f32", Binary(BinaryFn::Add), F32, F32, V, VecBinary, Verified, Vector;
    VaddS16, "VADD.s16", Binary(BinaryFn::Add), S16, S16, V, VecBinary, Verified, Vector;
    VaddS32, "VADD.s32", Binary(BinaryFn::Add), S32, S32, V, VecBinary, Verified, Vector;
    VsubF16, "VSUB.f16", Binary(BinaryFn::Sub), F16, F16, V, VecBinary, Verified, Vector;
    VsubF32, "VSUB.f32", Binary(BinaryFn::Sub), F32, F32, V, VecBinary, Verified, Vector;
    VsubS16, "VSUB.s16", Binary(BinaryFn::Sub), S16, S16, V, VecBinary, Verified, Vector;
    VsubS32, "VSUB.s32", Binary(BinaryFn::Sub), S32, S32, V, VecBinary, Verified, Vector;
    VmulF16, "VMUL.f16", Binary(BinaryFn::Mul), F16, F16, V, VecBinary, Verified, Vector;
    VmulF32, "VMUL.f32", Binary(BinaryFn::Mul), F32, F32, V, VecBinary, Verified, Vector;
    VmulS16, "VMUL.s16", Binary(BinaryFn::Mul), S16, S16, V, VecBinary, Verified, Vector;
    VmulS32, "VMUL.s32", Binary(BinaryFn::Mul), S32, S32, V, VecBinary, Verified, Vector;
    VmaxF16, "VMAX.f16", Binary(BinaryFn::Max), F16, F16, V, VecBinary, Verified, Vector;
    VmaxF32, "VMAX.f32", Binary(BinaryFn::Max), F32, F32, V, VecBinary, Verified, Vector;
    VmaxS16, "VMAX.s16", Binary(BinaryFn::Max), S16, S16, V, VecBinary, Verified, Vector;
    VmaxS32, "VMAX.s32", Binary(BinaryFn::Max), S32, S32, V, VecBinary, Verified, Vector;
    VminF16, "VMIN.f16", Binary(BinaryFn::Min), F16, F16, V, VecBinary, Verified, Vector;
    VminF32, "VMIN.f32", Binary(BinaryFn::Min), F32, F32, V, VecBinary, Verified, Vector;
    VminS16, "VMIN.s16", Binary(BinaryFn::Min), S16, S16, V, VecBinary, Verified, Vector;
    VminS32, "VMIN.s32", Binary(BinaryFn::Min), S32, S32, V, VecBinary, Verified, Vector;
    VdivF16, "VDIV.f16", Binary(BinaryFn::Div), F16, F16, V, VecBinary, Verified, VectorDiv;
    VdivF32, "VDIV.f32", Binary(BinaryFn::Div), F32, F32, V, VecBinary, Verified, VectorDiv;
    VandS16, "VAND.s16", Binary(BinaryFn::And), S16, S16, V, VecBinary, Verified, Vector;
    VandU16, "VAND.u16", Binary(BinaryFn::And), U16, U16, V, VecBinary, Verified, Vector;
    VorS16, "VOR.s16", Binary(BinaryFn::Or), S16, S16, V, VecBinary, Verified, Vector;
    VorU16, "VOR.u16", Binary(BinaryFn::Or), U16, U16, V, VecBinary, Verified, Vector;
    VaddsF16, "VADDS.f16", Scalar(ScalarFn::Adds), F16, F16, V, VecUnary, Verified, VectorScalar;
    VaddsF32, "VADDS.f32", Scalar(ScalarFn::Adds), F32, F32, V, VecUnary, Verified, VectorScalar;
    VaddsS16, "VADDS.s16", Scalar(ScalarFn::Adds), S16, S16, V, VecUnary, Verified, VectorScalar;
    VaddsS32, "VADDS.s32", Scalar(ScalarFn::Adds), S32, S32, V, VecUnary, Verified, VectorScalar;
    VmulsF16, "VMULS.f16", Scalar(ScalarFn::Muls), F16, F16, V, VecUnary, Verified, VectorScalar;
    VmulsF32, "VMULS.f32", Scalar(ScalarFn::Muls), F32, F32, V, VecUnary, Verified, VectorScalar;
    VmulsS16, "VMULS.s16", Scalar(ScalarFn::Muls), S16, S16, V, VecUnary, Verified, VectorScalar;
    VmulsS32, "VMULS.s32", Scalar(ScalarFn::Muls), S32, S32, V, VecUnary, Verified, VectorScalar;
    VmaxsF16, "VMAXS.f16", Scalar(ScalarFn::Maxs), F16, F16, V, VecUnary, Verified, VectorScalar;
    VmaxsF32, "VMAXS.f32", Scalar(ScalarFn::Maxs), F32, F32, V, VecUnary, Verified, VectorScalar;
    VmaxsS16, "VMAXS.s16", Scalar(ScalarFn::Maxs), S16, S16, V, VecUnary, Verified, VectorScalar;
    VmaxsS32, "VMAXS.s32", Scalar(ScalarFn::Maxs), S32, S32, V, VecUnary, Verified, VectorScalar;
    VminsF16, "VMINS.f16", Scalar(ScalarFn::Mins), F16, F16, V, VecUnary, Verified, VectorScalar;
    VminsF32, "VMINS.f32", Scalar(ScalarFn::Mins), F32, F32, V, VecUnary, Verified, VectorScalar;
    VminsS16, "VMINS.s16", Scalar(ScalarFn::Mins), S16, S16, V, VecUnary, Verified, VectorScalar;
    VminsS32, "VMINS.s32", Scalar(ScalarFn::Mins), S32, S32, V, VecUnary, Verified, VectorScalar;
    VlreluF16, "VLRELU.f16", Scalar(ScalarFn::LeakyRelu), F16, F16, V, VecUnary, Assumed, VectorScalar;
    VlreluF32, "VLRELU.f32", Scalar(ScalarFn::LeakyRelu), F32, F32, V, VecUnary, Assumed, VectorScalar;
    VshlS16, "VSHL.s16", Scalar(ScalarFn::ShiftLeft), S16, S16, V, VecUnary, Verified, VectorScalar;
    VshlU16, "VSHL.u16", Scalar(ScalarFn::ShiftLeft), U16, U16, V, VecUnary, Verified, VectorScalar;
    VshlS32, "VSHL.s32", Scalar(ScalarFn::ShiftLeft), S32, S32, V, VecUnary, Verified, VectorScalar;
    VshlU32, "VSHL.u32", Scalar(ScalarFn::ShiftLeft), U32, U32, V, VecUnary, Verified, VectorScalar;
    VshrS16, "VSHR.s16", Scalar(ScalarFn::ShiftRight), S16, S16, V, VecUnary, Verified, VectorScalar;
    VshrU16, "VSHR.u16", Scalar(ScalarFn::ShiftRight), U16, U16, V, VecUnary, Verified, VectorScalar;
    VshrS32, "VSHR.s32", Scalar(ScalarFn::ShiftRight), S32, S32, V, VecUnary, Verified, VectorScalar;
    VshrU32, "VSHR.u32", Scalar(ScalarFn::ShiftRight), U32, U32, V, VecUnary, Verified, VectorScalar;
    VabsF16, "VABS.f16", Unary(UnaryFn::Abs), F16, F16, V, VecUnary, Verified, VectorScalar;
    VabsF32, "VABS.f32", Unary(UnaryFn::Abs), F32, F32, V, VecUnary, Verified, VectorScalar;
    VreluF16, "VRELU.f16", Unary(UnaryFn::Relu), F16, F16, V, VecUnary, Verified, VectorScalar;
    VreluF32, "VRELU.f32", Unary(UnaryFn::Relu), F32, F32, V, VecUnary, Verified, VectorScalar;
    VreluS32, "VRELU.s32", Unary(UnaryFn::Relu), S32, S32, V, VecUnary, Verified, VectorScalar;
    VexpF16, "VEXP.f16", Unary(UnaryFn::Exp), F16, F16, V, VecUnary, Verified, VectorExp;
    VexpF32, "VEXP.f32", Unary(UnaryFn::Exp), F32, F32, V, VecUnary, Verified, VectorExp;
    VlnF16, "VLN.f16", Unary(UnaryFn::Ln), F16, F16, V, VecUnary, Verified, VectorLn;
    VlnF32, "VLN.f32", Unary(UnaryFn::Ln), F32, F32, V, VecUnary, Verified, VectorLn;
    VsqrtF16, "VSQRT.f16", Unary(UnaryFn::Sqrt), F16, F16, V, VecUnary, Verified, VectorSqrt;
    VsqrtF32, "VSQRT.f32", Unary(UnaryFn::Sqrt), F32, F32, V, VecUnary, Verified, VectorSqrt;
    VrsqrtF16, "VRSQRT.f16", Unary(UnaryFn::Rsqrt), F16, F16, V, VecUnary, Verified, Vector;
    VrsqrtF32, "VRSQRT.f32", Unary(UnaryFn::Rsqrt), F32, F32, V, VecUnary, Verified, Vector;
    VrecF16, "VREC.f16", Unary(UnaryFn::Reciprocal), F16, F16, V, VecUnary, Verified, Vector;
    VrecF32, "VREC.f32", Unary(UnaryFn::Reciprocal), F32, F32, V, VecUnary, Verified, Vector;
    VnotS16, "VNOT.s16", Unary(UnaryFn::Not), S16, S16, V, VecUnary, Verified, VectorScalar;
    VnotU16, "VNOT.u16", Unary(UnaryFn::Not), U16, U16, V, VecUnary, Verified, VectorScalar;
    VconvS42f16V220, "VCONV.s42f16.v220", Convert(RoundMode::None), F16, S4, V, VecUnary, Assumed, VectorConvert;
    VconvS82f16V220, "VCONV.s82f16.v220", Convert(RoundMode::None), F16, S8, V, VecUnary, Verified, VectorConvert;
    VconvU82f16V220, "VCONV.u82f16.v220", Convert(RoundMode::None), F16, U8, V, VecUnary, Verified, VectorConvert;
    VconvF162s4rV220, "VCONV.f162s4r.v220", Convert(RoundMode::Rint), S4, F16, V, VecUnary, Assumed, VectorConvert;
    VconvF162s4aV220, "VCONV.f162s4a.v220", Convert(RoundMode::Round), S4, F16, V, VecUnary, Assumed, VectorConvert;
    VconvF162s4fV220, "VCONV.f162s4f.v220", Convert(RoundMode::Floor), S4, F16, V, VecUnary, Assumed, VectorConvert;
    VconvF162s4cV220, "VCONV.f162s4c.v220", Convert(RoundMode::Ceil), S4, F16, V, VecUnary, Assumed, VectorConvert;
    VconvF162s4zV220, "VCONV.f162s4z.v220", Convert(RoundMode::Trunc), S4, F16, V, VecUnary, Assumed, VectorConvert;
    VconvF162s8rV220, "VCONV.f162s8r.v220", Convert(RoundMode::Rint), S8, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s8aV220, "VCONV.f162s8a.v220", Convert(RoundMode::Round), S8, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s8fV220, "VCONV.f162s8f.v220", Convert(RoundMode::Floor), S8, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s8cV220, "VCONV.f162s8c.v220", Convert(RoundMode::Ceil), S8, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s8zV220, "VCONV.f162s8z.v220", Convert(RoundMode::Trunc), S8, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162u8rV220, "VCONV.f162u8r.v220", Convert(RoundMode::Rint), U8, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162u8aV220, "VCONV.f162u8a.v220", Convert(RoundMode::Round), U8, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162u8fV220, "VCONV.f162u8f.v220", Convert(RoundMode::Floor), U8, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162u8cV220, "VCONV.f162u8c.v220", Convert(RoundMode::Ceil), U8, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162u8zV220, "VCONV.f162u8z.v220", Convert(RoundMode::Trunc), U8, F16, V, VecUnary, Verified, VectorConvert;
    VconvS162f16rV220, "VCONV.s162f16r.v220", Convert(RoundMode::Rint), F16, S16, V, VecUnary, Verified, VectorConvert;
    VconvS162f16aV220, "VCONV.s162f16a.v220", Convert(RoundMode::Round), F16, S16, V, VecUnary, Verified, VectorConvert;
    VconvS162f16fV220, "VCONV.s162f16f.v220", Convert(RoundMode::Floor), F16, S16, V, VecUnary, Verified, VectorConvert;
    VconvS162f16cV220, "VCONV.s162f16c.v220", Convert(RoundMode::Ceil), F16, S16, V, VecUnary, Verified, VectorConvert;
    VconvS162f16zV220, "VCONV.s162f16z.v220", Convert(RoundMode::Trunc), F16, S16, V, VecUnary, Verified, VectorConvert;
    VconvS162f32V220, "VCONV.s162f32.v220", Convert(RoundMode::None), F32, S16, V, VecUnary, Verified, VectorConvert;
    VconvS322s16V220, "VCONV.s322s16.v220", Convert(RoundMode::None), S16, S32, V, VecUnary, Verified, VectorConvert;
    VconvS322f32rV220, "VCONV.s322f32r.v220", Convert(RoundMode::Rint), F32, S32, V, VecUnary, Verified, VectorConvert;
    VconvS322f32aV220, "VCONV.s322f32a.v220", Convert(RoundMode::Round), F32, S32, V, VecUnary, Verified, VectorConvert;
    VconvS322f32fV220, "VCONV.s322f32f.v220", Convert(RoundMode::Floor), F32, S32, V, VecUnary, Verified, VectorConvert;
    VconvS322f32cV220, "VCONV.s322f32c.v220", Convert(RoundMode::Ceil), F32, S32, V, VecUnary, Verified, VectorConvert;
    VconvS322f32zV220, "VCONV.s322f32z.v220", Convert(RoundMode::Trunc), F32, S32, V, VecUnary, Verified, VectorConvert;
    VconvS322s641V220, "VCONV.s322s64.1.v220", Convert(RoundMode::None), S64, S32, V, VecUnary, Verified, VectorConvert;
    VconvF162s16rV220, "VCONV.f162s16r.v220", Convert(RoundMode::Rint), S16, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s16aV220, "VCONV.f162s16a.v220", Convert(RoundMode::Round), S16, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s16fV220, "VCONV.f162s16f.v220", Convert(RoundMode::Floor), S16, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s16cV220, "VCONV.f162s16c.v220", Convert(RoundMode::Ceil), S16, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s16zV220, "VCONV.f162s16z.v220", Convert(RoundMode::Trunc), S16, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s32rV220, "VCONV.f162s32r.v220", Convert(RoundMode::Rint), S32, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s32aV220, "VCONV.f162s32a.v220", Convert(RoundMode::Round), S32, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s32fV220, "VCONV.f162s32f.v220", Convert(RoundMode::Floor), S32, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s32cV220, "VCONV.f162s32c.v220", Convert(RoundMode::Ceil), S32, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162s32zV220, "VCONV.f162s32z.v220", Convert(RoundMode::Trunc), S32, F16, V, VecUnary, Verified, VectorConvert;
    VconvF162f32V220, "VCONV.f162f32.v220", Convert(RoundMode::None), F32, F16, V, VecUnary, Verified, VectorConvert;
    VconvBf162s32rV220, "VCONV.bf162s32r.v220", Convert(RoundMode::Rint), S32, Bf16, V, VecUnary, Verified, VectorConvert;
    VconvBf162s32aV220, "VCONV.bf162s32a.v220", Convert(RoundMode::Round), S32, Bf16, V, VecUnary, Verified, VectorConvert;
    VconvBf162s32fV220, "VCONV.bf162s32f.v220", Convert(RoundMode::Floor), S32, Bf16, V, VecUnary, Verified, VectorConvert;
    VconvBf162s32cV220, "VCONV.bf162s32c.v220", Convert(RoundMode::Ceil), S32, Bf16, V, VecUnary, Verified, VectorConvert;
    VconvBf162s32zV220, "VCONV.bf162s32z.v220", Convert(RoundMode::Trunc), S32, Bf16, V, VecUnary, Verified, VectorConvert;
    VconvBf162f32V220, "VCONV.bf162f32.v220", Convert(RoundMode::None), F32, Bf16, V, VecUnary, Verified, VectorConvert;
    VconvF322s16rV220, "VCONV.f322s16r.v220", Convert(RoundMode::Rint), S16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s16aV220, "VCONV.f322s16a.v220", Convert(RoundMode::Round), S16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s16fV220, "VCONV.f322s16f.v220", Convert(RoundMode::Floor), S16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s16cV220, "VCONV.f322s16c.v220", Convert(RoundMode::Ceil), S16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s16zV220, "VCONV.f322s16z.v220", Convert(RoundMode::Trunc), S16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s32rV220, "VCONV.f322s32r.v220", Convert(RoundMode::Rint), S32, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s32aV220, "VCONV.f322s32a.v220", Convert(RoundMode::Round), S32, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s32fV220, "VCONV.f322s32f.v220", Convert(RoundMode::Floor), S32, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s32cV220, "VCONV.f322s32c.v220", Convert(RoundMode::Ceil), S32, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s32zV220, "VCONV.f322s32z.v220", Convert(RoundMode::Trunc), S32, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f16rV220, "VCONV.f322f16r.v220", Convert(RoundMode::Rint), F16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f16aV220, "VCONV.f322f16a.v220", Convert(RoundMode::Round), F16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f16fV220, "VCONV.f322f16f.v220", Convert(RoundMode::Floor), F16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f16cV220, "VCONV.f322f16c.v220", Convert(RoundMode::Ceil), F16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f16zV220, "VCONV.f322f16z.v220", Convert(RoundMode::Trunc), F16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f16oV220, "VCONV.f322f16o.v220", Convert(RoundMode::Odd), F16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322bf16rV220, "VCONV.f322bf16r.v220", Convert(RoundMode::Rint), Bf16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322bf16aV220, "VCONV.f322bf16a.v220", Convert(RoundMode::Round), Bf16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322bf16fV220, "VCONV.f322bf16f.v220", Convert(RoundMode::Floor), Bf16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322bf16cV220, "VCONV.f322bf16c.v220", Convert(RoundMode::Ceil), Bf16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322bf16zV220, "VCONV.f322bf16z.v220", Convert(RoundMode::Trunc), Bf16, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f32rV220, "VCONV.f322f32r.v220", Convert(RoundMode::Rint), F32, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f32aV220, "VCONV.f322f32a.v220", Convert(RoundMode::Round), F32, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f32fV220, "VCONV.f322f32f.v220", Convert(RoundMode::Floor), F32, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f32cV220, "VCONV.f322f32c.v220", Convert(RoundMode::Ceil), F32, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322f32zV220, "VCONV.f322f32z.v220", Convert(RoundMode::Trunc), F32, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s64rV220, "VCONV.f322s64r.v220", Convert(RoundMode::Rint), S64, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s64aV220, "VCONV.f322s64a.v220", Convert(RoundMode::Round), S64, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s64fV220, "VCONV.f322s64f.v220", Convert(RoundMode::Floor), S64, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s64cV220, "VCONV.f322s64c.v220", Convert(RoundMode::Ceil), S64, F32, V, VecUnary, Verified, VectorConvert;
    VconvF322s64zV220, "VCONV.f322s64z.v220", Convert(RoundMode::Trunc), S64, F32, V, VecUnary, Verified, VectorConvert;
    VconvS642s321V220, "VCONV.s642s32.1.v220", Convert(RoundMode::None), S32, S64, V, VecUnary, Verified, VectorConvert;
    VconvS642f32r1V220, "VCONV.s642f32r.1.v220", Convert(RoundMode::Rint), F32, S64, V, VecUnary, Verified, VectorConvert;
    VconvS642f32a1V220, "VCONV.s642f32a.1.v220", Convert(RoundMode::Round), F32, S64, V, VecUnary, Verified, VectorConvert;
    VconvS642f32f1V220, "VCONV.s642f32f.1.v220", Convert(RoundMode::Floor), F32, S64, V, VecUnary, Verified, VectorConvert;
    VconvS642f32c1V220, "VCONV.s642f32c.1.v220", Convert(RoundMode::Ceil), F32, S64, V, VecUnary, Verified, VectorConvert;
    VconvS642f32z1V220, "VCONV.s642f32z.1.v220", Convert(RoundMode::Trunc), F32, S64, V, VecUnary, Verified, VectorConvert;
    VconvDeqS322f16, "VCONV_DEQ.s322f16", ConvertDeq, F16, S32, V, VecUnary, Assumed, VectorConvert;
    MovevBf16, "MOVEV.bf16", Duplicate, Bf16, Bf16, V, VecDup, Verified, VectorScalar;
    MovevF16, "MOVEV.f16", Duplicate, F16, F16, V, VecDup, Verified, VectorScalar;
    MovevF32, "MOVEV.f32", Duplicate, F32, F32, V, VecDup, Verified, VectorScalar;
    MovevS16, "MOVEV.s16", Duplicate, S16, S16, V, VecDup, Verified, VectorScalar;
    MovevS32, "MOVEV.s32", Duplicate, S32, S32, V, VecDup, Verified, VectorScalar;
    MovevU16, "MOVEV.u16", Duplicate, U16, U16, V, VecDup, Verified, VectorScalar;
    MovevU32, "MOVEV.u32", Duplicate, U32, U32, V, VecDup, Verified, VectorScalar;
    VbrcbB16, "VBRCB.b16", Brcb, B16, B16, V, VecDup, Verified, VectorBrcb;
    VbrcbB32, "VBRCB.b32", Brcb, B32, B32, V, VecDup, Verified, VectorBrcb;
    VcopyU16, "VCOPY.u16", CopyMasked, U16, U16, V, VecUnary, Verified, Vector;
    VcopyU32, "VCOPY.u32", CopyMasked, U32, U32, V, VecUnary, Verified, Vector;
    MovUbToUbV220, "MOV.UB.TO.UB.v220", CopyBurst(Path::UbToUb), B8, B8, V, Burst, Verified, UbToUb;
    MovOutToUbV220, "MOV.OUT.TO.UB.v220", CopyBurst(Path::GmToUb), B8, B8, Mte2, Burst, Assumed, GmToUb;
    MovUbToOutV220, "MOV.UB.TO.OUT.v220", CopyBurst(Path::UbToGm), B8, B8, Mte3, Burst, Assumed, UbToGm;
    MovOutToUbAlignB8V220, "MOV.OUT.TO.UB.ALIGN.b8.V220", CopyAlign(Path::GmToUb), B8, B8, Mte2, AlignIn, Verified, GmToUb;
    MovOutToUbAlignB16V220, "MOV.OUT.TO.UB.ALIGN.b16.V220", CopyAlign(Path::GmToUb), B16, B16, Mte2, AlignIn, Verified, GmToUb;
    MovOutToUbAlignB32V220, "MOV.OUT.TO.UB.ALIGN.b32.V220", CopyAlign(Path::GmToUb), B32, B32, Mte2, AlignIn, Verified, GmToUb;
    MovUbToOutAlignB8V220, "MOV.UB.TO.OUT.ALIGN.b8.V220", CopyAlign(Path::UbToGm), B8, B8, Mte3, AlignOut, Verified, UbToGm;
    MovUbToOutAlignB16V220, "MOV.UB.TO.OUT.ALIGN.b16.V220", CopyAlign(Path::UbToGm), B16, B16, Mte3, AlignOut, Verified, UbToGm;
    MovUbToOutAlignB32V220, "MOV.UB.TO.OUT.ALIGN.b32.V220", CopyAlign(Path::UbToGm), B32, B32, Mte3, AlignOut, Verified, UbToGm;
    SetFlagImm, "SET.FLAG.IMM", SetFlag, None, None, S, Flag, Verified, Sync;
    WaitFlagImm, "WAIT.FLAG.IMM", WaitFlag, None, None, S, Flag, Verified, Sync;
    Barrier, "BARRIER", Barrier, None, None, S, Barrier, Verified, Sync;
    Movemask, "MOVEMASK", MoveMask, None, None, S, Register, Verified, Scalar;
    SetCtrl, "SET.CTRL", SetSpr(Spr::Ctrl), None, None, S, Register, Verified, Scalar;
    Sbitset0, "SBITSET0", ClearCtrlBit, None, None, S, Register, Verified, Scalar;
    Sbitset1, "SBITSET1", SetCtrlBit, None, None, S, Register, Verified, Scalar;
    SetMovPadVal, "SET.MOV.PAD.VAL", SetSpr(Spr::PadValue), None, None, S, Register, Verified, Scalar;
    SetDeqscale, "SET.DEQSCALE", SetSpr(Spr::DeqScale), None, None, S, Register, Assumed, Scalar;
    SetL13dSize, "SET.L1.3D.SIZE", SetSpr(Spr::L1Size3d), None, None, S, Register, Assumed, Scalar;
    SetPadding, "SET.PADDING", SetSpr(Spr::Padding), None, None, S, Register, Verified, Scalar;
}
