// A host program that asks for tilings, as an operator's host side does: plain g++, the libraries by the names of a CANN installation.
#include <acl/acl.h>
#include <stdio.h>
#include <string.h>

#include "kernel_tiling/kernel_tiling.h"
#include "lib/matmul/bmm_tiling.h"
#include "lib/matmul/matmul_tiling.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

using matmul_tiling::CubeFormat;
using matmul_tiling::DataType;
using matmul_tiling::TPosition;
using platform_ascendc::CoreMemType;

static int failures = 0;
#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      printf("FAILED line %d: %s\n", __LINE__, #condition);          \
      ++failures;                                                    \
    }                                                                \
  } while (0)

BEGIN_TILING_DATA_DEF(InnerTiling)
TILING_DATA_FIELD_DEF(uint8_t, small);
TILING_DATA_FIELD_DEF(uint32_t, wide);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(InnerOp, InnerTiling)

BEGIN_TILING_DATA_DEF(OuterTiling)
TILING_DATA_FIELD_DEF(uint16_t, first);
TILING_DATA_FIELD_DEF_STRUCT(InnerTiling, inner);
TILING_DATA_FIELD_DEF_ARR(int16_t, 3, list);
TILING_DATA_FIELD_DEF(uint64_t, big);
TILING_DATA_FIELD_DEF(uint8_t, last);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(OuterOp, OuterTiling)

/* What the kernel of OuterOp reads. */
struct OuterPlain {
  uint16_t first;
  struct {
    uint8_t small;
    uint32_t wide;
  } inner;
  int16_t list[3];
  uint64_t big;
  uint8_t last;
};

static void classes_have_the_bytes_of_the_plain_structure() {
  OuterTiling tiling;
  const int16_t list[3] = {-1, 2, -3};
  tiling.set_first(7);
  tiling.inner.set_small(8);
  tiling.inner.set_wide(0x12345678);
  tiling.set_list(list);
  tiling.set_big(1ull << 40);
  tiling.set_last(9);
  const OuterTiling copy = tiling;
  tiling.inner.set_wide(1);
  CHECK(copy.GetDataSize() == sizeof(OuterPlain));
  OuterPlain plain;
  memset(&plain, 0xaa, sizeof(plain));
  copy.SaveToBuffer(&plain, sizeof(plain) - 1);
  CHECK(plain.first == 0xaaaa);
  copy.SaveToBuffer(&plain, sizeof(plain));
  CHECK(plain.first == 7 && plain.inner.small == 8 && plain.inner.wide == 0x12345678);
  CHECK(memcmp(plain.list, list, sizeof(list)) == 0 && plain.big == 1ull << 40 && plain.last == 9);
  CHECK(copy.get_first() == 7 && tiling.get_list()[2] == -3 && tiling.inner.get_wide() == 1);

  CHECK(optiling::TCubeTiling().GetDataSize() == sizeof(TCubeTiling));
  CHECK(optiling::SoftMaxTiling().GetDataSize() == sizeof(SoftMaxTiling));
  CHECK(optiling::RmsNormTiling().GetDataSize() == sizeof(RmsNormTiling));
}

static void the_platform_answers_for_the_chip() {
  CHECK(platform_ascendc::PlatformAscendCManager::GetInstance("Ascend000") == nullptr);
  auto* platform = platform_ascendc::PlatformAscendCManager::GetInstance("Ascend910B3");
  CHECK(platform != nullptr && platform == platform_ascendc::PlatformAscendCManager::GetInstance());
  if (platform == nullptr) return;
  CHECK(platform->GetCoreNum() == 40 && platform->GetCoreNumAic() == 20 && platform->GetCoreNumAiv() == 40 && platform->GetCoreNumVector() == 0);
  const struct {
    CoreMemType memory;
    uint64_t bytes;
  } sizes[] = {
      {CoreMemType::L0_A, 64 << 10}, {CoreMemType::L0_B, 64 << 10},           {CoreMemType::L0_C, 128 << 10},
      {CoreMemType::L1, (512 << 10) - 256}, {CoreMemType::UB, (192 << 10) - 256}, {CoreMemType::L2, 192ull << 20},
      {CoreMemType::HBM, 64ull << 30}, {CoreMemType::BT, 1024},              {CoreMemType::FB, 2048},
  };
  for (const auto& row : sizes) {
    uint64_t bytes = 0;
    platform->GetCoreMemSize(row.memory, bytes);
    CHECK(bytes == row.bytes);
  }
  uint64_t rate = 0;
  platform->GetCoreMemBw(CoreMemType::L2, rate);
  CHECK(rate == 110);
  platform->GetCoreMemBw(CoreMemType::HBM, rate);
  CHECK(rate == 32);
  platform_ascendc::PlatformAscendC other(nullptr);
  other.ReserveLocalMemory(platform_ascendc::ReservedSize::RESERVED_SIZE_8K);
  uint64_t ub = 0;
  other.GetCoreMemSize(CoreMemType::UB, ub);
  CHECK(ub == (184 << 10) - 256);
  CHECK(platform->GetSocVersion() == platform_ascendc::SocVersion::ASCEND910B && platform->GetCurNpuArch() == NpuArch::DAV_2201);
  CHECK(platform->GetLibApiWorkSpaceSize() == 16u << 20);
  CHECK(platform->CalcTschNumBlocks(40, 20, 40) == 20 && platform->CalcTschBlockDim(7, 20, 40) == 4);
  CHECK(platform->CalcTschNumBlocks(40, 0, 40) == 40 && platform->CalcTschNumBlocks(42, 20, 40) == 0);
}

template <class Tiling>
static void set_half(Tiling& tiling) {
  CHECK(tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16) == 0);
  CHECK(tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16, true) == 0);
  CHECK(tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT) == 0);
  CHECK(tiling.SetBiasType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT) == 0);
}

static void tilings_are_computed() {
  matmul_tiling::MultiCoreMatmulTiling tiling(*platform_ascendc::PlatformAscendCManager::GetInstance());
  set_half(tiling);
  CHECK(tiling.SetDim(20) == 0 && tiling.SetShape(1024, 640, 256) == 0 && tiling.SetOrgShape(1024, 640, 256) == 0);
  CHECK(tiling.EnableBias(true) == 0 && tiling.SetBufferSpace(-1, -1, -1) == 0);
  CHECK(tiling.SetFixSplit(128, 128, -1) == 0 && tiling.GetBaseM() == 128);
  int32_t dim = 0, m = 0, n = 0, k = 0;
  CHECK(tiling.GetCoreNum(dim, m, n) == -1);
  optiling::TCubeTiling answer;
  CHECK(tiling.GetTiling(answer) == 0);
  CHECK(answer.get_M() == 1024 && answer.get_N() == 640 && answer.get_Ka() == 256 && answer.get_Kb() == 256);
  CHECK(answer.get_baseM() == 128 && answer.get_baseN() == 128 && answer.get_isBias() == 1 && answer.get_mxTypePara() == 0);
  CHECK(answer.get_usedCoreNum() > 1 && answer.get_usedCoreNum() <= 20);
  CHECK(tiling.GetCoreNum(dim, m, n) == 0 && dim == answer.get_usedCoreNum() && dim == m * n);
  CHECK(tiling.GetSingleShape(m, n, k) == 0 && m == answer.get_singleCoreM() && n == answer.get_singleCoreN() && k == 256);
  TCubeTiling saved;
  answer.SaveToBuffer(&saved, sizeof(saved));
  CHECK(saved.usedCoreNum == dim && saved.dbL0C == answer.get_dbL0C() && saved.depthB1 == answer.get_depthB1());
  matmul_tiling::SysTilingTempBufSize sizes;
  CHECK(MultiCoreMatmulGetTmpBufSize(answer, sizes) == 0 && sizes.l1Size == answer.get_shareL1Size() && sizes.l0cSize > 0);

  /* The memory of a program that knows 49 numbers only. */
  struct {
    int32_t numbers[49];
    int32_t behind;
  } old = {};
  old.behind = 0x5a5a5a5a;
  CHECK(tiling.GetTiling(*reinterpret_cast<TCubeTiling*>(&old)) == 0);
  CHECK(old.behind == 0x5a5a5a5a && memcmp(&old, &saved, sizeof(old.numbers)) == 0);

  matmul_tiling::BatchMatmulTiling batch;
  set_half(batch);
  batch.SetShape(32, 256, 64);
  batch.SetBatchInfoForNormal(3, 3, 32, 256, 64);
  batch.SetBatchNum(3);
  TCubeTiling plain;
  int32_t batch_m = 0, batch_n = 0;
  CHECK(batch.GetTiling(plain) == 0 && plain.BatchNum == 3 && plain.ALayoutInfoD == 64 && plain.CLayoutInfoS2 == 256);
  CHECK(batch.GetCoreNum(dim, m, n, batch_m, batch_n) == 0 && dim == 1 && batch_m == 1);

  matmul_tiling::PlatformInfo small = {platform_ascendc::SocVersion::ASCEND910B, 1 << 16, 1 << 14, 1 << 16, 1 << 13, 1 << 13};
  matmul_tiling::MatmulApiTiling one(small);
  set_half(one);
  one.SetShape(512, 512, 512);
  CHECK(one.GetTiling(plain) == 0 && plain.usedCoreNum == 1 && plain.shareL1Size <= 1 << 16 && plain.shareL0CSize <= 1 << 14);
}

/* Every setter stores its numbers where the computation looks for them. */
static void setters_fill_the_request() {
  struct Open : matmul_tiling::MultiCoreMatmulTiling {
    using MultiCoreMatmulTiling::MultiCoreMatmulTiling;
    const TrTilingRequest& request() const { return request_; }
  } tiling;
  const TrTilingRequest& r = tiling.request();
  tiling.SetAType(TPosition::TSCM, CubeFormat::NZ, DataType::DT_INT8, true);
  CHECK(r.a_position == 13 && r.a_format == 1 && r.a_type == 2 && r.a_transposed == 1);
  tiling.SetBType(TPosition::VECOUT, CubeFormat::VECTOR, DataType::DT_BF16, true);
  CHECK(r.b_position == 10 && r.b_format == 7 && r.b_type == 27 && r.b_transposed == 1);
  tiling.SetCType(TPosition::VECIN, CubeFormat::ND_ALIGN, DataType::DT_INT32);
  CHECK(r.c_position == 9 && r.c_format == 5 && r.c_type == 3);
  tiling.SetBiasType(TPosition::VECCALC, CubeFormat::SCALAR, DataType::DT_FLOAT16);
  CHECK(r.bias_position == 11 && r.bias_format == 6 && r.bias_type == 1);
  CHECK(r.has_scales == 0 && tiling.SetScaleBType(TPosition::GM, CubeFormat::ND) == 0 && r.has_scales == 1);
  CHECK(tiling.SetBias(true) == 0 && r.has_bias == 1 && tiling.EnableBias() == 0 && r.has_bias == 0);
  CHECK(tiling.SetDequantType(matmul_tiling::DequantType::TENSOR) == 0 && r.dequant_type == 1);
  CHECK(tiling.SetSparse(true) == 0 && r.sparse == 1);
  CHECK(tiling.SetShape(1, 2, 3) == 0 && r.m == 1 && r.n == 2 && r.k == 3 && r.org_m == 1 && r.org_kb == 3);
  CHECK(tiling.SetOrgShape(11, 12, 13, 14) == 0 && r.org_m == 11 && r.org_n == 12 && r.org_ka == 13 && r.org_kb == 14);
  CHECK(tiling.SetOrgShape(21, 22, 23) == 0 && r.org_m == 21 && r.org_n == 22 && r.org_ka == 23 && r.org_kb == 23);
  CHECK(tiling.SetALayout(1, 2, 3, 4, 5) == 0 && r.a_layout_b == 1 && r.a_layout_s == 2 && r.a_layout_n == 3 && r.a_layout_g == 4 && r.a_layout_d == 5);
  CHECK(tiling.SetBLayout(6, 7, 8, 9, 10) == 0 && r.b_layout_b == 6 && r.b_layout_s == 7 && r.b_layout_n == 8 && r.b_layout_g == 9 && r.b_layout_d == 10);
  CHECK(tiling.SetCLayout(11, 12, 13, 14, 15) == 0 && r.c_layout_b == 11 && r.c_layout_s1 == 12 && r.c_layout_n == 13 && r.c_layout_g == 14 && r.c_layout_s2 == 15);
  CHECK(tiling.SetBatchInfoForNormal(2, 3, 4, 5, 6) == 0 && r.a_layout_b == 2 && r.b_layout_b == 3 && r.c_layout_b == 3);
  CHECK(r.a_layout_s == 4 && r.b_layout_s == 5 && r.c_layout_s2 == 5 && r.a_layout_d == 6 && r.b_layout_d == 6 && r.c_layout_s1 == 4);
  CHECK(tiling.SetBatchNum(9) == 0 && r.batch_num == 9);
  CHECK(tiling.SetFixSplit(32, 48, 64) == 0 && r.base_m == 32 && r.base_n == 48 && r.base_k == 64 && tiling.GetBaseN() == 48);
  CHECK(tiling.SetSplitRange(64, 80, 96, 16, 32, 32) == 0 && r.max_base_m == 64 && r.max_base_n == 80 && r.max_base_k == 96);
  CHECK(r.min_base_m == 16 && r.min_base_n == 32 && r.min_base_k == 32);
  CHECK(tiling.SetBufferSpace(1024, 2048, 4096, 512) == 0 && r.l1_bytes == 1024 && r.l0c_bytes == 2048 && r.ub_bytes == 4096 && r.bt_bytes == 512);
  CHECK(tiling.SetDoubleBuffer(false, true, false, true) == 0 && r.double_a == 0 && r.double_b == 1 && r.double_c == 0);
  CHECK(tiling.SetTraverse(matmul_tiling::MatrixTraverse::FIRSTM) == 0 && r.traverse == 1);
  CHECK(tiling.SetMadType(matmul_tiling::MatrixMadType::HF32) == 0 && r.mad_type == 1);
  tiling.SetMatmulConfigParams({0, true, matmul_tiling::ScheduleType::N_BUFFER_33, matmul_tiling::MatrixTraverse::FIRSTN, true});
  CHECK(r.config_type == 0 && r.l1_cache_ub == 1 && r.schedule_type == 2 && r.traverse == 2 && r.vec_nd2nz == 1);
  CHECK(tiling.SetDim(17) == 0 && r.dim == 17);
  CHECK(tiling.SetSingleShape(100, -1, 300) == 0 && r.single_m == 100 && r.single_n == -1 && r.single_k == 300);
  CHECK(tiling.SetSingleShape(0, 200) == 0 && r.single_m == 100 && r.single_n == 200 && r.single_k == 300);
  CHECK(tiling.SetSingleRange(1, 2, 3, 4, 5, 6) == 0 && r.max_single_m == 1 && r.max_single_n == 2 && r.max_single_k == 3);
  CHECK(r.min_single_m == 4 && r.min_single_n == 5 && r.min_single_k == 6);
  CHECK(tiling.SetAlignSplit(64, 0, 32) == 0 && r.align_single_m == 64 && r.align_single_n == 0 && r.align_single_k == 32);
  tiling.SetSplitK(true);
  CHECK(r.split_k == 1);

  const matmul_tiling::PlatformInfo huge = {platform_ascendc::SocVersion::ASCEND910B, 1ull << 40, 1, 2, 3, 4};
  const Open other(huge);
  CHECK(other.request().l1_bytes == INT32_MAX && other.request().l0c_bytes == 1 && other.request().ub_bytes == 2);
  CHECK(other.request().l0a_bytes == 3 && other.request().l0b_bytes == 4);
}

/* Figures of the platform configuration files of the CANN runtime. */
static void every_soc_has_its_figures() {
  const struct {
    const char* name;
    uint32_t aic;
    uint64_t l2_mib, hbm_gib;
  } socs[] = {{"Ascend910B1", 24, 192, 64},    {"Ascend910B2", 24, 192, 64},    {"Ascend910B2C", 24, 192, 64},   {"Ascend910B3", 20, 192, 64},
              {"Ascend910B4", 20, 96, 32},     {"Ascend910B4-1", 20, 168, 32},  {"Ascend910_9362", 20, 168, 64}, {"Ascend910_9372", 20, 192, 64},
              {"Ascend910_9381", 24, 192, 64}, {"Ascend910_9382", 24, 192, 64}, {"Ascend910_9391", 24, 192, 64}, {"Ascend910_9392", 24, 192, 64}};
  for (const auto& soc : socs) {
    const TrPlatform* facts = tr_platform_find(soc.name);
    CHECK(facts != nullptr);
    if (facts == nullptr) continue;
    const platform_ascendc::PlatformAscendC platform(reinterpret_cast<fe::PlatFormInfos*>(const_cast<TrPlatform*>(facts)));
    uint64_t l2 = 0, hbm = 0;
    platform.GetCoreMemSize(CoreMemType::L2, l2);
    platform.GetCoreMemSize(CoreMemType::HBM, hbm);
    CHECK(platform.GetCoreNumAic() == soc.aic && platform.GetCoreNumAiv() == 2 * soc.aic && l2 == soc.l2_mib << 20 && hbm == soc.hbm_gib << 30);
    CHECK(platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND910B && platform.GetCurNpuArch() == NpuArch::DAV_2201);
    matmul_tiling::MultiCoreMatmulTiling tiling(platform);
    TCubeTiling answer;
    tiling.SetDim(48);
    tiling.SetShape(8192, 8192, 512);
    CHECK(tiling.GetTiling(answer) == 0 && answer.usedCoreNum > 1 && answer.usedCoreNum <= static_cast<int32_t>(2 * soc.aic));
  }
  CHECK(tr_platform_find("Ascend310P3") == nullptr);
}

static void refusals_are_told() {
  matmul_tiling::MultiCoreMatmulTiling tiling;
  set_half(tiling);
  CHECK(tiling.SetFixSplit(24, -1, -1) == -1);
  const char* said = aclGetRecentErrMsg();
  CHECK(said != nullptr && strstr(said, "SetFixSplit: baseM = 24: it must be a positive multiple of 16") != nullptr);
  TCubeTiling answer;
  answer.M = 77;
  CHECK(tiling.GetTiling(answer) == -1 && answer.M == 77);
  said = aclGetRecentErrMsg();
  CHECK(said != nullptr && strstr(said, "GetTiling: M is -1: sizes must be positive") != nullptr);
  tiling.SetShape(64, 64, 64);
  CHECK(tiling.GetTiling(answer) == 0 && answer.M == 64);
  tiling.SetScaleAType(TPosition::GM, CubeFormat::ND);
  CHECK(tiling.GetTiling(answer) == -1);
  for (const auto soc : {platform_ascendc::SocVersion::ASCEND910B, platform_ascendc::SocVersion::ASCEND310P}) {
    matmul_tiling::MatmulApiTiling one(matmul_tiling::PlatformInfo{soc, 1 << 16, 1 << 14, 1 << 16, 1 << 13, 1 << 13});
    one.SetShape(32, 32, 32);
    CHECK(one.GetTiling(answer) == (soc == platform_ascendc::SocVersion::ASCEND910B ? 0 : -1));
  }
}

int main() {
  classes_have_the_bytes_of_the_plain_structure();
  the_platform_answers_for_the_chip();
  tilings_are_computed();
  setters_fill_the_request();
  every_soc_has_its_figures();
  refusals_are_told();
  puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
