/* Host tiling of the high-level APIs: how a matrix multiplication is cut for the cores and memories of the chip.
 *
 * Thin classes: setters fill a plain request, GetTiling hands it to the runtime library, which computes (docs/tiling.md). -1 means refused, and
 * the reason is printed to stderr and is in aclGetRecentErrMsg.
 *
 * GetTiling for the plain TCubeTiling writes the 49 numbers that all versions of it have: pyasc gives memory for no more. The 50th
 * (mxTypePara) belongs to another architecture.
 *
 * Not there: the GetXxxMaxMinTmpSize and GetXxxTilingFunc functions of the other high-level APIs.
 */
#ifndef TOPROPE_TILING_TILING_API_H
#define TOPROPE_TILING_TILING_API_H

#include <kernel_tiling/kernel_tiling.h>
#include <register/tilingdata_base.h>
#include <stdint.h>
#include <string.h>
#include <tiling/matmul_tiling_types.h>
#include <tiling/platform/platform_ascendc.h>
#include <tiling/tiling_data.h>
#include <tiling/toprope_tiling.h>

/* Public programs include no more than this header and use these. */
#include <algorithm>
#include <iostream>
#include <string>
#include <tuple>

extern "C" {
void tr_tiling_init(TrTilingRequest* request, const TrPlatform* platform, int32_t kind);
void tr_tiling_shape(TrTilingRequest* request, int32_t m, int32_t n, int32_t k);
int32_t tr_tiling_fix_split(TrTilingRequest* request, int32_t m, int32_t n, int32_t k);
int32_t tr_tiling_split_range(TrTilingRequest* request, const int32_t limits[6]);
int32_t tr_tiling_buffer_space(TrTilingRequest* request, int32_t l1, int32_t l0c, int32_t ub, int32_t bt);
int32_t tr_tiling_compute(const TrTilingRequest* request, int32_t fields[50]);
int32_t tr_tiling_core_nums(const TrTilingRequest* request, const int32_t fields[50], int32_t cores[5]);
}

namespace matmul_tiling {

class MatmulApiTilingBase {
 public:
  virtual ~MatmulApiTilingBase() = default;

  /* Matrices. */
  int32_t SetAType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans = false) {
    return Put(std::tie(request_.a_position, request_.a_format, request_.a_type, request_.a_transposed), pos, type, dataType, isTrans);
  }
  int32_t SetBType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans = false) {
    return Put(std::tie(request_.b_position, request_.b_format, request_.b_type, request_.b_transposed), pos, type, dataType, isTrans);
  }
  /* Scales of MX types: GetTiling refuses them, as this architecture has none. */
  int32_t SetScaleAType(TPosition, CubeFormat, bool = false) { return Put(std::tie(request_.has_scales), 1); }
  int32_t SetScaleBType(TPosition, CubeFormat, bool = true) { return Put(std::tie(request_.has_scales), 1); }
  int32_t SetCType(TPosition pos, CubeFormat type, DataType dataType) {
    return Put(std::tie(request_.c_position, request_.c_format, request_.c_type), pos, type, dataType);
  }
  int32_t SetBiasType(TPosition pos, CubeFormat type, DataType dataType) {
    return Put(std::tie(request_.bias_position, request_.bias_format, request_.bias_type), pos, type, dataType);
  }
  int32_t EnableBias(bool isBiasIn = false) { return Put(std::tie(request_.has_bias), isBiasIn); }
  int32_t SetBias(bool isBiasIn = false) { return EnableBias(isBiasIn); }
  int32_t SetDequantType(DequantType dequantType) { return Put(std::tie(request_.dequant_type), dequantType); }
  int32_t SetSparse(bool isSparseIn = false) { return Put(std::tie(request_.sparse), isSparseIn); }

  /* Sizes, in elements. */
  virtual int32_t SetShape(int32_t m, int32_t n, int32_t k) {
    tr_tiling_shape(&request_, m, n, k);
    return 0;
  }
  int32_t SetOrgShape(int32_t orgMIn, int32_t orgNIn, int32_t orgKIn) { return SetOrgShape(orgMIn, orgNIn, orgKIn, orgKIn); }
  int32_t SetOrgShape(int32_t orgMIn, int32_t orgNIn, int32_t orgKaIn, int32_t orgKbIn) {
    return Put(std::tie(request_.org_m, request_.org_n, request_.org_ka, request_.org_kb), orgMIn, orgNIn, orgKaIn, orgKbIn);
  }

  /* Batches. */
  int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return Put(std::tie(request_.a_layout_b, request_.a_layout_s, request_.a_layout_n, request_.a_layout_g, request_.a_layout_d), b, s, n, g, d);
  }
  int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return Put(std::tie(request_.b_layout_b, request_.b_layout_s, request_.b_layout_n, request_.b_layout_g, request_.b_layout_d), b, s, n, g, d);
  }
  int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return Put(std::tie(request_.c_layout_b, request_.c_layout_s1, request_.c_layout_n, request_.c_layout_g, request_.c_layout_s2), b, s, n, g, d);
  }
  int32_t SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k) {
    SetALayout(batchA, m, 1, 1, k);
    SetBLayout(batchB, n, 1, 1, k);
    return SetCLayout(batchA > batchB ? batchA : batchB, m, 1, 1, n);
  }
  int32_t SetBatchNum(int32_t batch) { return Put(std::tie(request_.batch_num), batch); }

  /* Tiles and memories. */
  int32_t SetFixSplit(int32_t baseMIn = -1, int32_t baseNIn = -1, int32_t baseKIn = -1) {
    return tr_tiling_fix_split(&request_, baseMIn, baseNIn, baseKIn);
  }
  int32_t SetSplitRange(int32_t maxBaseM = -1, int32_t maxBaseN = -1, int32_t maxBaseK = -1, int32_t minBaseM = -1, int32_t minBaseN = -1,
                        int32_t minBaseK = -1) {
    const int32_t limits[6] = {maxBaseM, maxBaseN, maxBaseK, minBaseM, minBaseN, minBaseK};
    return tr_tiling_split_range(&request_, limits);
  }
  int32_t SetBufferSpace(int32_t l1Size = -1, int32_t l0CSize = -1, int32_t ubSize = -1, int32_t btSize = -1) {
    return tr_tiling_buffer_space(&request_, l1Size, l0CSize, ubSize, btSize);
  }
  /* A and B in L1, C in L0C; the bias and what is converted on the way in and out have no buffers of their own. */
  int32_t SetDoubleBuffer(bool a, bool b, bool c, bool /*bias*/, bool /*transND2NZ*/ = true, bool /*transNZ2ND*/ = true) {
    return Put(std::tie(request_.double_a, request_.double_b, request_.double_c), a, b, c);
  }
  int32_t SetTraverse(MatrixTraverse traverse) { return Put(std::tie(request_.traverse), traverse); }
  int32_t SetMadType(MatrixMadType madType) { return Put(std::tie(request_.mad_type), madType); }
  void SetMatmulConfigParams(int32_t mmConfigTypeIn = 1, bool enableL1CacheUBIn = false, ScheduleType scheduleTypeIn = ScheduleType::INNER_PRODUCT,
                             MatrixTraverse traverseIn = MatrixTraverse::NOSET, bool enVecND2NZIn = false) {
    Put(std::tie(request_.config_type, request_.l1_cache_ub, request_.schedule_type, request_.traverse, request_.vec_nd2nz), mmConfigTypeIn,
        enableL1CacheUBIn, scheduleTypeIn, traverseIn, enVecND2NZIn);
  }
  void SetMatmulConfigParams(const MatmulConfigParams& params) {
    SetMatmulConfigParams(params.mmConfigType, params.enableL1CacheUB, params.scheduleType, params.traverse, params.enVecND2NZ);
  }

  /* The answer; before GetTiling, base sizes are as fixed. */
  int32_t GetBaseM() const { return answer_.baseM > 0 ? answer_.baseM : request_.base_m; }
  int32_t GetBaseN() const { return answer_.baseN > 0 ? answer_.baseN : request_.base_n; }
  int32_t GetBaseK() const { return answer_.baseK > 0 ? answer_.baseK : request_.base_k; }

  virtual int64_t GetTiling(optiling::TCubeTiling& tiling) {
    if (Compute() != 0) return -1;
    tiling.LoadFromBuffer(&answer_, sizeof(answer_));
    return 0;
  }
  virtual int64_t GetTiling(::TCubeTiling& tiling) {
    if (Compute() != 0) return -1;
    memcpy(static_cast<void*>(&tiling), &answer_, offsetof(::TCubeTiling, mxTypePara));
    return 0;
  }

  /* May the kernel use more of L1 to avoid bank conflicts? These tilings leave no room for that. */
  bool EnableL1BankConflictOptimise() const { return false; }

 protected:
  MatmulApiTilingBase(const TrPlatform* platform, int32_t kind) { tr_tiling_init(&request_, platform, kind); }
  MatmulApiTilingBase(const PlatformInfo& info, int32_t kind) {
    tr_tiling_init(&request_, nullptr, kind);
    /* The number of no SoC: GetTiling refuses it. */
    if (info.socVersion != platform_ascendc::SocVersion::ASCEND910B && info.socVersion != platform_ascendc::SocVersion::ASCEND910_93) request_.soc = -1;
    const auto bytes = [](uint64_t size) { return size < INT32_MAX ? size : INT32_MAX; };
    Put(std::tie(request_.l1_bytes, request_.l0a_bytes, request_.l0b_bytes, request_.l0c_bytes, request_.ub_bytes), bytes(info.l1Size),
        bytes(info.l0ASize), bytes(info.l0BSize), bytes(info.l0CSize), bytes(info.ubSize));
  }

  virtual int64_t Compute() {
    answer_ = ::TCubeTiling{};
    static_assert(sizeof(answer_) == 50 * sizeof(int32_t), "TCubeTiling is fifty numbers");
    int32_t fields[50];
    if (tr_tiling_compute(&request_, fields) != 0) return -1;
    memcpy(static_cast<void*>(&answer_), fields, sizeof(fields));
    return 0;
  }

  int32_t CoreNums(int32_t cores[5]) const {
    int32_t fields[50];
    memcpy(fields, &answer_, sizeof(fields));
    return tr_tiling_core_nums(&request_, fields, cores);
  }

  /* Stores numbers of the request; no setter that uses it can fail before GetTiling looks at all of them. */
  template <class... Fields, class... Values>
  static int32_t Put(std::tuple<Fields&...> fields, Values... values) {
    fields = std::make_tuple(static_cast<int32_t>(values)...);
    return 0;
  }
  /* Stores those of the numbers that are sizes: -1 and 0 leave what there is. */
  static int32_t PutSizes(int32_t& m, int32_t& n, int32_t& k, int32_t to_m, int32_t to_n, int32_t to_k) {
    return Put(std::tie(m, n, k), to_m > 0 ? to_m : m, to_n > 0 ? to_n : n, to_k > 0 ? to_k : k);
  }

  TrTilingRequest request_;
  ::TCubeTiling answer_{};
};

/* A multiplication on one core. */
class MatmulApiTiling : public MatmulApiTilingBase {
 public:
  MatmulApiTiling() : MatmulApiTilingBase(nullptr, 0) {}
  explicit MatmulApiTiling(const platform_ascendc::PlatformAscendC& platform) : MatmulApiTilingBase(platform.tr_facts(), 0) {}
  explicit MatmulApiTiling(const PlatformInfo& platform) : MatmulApiTilingBase(platform, 0) {}
};

/* A multiplication over several cores. */
class MultiCoreMatmulTiling : public MatmulApiTilingBase {
 public:
  MultiCoreMatmulTiling() : MatmulApiTilingBase(nullptr, 1) {}
  explicit MultiCoreMatmulTiling(const platform_ascendc::PlatformAscendC& platform) : MatmulApiTilingBase(platform.tr_facts(), 1) {}
  explicit MultiCoreMatmulTiling(const PlatformInfo& platform) : MatmulApiTilingBase(platform, 1) {}

  int32_t SetDim(int32_t dim) { return Put(std::tie(request_.dim), dim); }
  virtual int32_t SetSingleShape(int32_t singleMIn = -1, int32_t singleNIn = -1, int32_t singleKIn = -1) {
    return PutSizes(request_.single_m, request_.single_n, request_.single_k, singleMIn, singleNIn, singleKIn);
  }
  virtual int32_t SetSingleRange(int32_t maxM = -1, int32_t maxN = -1, int32_t maxK = -1, int32_t minM = -1, int32_t minN = -1, int32_t minK = -1) {
    return Put(std::tie(request_.max_single_m, request_.max_single_n, request_.max_single_k, request_.min_single_m, request_.min_single_n,
                        request_.min_single_k),
               maxM, maxN, maxK, minM, minN, minK);
  }
  int32_t SetAlignSplit(int32_t alignM, int32_t alignN, int32_t alignK) {
    return PutSizes(request_.align_single_m, request_.align_single_n, request_.align_single_k, alignM, alignN, alignK);
  }
  void EnableMultiCoreSplitK(bool flag) { request_.split_k = flag; }
  void SetSplitK(bool flag) { EnableMultiCoreSplitK(flag); }

  int32_t GetSingleShape(int32_t& shapeM, int32_t& shapeN, int32_t& shapeK) {
    shapeM = answer_.singleCoreM;
    shapeN = answer_.singleCoreN;
    shapeK = answer_.singleCoreK;
    return shapeM > 0 ? 0 : -1;
  }
  int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim) {
    int32_t cores[5];
    if (CoreNums(cores) != 0) return -1;
    dim = cores[0];
    mDim = cores[1];
    nDim = cores[2];
    return 0;
  }
};

/* A batch of multiplications. */
class BatchMatmulTiling : public MatmulApiTilingBase {
 public:
  BatchMatmulTiling() : MatmulApiTilingBase(nullptr, 2) {}
  explicit BatchMatmulTiling(const platform_ascendc::PlatformAscendC& platform) : MatmulApiTilingBase(platform.tr_facts(), 2) {}

  int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim, int32_t& batchCoreM, int32_t& batchCoreN) {
    int32_t cores[5];
    if (CoreNums(cores) != 0) return -1;
    dim = cores[0];
    mDim = cores[1];
    nDim = cores[2];
    batchCoreM = cores[3];
    batchCoreN = cores[4];
    return 0;
  }
};

/* What a tiling says that a Matmul object takes, into the larger of that and what `size` says already. */
inline int32_t tr_temp_sizes(int32_t l1, int32_t l0c, int32_t ub, int32_t trans, SysTilingTempBufSize& size) {
  const auto larger = [](int32_t& kept, int32_t other) { kept = kept > other ? kept : other; };
  larger(size.l1Size, l1);
  larger(size.l0cSize, l0c);
  larger(size.ubSize, ub);
  larger(size.ubSize, 2 * trans);
  return 0;
}

}  // namespace matmul_tiling

#define TR_TEMP_SIZE_OF_CLASS(name)                                                                              \
  inline int32_t name(optiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& size) {                \
    return matmul_tiling::tr_temp_sizes(tiling.get_shareL1Size(), tiling.get_shareL0CSize(), tiling.get_shareUbSize(), \
                                        tiling.get_transLength(), size);                                         \
  }
#define TR_TEMP_SIZE_OF_STRUCT(name)                                                                             \
  inline int32_t name(TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& size) {                          \
    return matmul_tiling::tr_temp_sizes(tiling.shareL1Size, tiling.shareL0CSize, tiling.shareUbSize, tiling.transLength, size); \
  }
TR_TEMP_SIZE_OF_CLASS(MatmulGetTmpBufSize)
TR_TEMP_SIZE_OF_CLASS(MultiCoreMatmulGetTmpBufSize)
TR_TEMP_SIZE_OF_CLASS(BatchMatmulGetTmpBufSize)
TR_TEMP_SIZE_OF_STRUCT(MatmulGetTmpBufSizeV2)
TR_TEMP_SIZE_OF_STRUCT(MultiCoreMatmulGetTmpBufSizeV2)
TR_TEMP_SIZE_OF_STRUCT(BatchMatmulGetTmpBufSizeV2)
#undef TR_TEMP_SIZE_OF_CLASS
#undef TR_TEMP_SIZE_OF_STRUCT

#endif
