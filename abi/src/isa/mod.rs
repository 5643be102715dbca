//! AI Core instructions of dav-2201: one table, from which enums, C header, dispatch and docs follow.
//!
//! A kernel reaches the hardware through one call, `issue(op, x0, x1, x2, x3)` (see
//! [`crate::core_face::TrCore`]). `op` is an index into [`OPS`]; the meaning of `x0..x3` follows from
//! the row's [`Kind`]:
//!
//! | kind | x0 | x1 | x2 | x3 |
//! |---|---|---|---|---|
//! | `Binary` | dst | src0 | src1 | configuration |
//! | `Unary`, `Convert`, `ConvertDeq`, `CopyMasked`, `Brcb` | dst | src | configuration | - |
//! | `Scalar` | dst | src | scalar bits | configuration |
//! | `Duplicate` | dst | scalar bits | configuration | - |
//! | `CopyBurst` | dst | src | configuration | 0 |
//! | `CopyAlign` | dst | src | configuration | second configuration |
//! | `SetFlag`, `WaitFlag` | source pipe | destination pipe | event id | - |
//! | `Barrier` | pipe | - | - | - |
//! | `MoveMask` | 0 low word, 1 high word | value | - | - |
//! | `SetSpr` | value | - | - | - |
//! | `ClearCtrlBit`, `SetCtrlBit` | bit number | - | - | - |
//!
//! Addresses are full 64-bit addresses: local memories as laid out in [`crate::core_face`], GM as the
//! pointer the runtime handed out. Scalars are the element's bits, zero-extended. A row's
//! [`Layout`] names the fields of its configuration words, see [`layout`].
//!
//! Source: intrinsic spellings and packings are those of the public AscendNPU-IR c220 library
//! (`Provenance::Verified`); a row marked `Provenance::Assumed` runs on the embedded NPU, AI Core
//! lowering refuses it by name. Semantics: Ascend C API reference for Atlas A2.
//!
//! Adding an instruction is adding a row in its family's file in `table/` (and, for a new kind, its semantics in the module of the same
//! name in `sim::exec`). Operands of a family are said in its file.

mod header;
pub mod layout;
mod table;

pub use header::write_header;
pub use layout::{Field, FieldId, Layout, Unit};
pub use table::{
    CompareKind, CompoundKind, CrossKind, CubeKind, GatherKind, LoadKind, RearrangeKind, ReduceKind,
    SystemKind, quant_mode,
};
pub use table::{Comparison, ReduceFn};
pub use table::{OPS, Op};

/// Which half of an AI Core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[doc(alias("AIC", "AIV"))]
pub enum CoreKind {
    /// Cube core.
    Aic = 1,
    /// Vector core.
    Aiv = 2,
}

/// Hardware pipes; the values are the codes used in AI Core binaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
#[doc(alias("PIPE_S", "PIPE_V", "PIPE_M", "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3", "PIPE_ALL", "PIPE_FIX"))]
pub enum Pipe {
    /// Scalar unit.
    S = 0,
    /// Vector unit (AIV).
    V = 1,
    /// Cube unit (AIC).
    M = 2,
    /// L1 → L0A/L0B/BT (AIC).
    Mte1 = 3,
    /// GM → UB or L1.
    Mte2 = 4,
    /// UB or L1 → GM.
    Mte3 = 5,
    /// Every pipe of the core; only valid in a barrier.
    All = 6,
    /// Fixpipe: L0C → GM/L1 (AIC).
    Fix = 10,
}

/// Every pipe with its code and the name used by Ascend C (without `PIPE_`).
pub const PIPES: [(Pipe, &str); 8] = [
    (Pipe::S, "S"),
    (Pipe::V, "V"),
    (Pipe::M, "M"),
    (Pipe::Mte1, "MTE1"),
    (Pipe::Mte2, "MTE2"),
    (Pipe::Mte3, "MTE3"),
    (Pipe::All, "ALL"),
    (Pipe::Fix, "FIX"),
];

impl Pipe {
    /// The pipe with this binary code, if there is one.
    pub fn from_code(code: u64) -> Option<Pipe> {
        PIPES.iter().map(|p| p.0).find(|p| *p as u64 == code)
    }

    /// Ascend C name without `PIPE_`.
    pub fn name(self) -> &'static str {
        PIPES.iter().find(|p| p.0 == self).map_or("?", |p| p.1)
    }

    /// Whether cores of this kind have the pipe.
    pub fn exists_on(self, core: CoreKind) -> bool {
        match self {
            Pipe::V => core == CoreKind::Aiv,
            Pipe::M | Pipe::Mte1 | Pipe::Fix => core == CoreKind::Aic,
            Pipe::S | Pipe::Mte2 | Pipe::Mte3 | Pipe::All => true,
        }
    }
}

/// Memories; the values of the on-core ones are the vendor's address-space numbers and give the place of
/// the memory inside a core's region (see [`crate::core_face`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[allow(missing_docs)]
pub enum Space {
    /// Global memory (not in the region).
    Gm = 0,
    /// Bias table buffer; has no vendor pointer space, 1 is free inside the region.
    Bt = 1,
    L1 = 2,
    L0a = 3,
    L0b = 4,
    L0c = 5,
    Ub = 6,
    /// Fixpipe buffer.
    Fb = 7,
}

/// Every memory with its name.
pub const SPACES: [(Space, &str); 8] = [
    (Space::Gm, "GM"),
    (Space::Bt, "BT"),
    (Space::L1, "L1"),
    (Space::L0a, "L0A"),
    (Space::L0b, "L0B"),
    (Space::L0c, "L0C"),
    (Space::Ub, "UB"),
    (Space::Fb, "FB"),
];

impl Space {
    /// Name as Ascend C documents spell it.
    pub fn name(self) -> &'static str {
        SPACES[self as usize].1
    }
}

/// Element types. `B8`/`B16`/`B32` are untyped elements of that width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DType {
    None,
    S4,
    S8,
    U8,
    B8,
    F16,
    Bf16,
    S16,
    U16,
    B16,
    F32,
    S32,
    U32,
    B32,
    S64,
}

impl DType {
    /// Width in bits (0 for `None`).
    pub const fn bits(self) -> u32 {
        match self {
            DType::None => 0,
            DType::S4 => 4,
            DType::S8 | DType::U8 | DType::B8 => 8,
            DType::F16 | DType::Bf16 | DType::S16 | DType::U16 | DType::B16 => 16,
            DType::F32 | DType::S32 | DType::U32 | DType::B32 => 32,
            DType::S64 => 64,
        }
    }

    /// The type name an Ascend C author writes.
    pub const fn ascend_c(self) -> &'static str {
        match self {
            DType::None => "-",
            DType::S4 => "int4b_t",
            DType::S8 => "int8_t",
            DType::U8 => "uint8_t",
            DType::B8 => "8-bit",
            DType::F16 => "half",
            DType::Bf16 => "bfloat16_t",
            DType::S16 => "int16_t",
            DType::U16 => "uint16_t",
            DType::B16 => "16-bit",
            DType::F32 => "float",
            DType::S32 => "int32_t",
            DType::U32 => "uint32_t",
            DType::B32 => "32-bit",
            DType::S64 => "int64_t",
        }
    }
}

/// Two-source vector functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryFn {
    Add,
    Sub,
    Mul,
    Div,
    Max,
    Min,
    And,
    Or,
}

/// Vector-with-scalar functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ScalarFn {
    Adds,
    Muls,
    Maxs,
    Mins,
    LeakyRelu,
    ShiftLeft,
    ShiftRight,
}

/// One-source vector functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryFn {
    Abs,
    Relu,
    Exp,
    Ln,
    Sqrt,
    Rsqrt,
    Reciprocal,
    Not,
}

/// Rounding of a conversion; the values are those of Ascend C's enum of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[doc(alias("CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"))]
pub enum RoundMode {
    /// Exact conversions only (a lossy one behaves as `Rint`).
    None = 0,
    /// To nearest, ties to even.
    Rint = 1,
    /// Toward −∞.
    Floor = 2,
    /// Toward +∞.
    Ceil = 3,
    /// To nearest, ties away from zero.
    Round = 4,
    /// Toward zero.
    Trunc = 5,
    /// If inexact, the neighbour whose last significand bit is 1.
    Odd = 6,
}

/// Ways data moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Path {
    GmToUb,
    UbToGm,
    UbToUb,
    GmToL1,
    GmToL0a,
    GmToL0b,
    L1ToGm,
    L1ToL0a,
    L1ToL0b,
    L1ToL0c,
    L1ToBt,
    L1ToFb,
}

impl Path {
    /// Source and destination memory.
    pub const fn ends(self) -> (Space, Space) {
        match self {
            Path::GmToUb => (Space::Gm, Space::Ub),
            Path::UbToGm => (Space::Ub, Space::Gm),
            Path::UbToUb => (Space::Ub, Space::Ub),
            Path::GmToL1 => (Space::Gm, Space::L1),
            Path::GmToL0a => (Space::Gm, Space::L0a),
            Path::GmToL0b => (Space::Gm, Space::L0b),
            Path::L1ToGm => (Space::L1, Space::Gm),
            Path::L1ToL0a => (Space::L1, Space::L0a),
            Path::L1ToL0b => (Space::L1, Space::L0b),
            Path::L1ToL0c => (Space::L1, Space::L0c),
            Path::L1ToBt => (Space::L1, Space::Bt),
            Path::L1ToFb => (Space::L1, Space::Fb),
        }
    }
}

/// Special registers that instructions set or kernels read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Spr {
    /// Control register; bits in [`ctrl`].
    Ctrl = 0,
    /// Vector mask, low word (elements 0..64; the element count in counter mode).
    MaskLow = 1,
    /// Vector mask, high word (elements 64..128).
    MaskHigh = 2,
    /// Value used by padding copies when no pad value is given.
    PadValue = 3,
    /// Dequantisation scale (half bits) of int32 → half conversions.
    DeqScale = 4,
    /// Boundary of 3-D loads (AIC).
    L1Size3d = 5,
    /// Pad value of 3-D loads (AIC).
    Padding = 6,
    /// System counter, 50 MHz; read only.
    SysCnt = 7,
    /// Feature map of 3-D loads to L0A (AIC).
    FmatrixA = 8,
    /// Feature map of 3-D loads to L0B (AIC).
    FmatrixB = 9,
    /// Repeats of 3-D loads (AIC).
    Load3dRepeat = 10,
    /// Addresses of parameters in the fixpipe buffer (AIC).
    Fpc = 11,
    /// Quantisation parameter of Fixpipe (AIC).
    QuantPre = 12,
    /// Matrices and strides of Fixpipe's NZ → ND (AIC).
    NdPara = 13,
    /// Accumulator of sums in counter mode; written by the vector pipe.
    AccVal = 14,
    /// Value and index of the last maximum or minimum; written by the vector pipe.
    MaxMinCnt = 15,
    /// Compare mask, low word; written by the vector pipe.
    CmpMaskLow = 16,
    /// Compare mask, high word; written by the vector pipe.
    CmpMaskHigh = 17,
    /// Elements that a gather by mask kept; written by the vector pipe.
    RsvdCnt = 18,
    /// Consumed records of a merge; written by the vector pipe.
    Vms4Sr = 19,
    /// Base of the cross-core flag area.
    FftsBaseAddr = 20,
    /// Type (3 bits) and operation (2 bits) of atomic scalar stores.
    StAtomicCfg = 21,
}

impl Spr {
    /// Whether instructions write the register in the order of their pipe (else the scalar unit does, at issue).
    #[inline]
    pub const fn is_pipe_written(self) -> bool {
        matches!(self as u32, 14..=19)
    }
}

/// Every special register with the name used in the C header.
pub const SPRS: [(Spr, &str); 22] = [
    (Spr::Ctrl, "CTRL"),
    (Spr::MaskLow, "MASK_LOW"),
    (Spr::MaskHigh, "MASK_HIGH"),
    (Spr::PadValue, "PAD_VALUE"),
    (Spr::DeqScale, "DEQ_SCALE"),
    (Spr::L1Size3d, "L1_SIZE_3D"),
    (Spr::Padding, "PADDING"),
    (Spr::SysCnt, "SYS_CNT"),
    (Spr::FmatrixA, "FMATRIX_A"),
    (Spr::FmatrixB, "FMATRIX_B"),
    (Spr::Load3dRepeat, "LOAD_3D_REPEAT"),
    (Spr::Fpc, "FPC"),
    (Spr::QuantPre, "QUANT_PRE"),
    (Spr::NdPara, "ND_PARA"),
    (Spr::AccVal, "ACC_VAL"),
    (Spr::MaxMinCnt, "MAX_MIN_CNT"),
    (Spr::CmpMaskLow, "CMP_MASK_LOW"),
    (Spr::CmpMaskHigh, "CMP_MASK_HIGH"),
    (Spr::RsvdCnt, "RSVD_CNT"),
    (Spr::Vms4Sr, "VMS4_SR"),
    (Spr::FftsBaseAddr, "FFTS_BASE_ADDR"),
    (Spr::StAtomicCfg, "ST_ATOMIC_CFG"),
];

/// Bits of the control register.
pub mod ctrl {
    /// `[8:6]` atomic element type: 0 off, 1 f32, 2 f16, 3 s16, 4 s32, 5 s8, 6 bf16.
    pub const ATOMIC_TYPE_LO: u32 = 6;
    /// `[10:9]` atomic operation: 0 add, 1 max, 2 min.
    pub const ATOMIC_OP_LO: u32 = 9;
    /// 1: Mmad rounds its float operands to HF32.
    pub const HF32: u32 = 46;
    /// HF32 rounding of ties: 1 toward zero, 0 to even.
    pub const HF32_TO_ZERO: u32 = 47;
    /// 1: inf and NaN propagate; 0: half and bf16 results saturate.
    pub const INF_NAN: u32 = 48;
    /// Order in which Mmad makes its result: 1 along N first, 0 along M first.
    pub const MM_ROW_MAJOR: u32 = 51;
    /// 1: counter mask mode; 0: normal mask mode.
    pub const MASK_COUNTER: u32 = 56;
    /// 1: overflowing integer conversions keep their low bits; 0: they clamp.
    pub const CAST_TRUNCATE: u32 = 59;
}

/// What an instruction does; see the operand table of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Vector, two sources.
    Binary(BinaryFn),
    /// Vector and scalar.
    Scalar(ScalarFn),
    /// Vector, one source.
    Unary(UnaryFn),
    /// Vector element-type conversion.
    Convert(RoundMode),
    /// Vector conversion int32 → half scaled by [`Spr::DeqScale`].
    ConvertDeq,
    /// Fill with a scalar.
    Duplicate,
    /// Eight elements to eight blocks per repeat.
    Brcb,
    /// Masked UB → UB copy on the vector unit.
    CopyMasked,
    /// Burst copy in 32-byte blocks.
    CopyBurst(Path),
    /// Byte-granular copy with padding.
    CopyAlign(Path),
    /// Set an event flag; runs on the source pipe.
    SetFlag,
    /// Wait for an event flag; runs on the destination pipe.
    WaitFlag,
    /// Pipe barrier; runs on the pipe it names.
    Barrier,
    /// Write half of the vector mask.
    MoveMask,
    /// Write a special register.
    SetSpr(Spr),
    /// Clear one control-register bit.
    ClearCtrlBit,
    /// Set one control-register bit.
    SetCtrlBit,
    /// Compare, compare to the mask register, select, and the mask register CMPMASK.
    Compare(CompareKind),
    /// Reductions: whole repeat, data block, pair; sum, maximum, minimum with index.
    Reduce(ReduceKind),
    /// Gather by byte offsets, gather of blocks, gather by mask.
    Gather(GatherKind),
    /// Compound arithmetic: multiply-add forms, fused ReLU and conversions, dequantisation.
    Compound(CompoundKind),
    /// Rearrangement: transposition, 5HD transposition, sort and merge.
    Rearrange(RearrangeKind),
    /// Order between cores: cross-core flags.
    Cross(CrossKind),
    /// Caches, data barriers and what else belongs to no pipe of its own.
    System(SystemKind),
    /// Moves of the cube core: GM to L1, L1 to L0A/L0B/BT/FB, L1 to GM, constant fills.
    Load(LoadKind),
    /// Matrix multiplication and Fixpipe.
    Cube(CubeKind),
}

/// Which row of the cost model an instruction uses (figures live in the SoC data files of `sim`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Cost {
    Vector,
    VectorScalar,
    VectorReduce,
    VectorReduceBlock,
    VectorGather,
    VectorGatherBlock,
    VectorGatherMask,
    VectorDiv,
    VectorExp,
    VectorLn,
    VectorSqrt,
    VectorConvert,
    VectorBrcb,
    VectorFused,
    VectorTranspose,
    VectorSort,
    VectorMerge,
    UbToUb,
    GmToUb,
    UbToGm,
    Sync,
    Scalar,
    GmToL1,
    L1ToGm,
    L1ToL0a,
    L1ToL0b,
    L1ToBuffer,
    Fill,
    Mmad,
    L0cToGm,
    L0cToL1,
}

/// Where the spelling and packing of a row come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// Seen in public AI Core bitcode.
    Verified,
    /// Ours; runs on the embedded NPU, AI Core lowering refuses it.
    Assumed,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct OpRow {
    /// Index of the row.
    pub op: Op,
    /// Intrinsic spelling, e.g. `VADD.f32`.
    pub intrinsic: &'static str,
    /// What it does.
    pub kind: Kind,
    /// Element type of the destination.
    pub dst: DType,
    /// Element type of the sources.
    pub src: DType,
    /// Pipe it runs on. `S` for register writes; flags and barriers name their pipes in operands.
    pub pipe: Pipe,
    /// Packing of the configuration words.
    pub layout: Layout,
    /// Where spelling and packing come from.
    pub provenance: Provenance,
    /// Row of the cost model.
    pub cost: Cost,
}

impl Op {
    /// The row of this instruction.
    #[inline]
    pub fn row(self) -> &'static OpRow {
        &OPS[self as usize]
    }

    /// The instruction with this index, if there is one.
    #[inline]
    pub fn from_index(index: u32) -> Option<Op> {
        OPS.get(index as usize).map(|r| r.op)
    }
}
