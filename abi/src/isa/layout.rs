//! Packing of configuration words: fields, widths, units and limits.
//!
//! The C header gets one pack function per layout and one constant per limit; headers check a field
//! against its limit *before* packing, because a value that silently loses its high bits is a real bug
//! class. `max` may be smaller than the width allows where the public API says so.
//!
//! Source: bit positions as decoded from the public AscendNPU-IR c220 library; limits from the Ascend C
//! API reference for Atlas A2.

/// Unit of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain number.
    Count,
    /// 32-byte data blocks.
    DataBlocks,
    /// Bytes.
    Bytes,
    /// Elements of the instruction's type.
    Elements,
    /// 512-byte fractals.
    Fractals,
}

/// One field: up to two pieces (`lo`, `width`) of one of the two configuration words, low piece first.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Which field.
    pub id: FieldId,
    /// 0: first configuration word, 1: second.
    pub word: u8,
    /// Lowest bit and width of the low piece.
    pub low: (u8, u8),
    /// Lowest bit and width of the high piece; width 0 if there is none.
    pub high: (u8, u8),
    /// Smallest legal value.
    pub min: u64,
    /// Largest legal value.
    pub max: u64,
    /// Unit of the value.
    pub unit: Unit,
}

impl Field {
    /// Reads the field out of the configuration words.
    #[inline]
    pub const fn get(&self, words: [u64; 2]) -> u64 {
        let w = words[self.word as usize];
        let low = (w >> self.low.0) & ((1 << self.low.1) - 1);
        let high = (w >> self.high.0) & ((1 << self.high.1) - 1);
        low | (high << self.low.1)
    }

    /// Places `value` (whose excess bits are dropped) into its word.
    #[inline]
    pub const fn put(&self, value: u64) -> u64 {
        let low = value & ((1 << self.low.1) - 1);
        let high = (value >> self.low.1) & ((1 << self.high.1) - 1);
        (low << self.low.0) | (high << self.high.0)
    }
}

macro_rules! fields {
    ($($variant:ident $name:literal $text:literal;)*) => {
        /// Names of configuration fields. The C header calls them `TR_FIELD_<NAME>`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum FieldId { $(#[doc = $text] $variant,)* }

        /// Every field with its snake_case name and the words a message uses for it.
        pub static FIELDS: &[(FieldId, &str, &str)] = &[$((FieldId::$variant, $name, $text),)*];
    };
}

fields! {
    DstBlockStride "dst_block_stride" "block stride of the destination";
    Src0BlockStride "src0_block_stride" "block stride of the first source";
    Src1BlockStride "src1_block_stride" "block stride of the second source";
    DstRepeatStride "dst_repeat_stride" "repeat stride of the destination";
    Src0RepeatStride "src0_repeat_stride" "repeat stride of the first source";
    Src1RepeatStride "src1_repeat_stride" "repeat stride of the second source";
    RepeatTimes "repeat_times" "number of repeats";
    Sid "sid" "stream id of the copy (0)";
    BurstCount "burst_count" "number of bursts (blockCount)";
    BurstLen "burst_len" "length of one burst (blockLen)";
    SrcGap "src_gap" "gap between bursts at the source (tail to head)";
    DstGap "dst_gap" "gap between bursts at the destination (tail to head)";
    LeftPad "left_pad" "elements padded on the left";
    RightPad "right_pad" "elements padded on the right";
    EventId "event_id" "event id";
    MaskLength "mask_length" "number of elements a mask selects";
    WatchStart "watch_start" "block before the first one watched (startAddr)";
    WatchEnd "watch_end" "last block watched (endAddr)";
    WatchUnits "watch_units" "accesses watched";
    WatchEnable "watch_enable" "whether it is on";
    WatchNumber "watch_number" "number of the watch (enableBit)";
    PrefetchLen "prefetch_len" "instructions to prefetch (preFetchLen), in 2 KiB";
    NdNum "nd_num" "number of matrices (ndNum)";
    NValue "n_value" "rows of a matrix (nValue)";
    DValue "d_value" "elements of a row (dValue)";
    SrcMatrixStride "src_matrix_stride" "stride between source matrices (srcNdMatrixStride)";
    SrcDValue "src_d_value" "stride between source rows (srcDValue)";
    DstC0Stride "dst_c0_stride" "stride between column blocks at the destination (dstNzC0Stride)";
    DstNStride "dst_n_stride" "stride between rows at the destination (dstNzNStride)";
    DstMatrixStride "dst_matrix_stride" "stride between destination matrices (dstNzMatrixStride)";
    SrcNStride "src_n_stride" "stride between column blocks at the source (srcNStride)";
    DstDStride "dst_d_stride" "stride between rows at the destination (dstDStride)";
    StartIndex "start_index" "index of the first fractal (startIndex)";
    SrcStride "src_stride" "stride between fractals at the source (srcStride)";
    IfTranspose "if_transpose" "transposition of each fractal (ifTranspose)";
    AddrMode "addr_mode" "direction of the source index (addrMode)";
    MSize "m_size" "rows (m)";
    KSize "k_size" "depth (k)";
    NSize "n_size" "columns (n)";
    CSource "c_source" "block that C starts from";
    UnitFlag "unit_flag" "unitFlag";
    KDirectionAlign "k_direction_align" "kDirectionAlign";
    CFromBias "c_from_bias" "cmatrixSource";
    CStartsAtZero "c_starts_at_zero" "cmatrixInitVal";
    SrcColumnStride "src_column_stride" "distance of column groups at the source (srcStride)";
    DstRowStride "dst_row_stride" "distance of rows or column groups at the destination (dstStride)";
    QuantMode "quant_mode" "quantPre";
    ReluMode "relu_mode" "reluEn";
    ChannelSplit "channel_split" "channelSplit";
    NzToNd "nz_to_nd" "nz2nd";
    SrcNdStride "src_nd_stride" "distance of matrices at the source (srcNdStride)";
    DstNdStride "dst_nd_stride" "distance of matrices at the destination (dstNdStride)";
    SelectMode "select_mode" "mode of the selection";
    ResultOrder "result_order" "order of value and index";
    GatherBase "gather_base" "address that offsets count from";
    PatternMode "pattern_mode" "number of the pattern";
    ListMask "list_mask" "which lists take part (validBit)";
    Suspension "suspension" "stop when a list is exhausted";
    ListLength0 "list_length_0" "length of the first list in records";
    ListLength1 "list_length_1" "length of the second list in records";
    ListLength2 "list_length_2" "length of the third list in records";
    ListLength3 "list_length_3" "length of the fourth list in records";
    DstFracGap "dst_frac_gap" "gap between the fractals of a square (dstFracGap)";
    KExtension "k_extension" "columns of the tile (kExtension)";
    MExtension "m_extension" "rows of the tile (mExtension)";
    KStart "k_start" "first column of the tile (kStartPt)";
    MStart "m_start" "first row of the tile (mStartPt)";
    StrideW "stride_w" "horizontal step of the filter (strideW)";
    StrideH "stride_h" "vertical step of the filter (strideH)";
    FilterW "filter_w" "width of the filter (filterW)";
    FilterH "filter_h" "height of the filter (filterH)";
    DilationW "dilation_w" "horizontal dilation of the filter (dilationFilterW)";
    DilationH "dilation_h" "vertical dilation of the filter (dilationFilterH)";
    FilterSizeW "filter_size_w" "256 more columns of the filter (filterSizeW)";
    FilterSizeH "filter_size_h" "256 more rows of the filter (filterSizeH)";
    EnTranspose "en_transpose" "transposition of the tile (enTranspose)";
    FMatrixCtrl "f_matrix_ctrl" "which feature map register (fMatrixCtrl)";
    ChannelSize "channel_size" "number of channels (channelSize)";
    MapHeight "map_height" "height of the feature map (l1H)";
    MapWidth "map_width" "width of the feature map (l1W)";
    Boundary "boundary" "boundary of L1 (boundaryValue)";
    BlockNum "block_num" "blocks of one repeat (blockNum)";
    Convert "convert" "conversion from half to float";
}

/// Kinds of configuration words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Three vector operands.
    VecBinary,
    /// Two vector operands (unary, scalar, conversion, masked copy).
    VecUnary,
    /// Destination only (duplicate, brcb).
    VecDup,
    /// Burst copy in data blocks.
    Burst,
    /// GM → UB in bytes with padding; two words.
    AlignIn,
    /// UB → GM in bytes; two words.
    AlignOut,
    /// Select: three vector operands and the mode.
    VecSelect,
    /// Reductions.
    VecReduce,
    /// Gathers by offset.
    VecGather,
    /// Gather by mask.
    GatherMask,
    /// Source pipe, destination pipe, event id as operands.
    Flag,
    /// Pipe as operand.
    Barrier,
    /// A value for a register.
    Register,
    /// A watch on UB.
    Watch,
    /// GM → L1 with ND → NZ; two words.
    Nd2Nz,
    /// Copy of 512-byte fractals; two words.
    Load2d,
    /// Matrix multiplication.
    Mad,
    /// Fixpipe; two words.
    Fixpipe,
    /// Register of Fixpipe's NZ → ND.
    NdPara,
    /// Only a number of repeats.
    VecRepeat,
    /// Transposition of blocks named by address registers.
    NchwConv,
    /// Merge of sorted lists; the second word holds their lengths.
    Merge,
    /// Transposition of squares of fractals; two words.
    Load2dTranspose,
    /// Fractals with their index matrices.
    LoadSparse,
    /// Tile of an im2col matrix; two words.
    Load3d,
    /// Constant fill.
    Fill,
    /// L1 → bias table.
    ToBias,
    /// L1 → fixpipe buffer.
    ToFixpipe,
}

const fn f(id: FieldId, word: u8, low: (u8, u8), max: u64, unit: Unit) -> Field {
    Field { id, word, low, high: (0, 0), min: 0, max, unit }
}

const fn f2(id: FieldId, low: (u8, u8), high: (u8, u8), max: u64, unit: Unit) -> Field {
    Field { id, word: 0, low, high, min: 0, max, unit }
}

use FieldId::*;
use Unit::*;

const VEC_BINARY: &[Field] = &[
    f(DstBlockStride, 0, (0, 8), 255, DataBlocks),
    f(Src0BlockStride, 0, (8, 8), 255, DataBlocks),
    f(Src1BlockStride, 0, (16, 8), 255, DataBlocks),
    f(DstRepeatStride, 0, (24, 8), 255, DataBlocks),
    f(Src0RepeatStride, 0, (32, 8), 255, DataBlocks),
    f(Src1RepeatStride, 0, (40, 8), 255, DataBlocks),
    f(RepeatTimes, 0, (56, 8), 255, Count),
];
const VEC_UNARY: &[Field] = &[
    f(DstBlockStride, 0, (0, 16), 65535, DataBlocks),
    f(Src0BlockStride, 0, (16, 16), 65535, DataBlocks),
    f2(DstRepeatStride, (32, 8), (52, 4), 4095, DataBlocks),
    f(Src0RepeatStride, 0, (40, 12), 4095, DataBlocks),
    f(RepeatTimes, 0, (56, 8), 255, Count),
];
const VEC_DUP: &[Field] = &[
    f(DstBlockStride, 0, (0, 16), 65535, DataBlocks),
    f2(DstRepeatStride, (32, 8), (52, 4), 4095, DataBlocks),
    f(RepeatTimes, 0, (56, 8), 255, Count),
];
const VEC_SELECT: &[Field] = &[
    f(DstBlockStride, 0, (0, 8), 255, DataBlocks),
    f(Src0BlockStride, 0, (8, 8), 255, DataBlocks),
    f(Src1BlockStride, 0, (16, 8), 255, DataBlocks),
    f(DstRepeatStride, 0, (24, 8), 255, DataBlocks),
    f(Src0RepeatStride, 0, (32, 8), 255, DataBlocks),
    f(Src1RepeatStride, 0, (40, 8), 255, DataBlocks),
    f(SelectMode, 0, (48, 2), 2, Count),
    f(RepeatTimes, 0, (56, 8), 255, Count),
];
const VEC_REDUCE: &[Field] = &[
    f(DstRepeatStride, 0, (0, 16), 65535, Count),
    f(Src0BlockStride, 0, (16, 16), 65535, DataBlocks),
    f(Src0RepeatStride, 0, (32, 16), 65535, DataBlocks),
    f(RepeatTimes, 0, (56, 8), 255, Count),
];
const VEC_GATHER: &[Field] = &[
    f(GatherBase, 0, (0, 32), 4_294_967_295, Bytes),
    f(DstRepeatStride, 0, (32, 16), 65535, DataBlocks),
    f(DstBlockStride, 0, (48, 8), 255, DataBlocks),
    f(RepeatTimes, 0, (56, 8), 255, Count),
];
const GATHER_MASK: &[Field] = &[
    f2(RepeatTimes, (0, 8), (56, 8), 65535, Count),
    f(Src0BlockStride, 0, (8, 8), 255, DataBlocks),
    f(PatternMode, 0, (16, 3), 7, Count),
    f(Src0RepeatStride, 0, (24, 16), 65535, DataBlocks),
    f(Src1RepeatStride, 0, (40, 8), 255, DataBlocks),
];
const BURST: &[Field] = &[
    f(Sid, 0, (0, 4), 0, Count),
    f(BurstCount, 0, (4, 12), 4095, Count),
    f(BurstLen, 0, (16, 16), 65535, DataBlocks),
    f(SrcGap, 0, (32, 16), 65535, DataBlocks),
    f(DstGap, 0, (48, 16), 65535, DataBlocks),
];
const ALIGN_IN: &[Field] = &[
    f(Sid, 0, (0, 4), 0, Count),
    f(BurstCount, 0, (4, 12), 4095, Count),
    f(BurstLen, 0, (16, 21), 2_097_151, Bytes),
    f(LeftPad, 0, (48, 6), 32, Elements),
    f(RightPad, 0, (54, 6), 32, Elements),
    f(SrcGap, 1, (0, 32), 4_294_967_295, Bytes),
    f(DstGap, 1, (32, 32), 4_294_967_295, DataBlocks),
];
const ALIGN_OUT: &[Field] = &[
    f(Sid, 0, (0, 4), 0, Count),
    f(BurstCount, 0, (4, 12), 4095, Count),
    f(BurstLen, 0, (16, 21), 2_097_151, Bytes),
    f(SrcGap, 1, (0, 32), 4_294_967_295, DataBlocks),
    f(DstGap, 1, (32, 32), 4_294_967_295, Bytes),
];
/// Bits of `WatchUnits`, low first: MTE writes, MTE reads, vector writes, vector reads, scalar writes, scalar reads.
const WATCH: &[Field] = &[
    f(WatchEnable, 0, (0, 1), 1, Count),
    f(WatchUnits, 0, (26, 6), 63, Count),
    f(WatchEnd, 0, (32, 16), 65535, DataBlocks),
    f(WatchStart, 0, (48, 16), 65535, DataBlocks),
];
// Limits of the strides: the reference page of the ND2NZ copy. `srcDValue` and the strides of destination rows and blocks may only be 0
// where there is one row or block.
const ND2NZ: &[Field] = &[
    f(Sid, 0, (0, 4), 0, Count),
    f(NdNum, 0, (4, 12), 4095, Count),
    f(NValue, 0, (16, 16), 16384, Count),
    f(DValue, 0, (32, 16), 65535, Elements),
    f(SrcMatrixStride, 0, (48, 16), 65535, Elements),
    f(SrcDValue, 1, (0, 16), 65535, Elements),
    f(DstC0Stride, 1, (16, 16), 16384, DataBlocks),
    f(DstNStride, 1, (32, 16), 16384, DataBlocks),
    f(DstMatrixStride, 1, (48, 16), 16384, Elements),
];
const LOAD2D: &[Field] = &[
    f(StartIndex, 0, (0, 16), 65535, Fractals),
    f(RepeatTimes, 0, (16, 8), 255, Count),
    f(SrcStride, 0, (24, 16), 65535, Fractals),
    f(Sid, 0, (40, 4), 0, Count),
    f(DstGap, 0, (44, 16), 65535, Fractals),
    f(IfTranspose, 1, (0, 1), 1, Count),
    f(AddrMode, 1, (1, 1), 1, Count),
];
const LOAD2D_TRANSPOSE: &[Field] = &[
    f(StartIndex, 0, (0, 16), 65535, Count),
    f(RepeatTimes, 0, (16, 8), 255, Count),
    f(SrcStride, 0, (24, 16), 65535, Count),
    f(DstGap, 0, (44, 16), 65535, Fractals),
    f(AddrMode, 0, (63, 1), 1, Count),
    f(DstFracGap, 1, (0, 16), 65535, Fractals),
];
const LOAD_SPARSE: &[Field] =
    &[f(StartIndex, 0, (0, 16), 65535, Fractals), f(RepeatTimes, 0, (16, 8), 255, Count)];
const LOAD3D: &[Field] = &[
    f(KExtension, 0, (0, 16), 65535, Elements),
    f(MExtension, 0, (16, 16), 65535, Elements),
    f(KStart, 0, (32, 16), 65535, Elements),
    f(MStart, 0, (48, 16), 32767, Elements),
    f(StrideW, 1, (0, 6), 63, Count),
    f(StrideH, 1, (6, 6), 63, Count),
    f(FilterW, 1, (12, 8), 255, Count),
    f(FilterH, 1, (20, 8), 255, Count),
    f(DilationW, 1, (28, 8), 255, Count),
    f(DilationH, 1, (36, 8), 255, Count),
    f(FilterSizeW, 1, (44, 1), 1, Count),
    f(FilterSizeH, 1, (45, 1), 1, Count),
    f(EnTranspose, 1, (46, 1), 1, Count),
    f(FMatrixCtrl, 1, (47, 1), 1, Count),
    f(ChannelSize, 1, (48, 16), 65535, Elements),
];
const FILL: &[Field] = &[
    f(RepeatTimes, 0, (0, 16), 32767, Count),
    f(BlockNum, 0, (16, 16), 32767, Count),
    f(DstGap, 0, (32, 16), 32767, Count),
];
// Lengths and gaps at the bias table in 64 bytes, at the fixpipe buffer in 128 bytes; gaps of the latter are from head to head.
const TO_BIAS: &[Field] = &[
    f(Convert, 0, (3, 1), 1, Count),
    f(BurstCount, 0, (4, 12), 4095, Count),
    f(BurstLen, 0, (16, 16), 65535, Count),
    f(SrcGap, 0, (32, 16), 65535, DataBlocks),
    f(DstGap, 0, (48, 16), 65535, Count),
];
const TO_FIXPIPE: &[Field] = &[
    f(BurstCount, 0, (4, 12), 4095, Count),
    f(BurstLen, 0, (16, 16), 65535, Count),
    f(SrcGap, 0, (32, 16), 65535, DataBlocks),
    f(DstGap, 0, (48, 16), 65535, Count),
];

/// The source block is ours: 64-byte block of BT, or 1 + 1 KiB block of L0C (0: C itself).
const MAD: &[Field] = &[
    f(MSize, 0, (0, 12), 4095, Count),
    f(KSize, 0, (12, 12), 4095, Count),
    f(NSize, 0, (24, 12), 4095, Count),
    f(CSource, 0, (36, 8), 255, Count),
    f(UnitFlag, 0, (55, 2), 3, Count),
    f(KDirectionAlign, 0, (58, 1), 1, Count),
    f(CFromBias, 0, (62, 1), 1, Count),
    f(CStartsAtZero, 0, (63, 1), 1, Count),
];
const FIXPIPE: &[Field] = &[
    f(Sid, 0, (0, 4), 0, Count),
    f(NSize, 0, (4, 12), 4095, Count),
    f(MSize, 0, (16, 16), 65535, Count),
    f(DstRowStride, 0, (32, 32), 4_294_967_295, Count),
    f(SrcColumnStride, 1, (0, 16), 65535, Count),
    f(UnitFlag, 1, (32, 2), 3, Count),
    f(QuantMode, 1, (34, 5), 31, Count),
    f(ReluMode, 1, (39, 3), 1, Count),
    f(ChannelSplit, 1, (42, 1), 1, Count),
    f(NzToNd, 1, (43, 1), 1, Count),
];
const ND_PARA: &[Field] = &[
    f(NdNum, 0, (0, 16), 65535, Count),
    f(SrcNdStride, 0, (16, 16), 512, Count),
    f(DstNdStride, 0, (32, 16), 65535, Elements),
];
const VEC_REPEAT: &[Field] = &[f(RepeatTimes, 0, (56, 8), 255, Count)];
const NCHW_CONV: &[Field] = &[
    f(DstRepeatStride, 0, (0, 16), 65535, DataBlocks),
    f(Src0RepeatStride, 0, (16, 16), 65535, DataBlocks),
    f(RepeatTimes, 0, (56, 8), 255, Count),
];
const MERGE: &[Field] = &[
    f(RepeatTimes, 0, (0, 8), 255, Count),
    f(ListMask, 0, (8, 4), 15, Count),
    f(Suspension, 0, (12, 1), 1, Count),
    f(ListLength0, 1, (0, 16), 4095, Count),
    f(ListLength1, 1, (16, 16), 4095, Count),
    f(ListLength2, 1, (32, 16), 4095, Count),
    f(ListLength3, 1, (48, 16), 4095, Count),
];

/// Every layout with its C name and its fields.
pub static LAYOUTS: &[(Layout, &str, &[Field])] = &[
    (Layout::VecBinary, "vec_binary", VEC_BINARY),
    (Layout::VecUnary, "vec_unary", VEC_UNARY),
    (Layout::VecDup, "vec_dup", VEC_DUP),
    (Layout::Burst, "burst", BURST),
    (Layout::AlignIn, "align_in", ALIGN_IN),
    (Layout::AlignOut, "align_out", ALIGN_OUT),
    (Layout::VecSelect, "vec_select", VEC_SELECT),
    (Layout::VecReduce, "vec_reduce", VEC_REDUCE),
    (Layout::VecGather, "vec_gather", VEC_GATHER),
    (Layout::GatherMask, "gather_mask", GATHER_MASK),
    (Layout::Flag, "flag", &[]),
    (Layout::Barrier, "barrier", &[]),
    (Layout::Register, "register", &[]),
    (Layout::Watch, "watch", WATCH),
    (Layout::Nd2Nz, "nd2nz", ND2NZ),
    (Layout::Load2d, "load2d", LOAD2D),
    (Layout::Mad, "mad", MAD),
    (Layout::Fixpipe, "fixpipe", FIXPIPE),
    (Layout::NdPara, "nd_para", ND_PARA),
    (Layout::VecRepeat, "vec_repeat", VEC_REPEAT),
    (Layout::NchwConv, "nchw_conv", NCHW_CONV),
    (Layout::Merge, "merge", MERGE),
    (Layout::Load2dTranspose, "load2d_transpose", LOAD2D_TRANSPOSE),
    (Layout::LoadSparse, "load_sparse", LOAD_SPARSE),
    (Layout::Load3d, "load3d", LOAD3D),
    (Layout::Fill, "fill", FILL),
    (Layout::ToBias, "to_bias", TO_BIAS),
    (Layout::ToFixpipe, "to_fixpipe", TO_FIXPIPE),
];

impl Layout {
    /// The fields of this layout, low bits first.
    #[inline]
    pub const fn fields(self) -> &'static [Field] {
        LAYOUTS[self as usize].2
    }

    /// The field `id` of this layout, if it has one.
    pub const fn field(self, id: FieldId) -> Option<&'static Field> {
        let fields = self.fields();
        let mut i = 0;
        while i < fields.len() {
            if fields[i].id as u32 == id as u32 {
                return Some(&fields[i]);
            }
            i += 1;
        }
        None
    }
}

impl FieldId {
    /// The words a message uses.
    pub fn text(self) -> &'static str {
        FIELDS[self as usize].2
    }

    /// The field with this number, if there is one.
    pub fn from_index(index: u32) -> Option<FieldId> {
        FIELDS.get(index as usize).map(|f| f.0)
    }
}
