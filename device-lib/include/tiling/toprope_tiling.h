/* Written by toprope from a tiling_struct! in Rust; do not edit. */
#ifndef TOPROPE_TILING_TOPROPE_TILING_H
#define TOPROPE_TILING_TOPROPE_TILING_H

#include <stddef.h>
#include <stdint.h>

// What has been asked of a tiling class. -1 means "not set" wherever a size may be left to the tiling.
typedef struct TrTilingRequest {
    // Class: 0 MatmulApiTiling, 1 MultiCoreMatmulTiling, 2 BatchMatmulTiling.
    int32_t kind;
    // Number of the SoC, see TrPlatform.
    int32_t soc;
    // A: TPosition.
    int32_t a_position;
    // A: CubeFormat.
    int32_t a_format;
    // A: DataType.
    int32_t a_type;
    // A is stored transposed.
    int32_t a_transposed;
    // B: TPosition.
    int32_t b_position;
    // B: CubeFormat.
    int32_t b_format;
    // B: DataType.
    int32_t b_type;
    // B is stored transposed.
    int32_t b_transposed;
    // C: TPosition.
    int32_t c_position;
    // C: CubeFormat.
    int32_t c_format;
    // C: DataType.
    int32_t c_type;
    // Bias: TPosition.
    int32_t bias_position;
    // Bias: CubeFormat.
    int32_t bias_format;
    // Bias: DataType.
    int32_t bias_type;
    // A bias is added.
    int32_t has_bias;
    // Scales of MX types were set.
    int32_t has_scales;
    // Rows to compute.
    int32_t m;
    // Columns to compute.
    int32_t n;
    // Depth to compute.
    int32_t k;
    // Rows of A as stored.
    int32_t org_m;
    // Columns of B as stored.
    int32_t org_n;
    // Columns of A as stored.
    int32_t org_ka;
    // Rows of B as stored.
    int32_t org_kb;
    // Cores that may be used.
    int32_t dim;
    // Rows of one core.
    int32_t single_m;
    // Columns of one core.
    int32_t single_n;
    // Depth of one core.
    int32_t single_k;
    // Most rows of one core.
    int32_t max_single_m;
    // Most columns of one core.
    int32_t max_single_n;
    // Greatest depth of one core.
    int32_t max_single_k;
    // Fewest rows of one core.
    int32_t min_single_m;
    // Fewest columns of one core.
    int32_t min_single_n;
    // Least depth of one core.
    int32_t min_single_k;
    // Rows of one core are a multiple of this.
    int32_t align_single_m;
    // Columns of one core are a multiple of this.
    int32_t align_single_n;
    // Depth of one core is a multiple of this.
    int32_t align_single_k;
    // Cores may share the depth.
    int32_t split_k;
    // Rows of one multiplication.
    int32_t base_m;
    // Columns of one multiplication.
    int32_t base_n;
    // Depth of one multiplication.
    int32_t base_k;
    // Most rows of one multiplication.
    int32_t max_base_m;
    // Most columns of one multiplication.
    int32_t max_base_n;
    // Greatest depth of one multiplication.
    int32_t max_base_k;
    // Fewest rows of one multiplication.
    int32_t min_base_m;
    // Fewest columns of one multiplication.
    int32_t min_base_n;
    // Least depth of one multiplication.
    int32_t min_base_k;
    // Bytes of L1 that may be used.
    int32_t l1_bytes;
    // Bytes of L0A.
    int32_t l0a_bytes;
    // Bytes of L0B.
    int32_t l0b_bytes;
    // Bytes of L0C that may be used.
    int32_t l0c_bytes;
    // Bytes of UB that may be used.
    int32_t ub_bytes;
    // Bytes of the bias table that may be used.
    int32_t bt_bytes;
    // MatrixTraverse.
    int32_t traverse;
    // MatrixMadType.
    int32_t mad_type;
    // DequantType.
    int32_t dequant_type;
    // ScheduleType.
    int32_t schedule_type;
    // Kind of configuration: 0 Norm, 1 MDL.
    int32_t config_type;
    // A part of L1 is kept in UB.
    int32_t l1_cache_ub;
    // Vector cores turn ND into NZ.
    int32_t vec_nd2nz;
    // B is sparse, 4 of 2.
    int32_t sparse;
    // A has two buffers in L1.
    int32_t double_a;
    // B has two buffers in L1.
    int32_t double_b;
    // C has two buffers in L0C.
    int32_t double_c;
    // Axes of A: B.
    int32_t a_layout_b;
    // Axes of A: S.
    int32_t a_layout_s;
    // Axes of A: N.
    int32_t a_layout_n;
    // Axes of A: G.
    int32_t a_layout_g;
    // Axes of A: D.
    int32_t a_layout_d;
    // Axes of B: B.
    int32_t b_layout_b;
    // Axes of B: S.
    int32_t b_layout_s;
    // Axes of B: N.
    int32_t b_layout_n;
    // Axes of B: G.
    int32_t b_layout_g;
    // Axes of B: D.
    int32_t b_layout_d;
    // Axes of C: B.
    int32_t c_layout_b;
    // Axes of C: S1.
    int32_t c_layout_s1;
    // Axes of C: N.
    int32_t c_layout_n;
    // Axes of C: G.
    int32_t c_layout_g;
    // Axes of C: S2.
    int32_t c_layout_s2;
    // Multiplications in a batch.
    int32_t batch_num;
} TrTilingRequest;

// What a host asks about the chip. Arrays are indexed by CoreMemType: L0A, L0B, L0C, L1, L2, UB, HBM, FB, BT.
typedef struct TrPlatform {
    // Bytes.
    uint64_t memory_bytes[16];
    // Bytes per cycle of one core; 0 where nothing is published.
    uint64_t bandwidth[16];
    // TR_PLATFORM_MAGIC.
    uint32_t magic;
    // Number of the SoC in a TrTilingRequest.
    int32_t soc;
    // SocVersion.
    int32_t soc_version;
    // NpuArch.
    uint32_t npu_arch;
    // Cube cores.
    uint32_t aic_count;
    // Vector cores.
    uint32_t aiv_count;
    // Bytes of workspace that the high-level APIs take.
    uint32_t lib_api_workspace_bytes;
    // Bytes at the end of UB and of L1 that belong to the high-level APIs.
    uint32_t reserved_bytes;
} TrPlatform;

#if defined(__cplusplus)
#define TR_TILING_ASSERT(what, text) static_assert(what, text)
#else
#define TR_TILING_ASSERT(what, text) _Static_assert(what, text)
#endif
TR_TILING_ASSERT(sizeof(TrTilingRequest) == 324, "size of TrTilingRequest as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, kind) == 0, "place of TrTilingRequest.kind as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, soc) == 4, "place of TrTilingRequest.soc as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, a_position) == 8, "place of TrTilingRequest.a_position as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, a_format) == 12, "place of TrTilingRequest.a_format as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, a_type) == 16, "place of TrTilingRequest.a_type as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, a_transposed) == 20, "place of TrTilingRequest.a_transposed as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, b_position) == 24, "place of TrTilingRequest.b_position as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, b_format) == 28, "place of TrTilingRequest.b_format as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, b_type) == 32, "place of TrTilingRequest.b_type as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, b_transposed) == 36, "place of TrTilingRequest.b_transposed as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, c_position) == 40, "place of TrTilingRequest.c_position as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, c_format) == 44, "place of TrTilingRequest.c_format as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, c_type) == 48, "place of TrTilingRequest.c_type as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, bias_position) == 52, "place of TrTilingRequest.bias_position as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, bias_format) == 56, "place of TrTilingRequest.bias_format as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, bias_type) == 60, "place of TrTilingRequest.bias_type as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, has_bias) == 64, "place of TrTilingRequest.has_bias as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, has_scales) == 68, "place of TrTilingRequest.has_scales as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, m) == 72, "place of TrTilingRequest.m as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, n) == 76, "place of TrTilingRequest.n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, k) == 80, "place of TrTilingRequest.k as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, org_m) == 84, "place of TrTilingRequest.org_m as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, org_n) == 88, "place of TrTilingRequest.org_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, org_ka) == 92, "place of TrTilingRequest.org_ka as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, org_kb) == 96, "place of TrTilingRequest.org_kb as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, dim) == 100, "place of TrTilingRequest.dim as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, single_m) == 104, "place of TrTilingRequest.single_m as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, single_n) == 108, "place of TrTilingRequest.single_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, single_k) == 112, "place of TrTilingRequest.single_k as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, max_single_m) == 116, "place of TrTilingRequest.max_single_m as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, max_single_n) == 120, "place of TrTilingRequest.max_single_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, max_single_k) == 124, "place of TrTilingRequest.max_single_k as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, min_single_m) == 128, "place of TrTilingRequest.min_single_m as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, min_single_n) == 132, "place of TrTilingRequest.min_single_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, min_single_k) == 136, "place of TrTilingRequest.min_single_k as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, align_single_m) == 140, "place of TrTilingRequest.align_single_m as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, align_single_n) == 144, "place of TrTilingRequest.align_single_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, align_single_k) == 148, "place of TrTilingRequest.align_single_k as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, split_k) == 152, "place of TrTilingRequest.split_k as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, base_m) == 156, "place of TrTilingRequest.base_m as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, base_n) == 160, "place of TrTilingRequest.base_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, base_k) == 164, "place of TrTilingRequest.base_k as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, max_base_m) == 168, "place of TrTilingRequest.max_base_m as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, max_base_n) == 172, "place of TrTilingRequest.max_base_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, max_base_k) == 176, "place of TrTilingRequest.max_base_k as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, min_base_m) == 180, "place of TrTilingRequest.min_base_m as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, min_base_n) == 184, "place of TrTilingRequest.min_base_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, min_base_k) == 188, "place of TrTilingRequest.min_base_k as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, l1_bytes) == 192, "place of TrTilingRequest.l1_bytes as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, l0a_bytes) == 196, "place of TrTilingRequest.l0a_bytes as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, l0b_bytes) == 200, "place of TrTilingRequest.l0b_bytes as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, l0c_bytes) == 204, "place of TrTilingRequest.l0c_bytes as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, ub_bytes) == 208, "place of TrTilingRequest.ub_bytes as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, bt_bytes) == 212, "place of TrTilingRequest.bt_bytes as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, traverse) == 216, "place of TrTilingRequest.traverse as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, mad_type) == 220, "place of TrTilingRequest.mad_type as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, dequant_type) == 224, "place of TrTilingRequest.dequant_type as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, schedule_type) == 228, "place of TrTilingRequest.schedule_type as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, config_type) == 232, "place of TrTilingRequest.config_type as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, l1_cache_ub) == 236, "place of TrTilingRequest.l1_cache_ub as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, vec_nd2nz) == 240, "place of TrTilingRequest.vec_nd2nz as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, sparse) == 244, "place of TrTilingRequest.sparse as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, double_a) == 248, "place of TrTilingRequest.double_a as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, double_b) == 252, "place of TrTilingRequest.double_b as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, double_c) == 256, "place of TrTilingRequest.double_c as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, a_layout_b) == 260, "place of TrTilingRequest.a_layout_b as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, a_layout_s) == 264, "place of TrTilingRequest.a_layout_s as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, a_layout_n) == 268, "place of TrTilingRequest.a_layout_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, a_layout_g) == 272, "place of TrTilingRequest.a_layout_g as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, a_layout_d) == 276, "place of TrTilingRequest.a_layout_d as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, b_layout_b) == 280, "place of TrTilingRequest.b_layout_b as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, b_layout_s) == 284, "place of TrTilingRequest.b_layout_s as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, b_layout_n) == 288, "place of TrTilingRequest.b_layout_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, b_layout_g) == 292, "place of TrTilingRequest.b_layout_g as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, b_layout_d) == 296, "place of TrTilingRequest.b_layout_d as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, c_layout_b) == 300, "place of TrTilingRequest.c_layout_b as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, c_layout_s1) == 304, "place of TrTilingRequest.c_layout_s1 as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, c_layout_n) == 308, "place of TrTilingRequest.c_layout_n as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, c_layout_g) == 312, "place of TrTilingRequest.c_layout_g as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, c_layout_s2) == 316, "place of TrTilingRequest.c_layout_s2 as in Rust");
TR_TILING_ASSERT(offsetof(TrTilingRequest, batch_num) == 320, "place of TrTilingRequest.batch_num as in Rust");
TR_TILING_ASSERT(sizeof(TrPlatform) == 288, "size of TrPlatform as in Rust");
TR_TILING_ASSERT(offsetof(TrPlatform, memory_bytes) == 0, "place of TrPlatform.memory_bytes as in Rust");
TR_TILING_ASSERT(offsetof(TrPlatform, bandwidth) == 128, "place of TrPlatform.bandwidth as in Rust");
TR_TILING_ASSERT(offsetof(TrPlatform, magic) == 256, "place of TrPlatform.magic as in Rust");
TR_TILING_ASSERT(offsetof(TrPlatform, soc) == 260, "place of TrPlatform.soc as in Rust");
TR_TILING_ASSERT(offsetof(TrPlatform, soc_version) == 264, "place of TrPlatform.soc_version as in Rust");
TR_TILING_ASSERT(offsetof(TrPlatform, npu_arch) == 268, "place of TrPlatform.npu_arch as in Rust");
TR_TILING_ASSERT(offsetof(TrPlatform, aic_count) == 272, "place of TrPlatform.aic_count as in Rust");
TR_TILING_ASSERT(offsetof(TrPlatform, aiv_count) == 276, "place of TrPlatform.aiv_count as in Rust");
TR_TILING_ASSERT(offsetof(TrPlatform, lib_api_workspace_bytes) == 280, "place of TrPlatform.lib_api_workspace_bytes as in Rust");
TR_TILING_ASSERT(offsetof(TrPlatform, reserved_bytes) == 284, "place of TrPlatform.reserved_bytes as in Rust");
#undef TR_TILING_ASSERT

#endif /* TOPROPE_TILING_TOPROPE_TILING_H */
