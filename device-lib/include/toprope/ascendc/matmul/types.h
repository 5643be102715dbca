/* Types of the high-level Matmul: MatmulType, callbacks, policies, tiling that is a constant.
 *
 *   MatmulType<position, format, type, transposed, layout, shared>   what a matrix of the product is
 *   MatmulCallBackFunc<out, a, b>                                     functions of the kernel that move data instead of the library
 *   MatmulApiStaticTiling, GetMatmulApiTiling                         a tiling and a configuration that the compiler knows
 *
 * A policy says which parts of C are computed (TrianUpper…, TrianLower…); NBuffer33MatmulPolicy is another order of loads with the same result.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_TYPES_H
#define TOPROPE_ASCENDC_MATMUL_TYPES_H

#include <toprope/ascendc/matmul/config.h>

namespace AscendC {

/* Type of a product in L0C. */
template <class T>
struct GetMmDstType {
  using Type = std::conditional_t<::toprope::one_of<T, int8_t, int4b_t>, int32_t, float>;
};
namespace Impl {
constexpr int32_t QUEUE_DEPTH = 1;
}  // namespace Impl

/* Whole numbers rounded up. */
template <class T, class U, std::enable_if_t<std::is_integral<T>::value && std::is_integral<U>::value, int> = 0>
constexpr auto Ceil(T a, U b) {
  return (a + b - 1) / b;
}

template <TPosition POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false, LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false,
          TPosition SRCPOS = TPosition::GM>
struct MatmulType {
  constexpr static TPosition pos = POSITION;
  constexpr static CubeFormat format = FORMAT;
  using T = TYPE;
  constexpr static bool isTrans = ISTRANS;
  constexpr static LayoutMode layout = LAYOUT;
  constexpr static bool ibShare = IBSHARE;
  constexpr static TPosition srcPos = SRCPOS;
};
/* A B of which 2 of 4 elements are stored, with an index (SetSparseIndex): int8_t, [N, K / 2], the index in NZ with columns of 8 bytes. */
template <TPosition POSITION, TPosition INDEX_POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false>
struct SparseMatmulType : MatmulType<POSITION, FORMAT, TYPE, ISTRANS, LAYOUT, IBSHARE> {
  constexpr static TPosition indexPosition = INDEX_POSITION;
};

template <void (*DataCopyOut)(const __gm__ void* gm, const LocalTensor<int8_t>& co1Local, const void* dataCopyOutParams, const uint64_t tilingPtr,
                              const uint64_t dataPtr) = nullptr,
          void (*CopyA1)(const LocalTensor<int8_t>& aMatrix, const __gm__ void* gm, int row, int col, int useM, int useK, const uint64_t tilingPtr,
                         const uint64_t dataPtr) = nullptr,
          void (*CopyB1)(const LocalTensor<int8_t>& bMatrix, const __gm__ void* gm, int row, int col, int useK, int useN, const uint64_t tilingPtr,
                         const uint64_t dataPtr) = nullptr>
struct MatmulCallBackFunc {
  constexpr static auto DataCopyOutPtr = DataCopyOut;
  constexpr static auto CopyA1Ptr = CopyA1;
  constexpr static auto CopyB1Ptr = CopyB1;
};

/* What a function that copies results out is given. */
struct DataCopyOutParams {
  uint16_t cBurstNum = 0;
  uint16_t burstLen = 0;
  uint16_t srcStride = 0;
  uint32_t dstStride = 0;
  uint16_t oriNSize = 0;
  bool enUnitFlag = false;
  uint64_t quantScalar = 0;
  uint64_t cbufWorkspaceAddr = 0;
};

namespace Impl {
namespace Detail {

enum class PolicyType { MATMUL_DEFAULT, MATMUL_UPPER_TRIANGULAR, MATMUL_LOWER_TRIANGULAR, MATMUL_NBUFFER_33, MATMUL_SPLITK };
template <const auto& MM_CFG, typename IMPL, class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
struct MatmulPolicy {
  constexpr static PolicyType POLICY_TYPE = PolicyType::MATMUL_DEFAULT;
};
template <const auto& MM_CFG, typename IMPL, class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
struct TrianUpperMatmulPolicy : MatmulPolicy<MM_CFG, IMPL, A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE> {
  constexpr static PolicyType POLICY_TYPE = PolicyType::MATMUL_UPPER_TRIANGULAR;
};
template <const auto& MM_CFG, typename IMPL, class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
struct TrianLowerMatmulPolicy : MatmulPolicy<MM_CFG, IMPL, A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE> {
  constexpr static PolicyType POLICY_TYPE = PolicyType::MATMUL_LOWER_TRIANGULAR;
};
template <const auto& MM_CFG, typename IMPL, class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
struct NBuffer33MatmulPolicy : MatmulPolicy<MM_CFG, IMPL, A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE> {
  constexpr static PolicyType POLICY_TYPE = PolicyType::MATMUL_NBUFFER_33;
};
template <const auto& MM_CFG, typename IMPL, class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
struct SplitKMatmulPolicy : MatmulPolicy<MM_CFG, IMPL, A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE> {
  constexpr static PolicyType POLICY_TYPE = PolicyType::MATMUL_SPLITK;
};

}  // namespace Detail
}  // namespace Impl

}  // namespace AscendC

#define MATMUL_POLICY_DEFAULT_OF(DEFAULT) \
  template <const auto&, typename, class, class, class, class> class MATMUL_POLICY = AscendC::Impl::Detail::DEFAULT

/* A tiling that the compiler knows; the fields are TCubeTiling's. M… that are -1 come from SetOrgShape and SetSingleShape. */
struct MatmulApiStaticTiling {
  int32_t usedCoreNum = -1;
  int32_t M = -1;
  int32_t N = -1;
  int32_t Ka = -1;
  int32_t Kb = -1;
  int32_t singleCoreM = -1;
  int32_t singleCoreN = -1;
  int32_t singleCoreK = -1;
  int32_t baseM = -1;
  int32_t baseN = -1;
  int32_t baseK = -1;
  int32_t depthA1 = -1;
  int32_t depthB1 = -1;
  int32_t stepM = -1;
  int32_t stepN = -1;
  int32_t stepKa = -1;
  int32_t stepKb = -1;
  int32_t isBias = -1;
  int32_t transLength = -1;
  int32_t iterateOrder = -1;
  int32_t dbL0A = -1;
  int32_t dbL0B = -1;
  int32_t dbL0C = -1;
  int32_t shareMode = -1;
  int32_t shareL1Size = -1;
  int32_t shareL0CSize = -1;
  int32_t shareUbSize = -1;
  int32_t batchM = -1;
  int32_t batchN = -1;
  int32_t singleBatchM = -1;
  int32_t singleBatchN = -1;
  int32_t depthAL1CacheUB = -1;
  int32_t depthBL1CacheUB = -1;
  int32_t mxTypePara = -1;
  MatmulConfig cfg{};
};

namespace toprope __attribute__((visibility("hidden"))) {

template <class TYPE, class = void>
struct IsSparse : std::false_type {};
template <class TYPE>
struct IsSparse<TYPE, std::void_t<decltype(TYPE::indexPosition)>> : std::true_type {};

template <class T>
constexpr bool is_static_tiling = std::is_same<std::decay_t<T>, MatmulApiStaticTiling>::value;

/* The configuration, also of a constant tiling. */
constexpr MatmulConfig matmul_config(const MatmulConfig& config) { return config; }
constexpr MatmulConfig matmul_config(const MatmulApiStaticTiling& tiling) { return tiling.cfg; }

/* Bytes of `x` rows and `k` columns of T in L1, in whole fractals. */
template <class T>
constexpr uint64_t l1_bytes(uint64_t x, uint64_t k) {
  return (x + 15) / 16 * 16 * ((k * AscendC::element_bits<T> + 255) / 256) * 32;
}

/* As many base blocks along k as fit `budget` bytes twice; all of them if they fit once. */
struct StepK {
  int32_t step, depth;
};
constexpr StepK step_along_k(uint64_t block_bytes, int32_t blocks, uint64_t budget) {
  if (block_bytes * static_cast<uint64_t>(blocks) <= budget) return {blocks, blocks};
  const int32_t step = static_cast<int32_t>(budget / 2 / block_bytes);
  return step > 0 ? StepK{step, 2 * step} : StepK{1, 1};
}

}  // namespace toprope

namespace AscendC {

/* A tiling from the sizes in a configuration: each of A and B gets a half of L1 (`l1Size` bytes), cached along k. */
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig& mmCFG, int32_t l1Size = TOTAL_L1_SIZE) {
  MatmulApiStaticTiling tiling;
  tiling.cfg = mmCFG;
  if (mmCFG.basicM == 0 || mmCFG.basicN == 0 || mmCFG.basicK == 0) return tiling;
  const uint64_t m = mmCFG.basicM, n = mmCFG.basicN, k = mmCFG.basicK;
  const uint64_t a_bytes = ::toprope::l1_bytes<typename A_TYPE::T>(m, k), b_bytes = ::toprope::l1_bytes<typename B_TYPE::T>(n, k);
  tiling.baseM = static_cast<int32_t>(m);
  tiling.baseN = static_cast<int32_t>(n);
  tiling.baseK = static_cast<int32_t>(k);
  tiling.isBias = mmCFG.enableSetBias;
  tiling.dbL0A = 2 * a_bytes <= TOTAL_L0A_SIZE ? 2 : 1;
  tiling.dbL0B = 2 * b_bytes <= TOTAL_L0B_SIZE ? 2 : 1;
  if (mmCFG.singleCoreM == 0 || mmCFG.singleCoreN == 0 || mmCFG.singleCoreK == 0) return tiling;
  tiling.M = tiling.singleCoreM = static_cast<int32_t>(mmCFG.singleCoreM);
  tiling.N = tiling.singleCoreN = static_cast<int32_t>(mmCFG.singleCoreN);
  tiling.Ka = tiling.Kb = tiling.singleCoreK = static_cast<int32_t>(mmCFG.singleCoreK);
  const int32_t blocks = static_cast<int32_t>((mmCFG.singleCoreK + k - 1) / k);
  const uint64_t budget = (static_cast<uint64_t>(l1Size) - n * sizeof(float) - n * sizeof(uint64_t)) / 2;
  const ::toprope::StepK a = ::toprope::step_along_k(a_bytes, blocks, budget), b = ::toprope::step_along_k(b_bytes, blocks, budget);
  tiling.stepM = tiling.stepN = 1;
  tiling.stepKa = a.step;
  tiling.stepKb = b.step;
  tiling.depthA1 = a.depth;
  tiling.depthB1 = b.depth;
  tiling.iterateOrder = mmCFG.iterateOrder == IterateOrder::ORDER_N ? 1 : 0;
  tiling.dbL0C = 1;
  tiling.transLength = 0;
  tiling.shareMode = 0;
  tiling.shareL1Size = static_cast<int32_t>(a_bytes * a.depth + b_bytes * b.depth);
  tiling.shareL0CSize = static_cast<int32_t>(m * n * sizeof(float));
  tiling.shareUbSize = 0;
  return tiling;
}

}  // namespace AscendC

#endif
