// A host program that asks for tilings, as an operator's host side does: plain g++, the libraries by the names of a CANN installation.
#include <acl/acl.h>
#include <stdio.h>
#include <string.h>

#include "kernel_tiling/kernel_tiling.h"
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
}

int main() {
  classes_have_the_bytes_of_the_plain_structure();
  the_platform_answers_for_the_chip();
  tilings_are_computed();
  refusals_are_told();
  puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
