//! Reductions: whole repeat, data block, pair; sum, maximum, minimum with index.
//!
//! | kind | x0 | x1 | x2 | x3 |
//! |---|---|---|---|---|
//! | `Repeat(Sum)` | dst | src | configuration | 0: a result per repeat; 1: all repeats to ACC_VAL |
//! | `Repeat(Max)`, `Repeat(Min)` | dst | src | configuration | order: 0 value, index; 1 index, value; 2 value; 3 index |
//! | `DataBlock`, `Pair` | dst | src | configuration | - |
//!
//! The destination's repeat stride counts results of a repeat (2 to 8 bytes, 8 elements, 128 bytes).

/// What is made of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "ReduceType")]
#[allow(missing_docs)]
pub enum ReduceFn {
    Sum,
    Max,
    Min,
}

/// What an instruction of this family does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceKind {
    /// One result per repeat.
    #[doc(alias("ReduceRepeat", "WholeReduceSum", "WholeReduceMax", "WholeReduceMin"))]
    Repeat(ReduceFn),
    /// One result per data block.
    #[doc(alias("ReduceDataBlock", "BlockReduceSum", "BlockReduceMax", "BlockReduceMin"))]
    DataBlock(ReduceFn),
    /// Sums of neighbouring elements.
    #[doc(alias("ReducePairElem", "PairReduceSum"))]
    Pair,
}

#[rustfmt::skip]
macro_rules! reduce_rows {
    ([$($tail:ident)*] $($rows:tt)*) => { chain! { [$($tail)*] $($rows)*
        // variant, intrinsic, kind, destination, source, pipe, layout, provenance, cost
        VcaddF16Order, "VCADD.f16.order", Reduce(ReduceKind::Repeat(ReduceFn::Sum)), F16, F16, V, VecReduce, Verified, VectorReduce;
        VcaddF32Order, "VCADD.f32.order", Reduce(ReduceKind::Repeat(ReduceFn::Sum)), F32, F32, V, VecReduce, Verified, VectorReduce;
        VcmaxF16OrderV220, "VCMAX.f16.order.v220", Reduce(ReduceKind::Repeat(ReduceFn::Max)), F16, F16, V, VecReduce, Verified, VectorReduce;
        VcmaxF32OrderV220, "VCMAX.f32.order.v220", Reduce(ReduceKind::Repeat(ReduceFn::Max)), F32, F32, V, VecReduce, Verified, VectorReduce;
        VcminF16OrderV220, "VCMIN.f16.order.v220", Reduce(ReduceKind::Repeat(ReduceFn::Min)), F16, F16, V, VecReduce, Verified, VectorReduce;
        VcminF32OrderV220, "VCMIN.f32.order.v220", Reduce(ReduceKind::Repeat(ReduceFn::Min)), F32, F32, V, VecReduce, Verified, VectorReduce;
        VcgaddF16, "VCGADD.f16", Reduce(ReduceKind::DataBlock(ReduceFn::Sum)), F16, F16, V, VecReduce, Verified, VectorReduceBlock;
        VcgaddF32, "VCGADD.f32", Reduce(ReduceKind::DataBlock(ReduceFn::Sum)), F32, F32, V, VecReduce, Verified, VectorReduceBlock;
        VcgmaxF16, "VCGMAX.f16", Reduce(ReduceKind::DataBlock(ReduceFn::Max)), F16, F16, V, VecReduce, Verified, VectorReduceBlock;
        VcgmaxF32, "VCGMAX.f32", Reduce(ReduceKind::DataBlock(ReduceFn::Max)), F32, F32, V, VecReduce, Verified, VectorReduceBlock;
        VcgminF16, "VCGMIN.f16", Reduce(ReduceKind::DataBlock(ReduceFn::Min)), F16, F16, V, VecReduce, Verified, VectorReduceBlock;
        VcgminF32, "VCGMIN.f32", Reduce(ReduceKind::DataBlock(ReduceFn::Min)), F32, F32, V, VecReduce, Verified, VectorReduceBlock;
        VcpaddF16, "VCPADD.f16", Reduce(ReduceKind::Pair), F16, F16, V, VecReduce, Verified, VectorScalar;
        VcpaddF32, "VCPADD.f32", Reduce(ReduceKind::Pair), F32, F32, V, VecReduce, Verified, VectorScalar;
    } };
}
