//! Host tiling: what a host program, the headers `tiling/*.h` and the runtime library agree on.
//!
//! ```text
//! matmul_tiling::MultiCoreMatmulTiling (inline C++) ──TrTilingRequest──▶ tr_tiling_compute ──TCubeTiling──▶ kernel
//! platform_ascendc::PlatformAscendC    (inline C++) ◀──TrPlatform─────── tr_platform_find
//! ```
//!
//! What a field of [`TrTilingRequest`] means and which values it takes is in `toprope_tiling`, which computes the answer.
//! [`TCubeTiling`] is an ABI of the field: programs keep its bytes in files and Python packages lay it out themselves. The
//! public header has 50 numbers; pyasc has the first 49 ([`PYASC_FIELDS`]) and hands out memory for no more. So an answer
//! to the plain structure is written up to there, and `mxTypePara`, which NpuArch 2201 does not use, stays as it was made.
#![allow(non_snake_case, reason = "the fields have the names of the public structure")]

use crate::tiling_struct;

/// Numbers of [`TCubeTiling`] that pyasc knows: all but the last.
pub const PYASC_FIELDS: usize = 49;

tiling_struct! {
    /// How a matrix multiplication is cut: `C[M, N] = A[M, Ka] x B[Kb, N]`. Sizes are in elements.
    pub struct TCubeTiling {
        /// Cores that take part.
        pub usedCoreNum: i32,
        /// Rows of A as it is stored.
        pub M: i32,
        /// Columns of B as it is stored.
        pub N: i32,
        /// Columns of A as it is stored.
        pub Ka: i32,
        /// Rows of B as it is stored.
        pub Kb: i32,
        /// Rows of C that one core computes.
        pub singleCoreM: i32,
        /// Columns of C that one core computes.
        pub singleCoreN: i32,
        /// Depth that one core computes.
        pub singleCoreK: i32,
        /// Rows of one multiplication.
        pub baseM: i32,
        /// Columns of one multiplication.
        pub baseN: i32,
        /// Depth of one multiplication.
        pub baseK: i32,
        /// Tiles of baseM x baseK that L1 has room for.
        pub depthA1: i32,
        /// Tiles of baseK x baseN that L1 has room for.
        pub depthB1: i32,
        /// Tiles along M that one load of A into L1 brings.
        pub stepM: i32,
        /// Tiles along N that one load of B into L1 brings.
        pub stepN: i32,
        /// 1: a bias is added.
        pub isBias: i32,
        /// Bytes of UB that a conversion of A, B, C or the bias needs at a time.
        pub transLength: i32,
        /// 0: tiles of C advance along M first; 1: along N first.
        pub iterateOrder: i32,
        /// Reserved, 0.
        pub shareMode: i32,
        /// Bytes of L1 in use.
        pub shareL1Size: i32,
        /// Bytes of L0C in use.
        pub shareL0CSize: i32,
        /// Bytes of UB in use.
        pub shareUbSize: i32,
        /// Reserved, 1.
        pub batchM: i32,
        /// Reserved, 1.
        pub batchN: i32,
        /// Reserved, 1.
        pub singleBatchM: i32,
        /// Reserved, 1.
        pub singleBatchN: i32,
        /// Tiles along K that one load of A into L1 brings.
        pub stepKa: i32,
        /// Tiles along K that one load of B into L1 brings.
        pub stepKb: i32,
        /// Tiles of A in L1 that are kept in UB as well; 0.
        pub depthAL1CacheUB: i32,
        /// Tiles of B in L1 that are kept in UB as well; 0.
        pub depthBL1CacheUB: i32,
        /// Buffers in L0A: 1 or 2.
        pub dbL0A: i32,
        /// Buffers in L0B: 1 or 2.
        pub dbL0B: i32,
        /// Buffers in L0C: 1 or 2.
        pub dbL0C: i32,
        /// Axis B of A's layout.
        pub ALayoutInfoB: i32,
        /// Axis S of A's layout.
        pub ALayoutInfoS: i32,
        /// Axis N of A's layout.
        pub ALayoutInfoN: i32,
        /// Axis G of A's layout.
        pub ALayoutInfoG: i32,
        /// Axis D of A's layout.
        pub ALayoutInfoD: i32,
        /// Axis B of B's layout.
        pub BLayoutInfoB: i32,
        /// Axis S of B's layout.
        pub BLayoutInfoS: i32,
        /// Axis N of B's layout.
        pub BLayoutInfoN: i32,
        /// Axis G of B's layout.
        pub BLayoutInfoG: i32,
        /// Axis D of B's layout.
        pub BLayoutInfoD: i32,
        /// Axis B of C's layout.
        pub CLayoutInfoB: i32,
        /// Axis S1 of C's layout.
        pub CLayoutInfoS1: i32,
        /// Axis N of C's layout.
        pub CLayoutInfoN: i32,
        /// Axis G of C's layout.
        pub CLayoutInfoG: i32,
        /// Axis S2 of C's layout.
        pub CLayoutInfoS2: i32,
        /// Multiplications in a batch.
        pub BatchNum: i32,
        /// Ratios of MX scales; 0, as NpuArch 2201 has none.
        pub mxTypePara: i32,
    }
}

tiling_struct! {
    /// What has been asked of a tiling class. -1 means "not set" wherever a size may be left to the tiling.
    pub struct TrTilingRequest {
        /// Class: 0 MatmulApiTiling, 1 MultiCoreMatmulTiling, 2 BatchMatmulTiling.
        pub kind: i32,
        /// Number of the SoC, see TrPlatform.
        pub soc: i32,
        /// A: TPosition.
        pub a_position: i32,
        /// A: CubeFormat.
        pub a_format: i32,
        /// A: DataType.
        pub a_type: i32,
        /// A is stored transposed.
        pub a_transposed: i32,
        /// B: TPosition.
        pub b_position: i32,
        /// B: CubeFormat.
        pub b_format: i32,
        /// B: DataType.
        pub b_type: i32,
        /// B is stored transposed.
        pub b_transposed: i32,
        /// C: TPosition.
        pub c_position: i32,
        /// C: CubeFormat.
        pub c_format: i32,
        /// C: DataType.
        pub c_type: i32,
        /// Bias: TPosition.
        pub bias_position: i32,
        /// Bias: CubeFormat.
        pub bias_format: i32,
        /// Bias: DataType.
        pub bias_type: i32,
        /// A bias is added.
        pub has_bias: i32,
        /// Scales of MX types were set.
        pub has_scales: i32,
        /// Rows to compute.
        pub m: i32,
        /// Columns to compute.
        pub n: i32,
        /// Depth to compute.
        pub k: i32,
        /// Rows of A as stored.
        pub org_m: i32,
        /// Columns of B as stored.
        pub org_n: i32,
        /// Columns of A as stored.
        pub org_ka: i32,
        /// Rows of B as stored.
        pub org_kb: i32,
        /// Cores that may be used.
        pub dim: i32,
        /// Rows of one core.
        pub single_m: i32,
        /// Columns of one core.
        pub single_n: i32,
        /// Depth of one core.
        pub single_k: i32,
        /// Most rows of one core.
        pub max_single_m: i32,
        /// Most columns of one core.
        pub max_single_n: i32,
        /// Greatest depth of one core.
        pub max_single_k: i32,
        /// Fewest rows of one core.
        pub min_single_m: i32,
        /// Fewest columns of one core.
        pub min_single_n: i32,
        /// Least depth of one core.
        pub min_single_k: i32,
        /// Rows of one core are a multiple of this.
        pub align_single_m: i32,
        /// Columns of one core are a multiple of this.
        pub align_single_n: i32,
        /// Depth of one core is a multiple of this.
        pub align_single_k: i32,
        /// Cores may share the depth.
        pub split_k: i32,
        /// Rows of one multiplication.
        pub base_m: i32,
        /// Columns of one multiplication.
        pub base_n: i32,
        /// Depth of one multiplication.
        pub base_k: i32,
        /// Most rows of one multiplication.
        pub max_base_m: i32,
        /// Most columns of one multiplication.
        pub max_base_n: i32,
        /// Greatest depth of one multiplication.
        pub max_base_k: i32,
        /// Fewest rows of one multiplication.
        pub min_base_m: i32,
        /// Fewest columns of one multiplication.
        pub min_base_n: i32,
        /// Least depth of one multiplication.
        pub min_base_k: i32,
        /// Bytes of L1 that may be used.
        pub l1_bytes: i32,
        /// Bytes of L0A.
        pub l0a_bytes: i32,
        /// Bytes of L0B.
        pub l0b_bytes: i32,
        /// Bytes of L0C that may be used.
        pub l0c_bytes: i32,
        /// Bytes of UB that may be used.
        pub ub_bytes: i32,
        /// Bytes of the bias table that may be used.
        pub bt_bytes: i32,
        /// MatrixTraverse.
        pub traverse: i32,
        /// MatrixMadType.
        pub mad_type: i32,
        /// DequantType.
        pub dequant_type: i32,
        /// ScheduleType.
        pub schedule_type: i32,
        /// Kind of configuration: 0 Norm, 1 MDL.
        pub config_type: i32,
        /// A part of L1 is kept in UB.
        pub l1_cache_ub: i32,
        /// Vector cores turn ND into NZ.
        pub vec_nd2nz: i32,
        /// B is sparse, 4 of 2.
        pub sparse: i32,
        /// A has two buffers in L1.
        pub double_a: i32,
        /// B has two buffers in L1.
        pub double_b: i32,
        /// C has two buffers in L0C.
        pub double_c: i32,
        /// Axes of A: B.
        pub a_layout_b: i32,
        /// Axes of A: S.
        pub a_layout_s: i32,
        /// Axes of A: N.
        pub a_layout_n: i32,
        /// Axes of A: G.
        pub a_layout_g: i32,
        /// Axes of A: D.
        pub a_layout_d: i32,
        /// Axes of B: B.
        pub b_layout_b: i32,
        /// Axes of B: S.
        pub b_layout_s: i32,
        /// Axes of B: N.
        pub b_layout_n: i32,
        /// Axes of B: G.
        pub b_layout_g: i32,
        /// Axes of B: D.
        pub b_layout_d: i32,
        /// Axes of C: B.
        pub c_layout_b: i32,
        /// Axes of C: S1.
        pub c_layout_s1: i32,
        /// Axes of C: N.
        pub c_layout_n: i32,
        /// Axes of C: G.
        pub c_layout_g: i32,
        /// Axes of C: S2.
        pub c_layout_s2: i32,
        /// Multiplications in a batch.
        pub batch_num: i32,
    }
}

/// First field of a [`TrPlatform`].
pub const PLATFORM_MAGIC: u32 = 0x7072_7470;

tiling_struct! {
    /// What a host asks about the chip. Arrays are indexed by CoreMemType: L0A, L0B, L0C, L1, L2, UB, HBM, FB, BT.
    pub struct TrPlatform {
        /// Bytes.
        pub memory_bytes: [u64; 16],
        /// Bytes per cycle of one core; 0 where nothing is published.
        pub bandwidth: [u64; 16],
        /// TR_PLATFORM_MAGIC.
        pub magic: u32,
        /// Number of the SoC in a TrTilingRequest.
        pub soc: i32,
        /// SocVersion.
        pub soc_version: i32,
        /// NpuArch.
        pub npu_arch: u32,
        /// Cube cores.
        pub aic_count: u32,
        /// Vector cores.
        pub aiv_count: u32,
        /// Bytes of workspace that the high-level APIs take.
        pub lib_api_workspace_bytes: u32,
        /// Bytes at the end of UB and of L1 that belong to the high-level APIs.
        pub reserved_bytes: u32,
    }
}

impl TCubeTiling {
    /// The numbers in the order of the structure.
    pub fn fields(&self) -> [i32; 50] {
        bytemuck::cast(*self)
    }

    /// The structure of these numbers.
    pub fn from_fields(fields: [i32; 50]) -> Self {
        bytemuck::cast(fields)
    }
}

const _: () = assert!(size_of::<TCubeTiling>() == (PYASC_FIELDS + 1) * 4);
