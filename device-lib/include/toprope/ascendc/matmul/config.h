/* MatmulConfig of the high-level Matmul: what a kernel may say about it at compile time, and the functions that make configurations.
 *
 * Names, values and the order of the fields are the public ones, so that a list of 50 values (pyasc writes one) initialises the same fields.
 *
 * What a configuration changes here: doNorm, doMultiDataLoad, doSpecialMDL, doBasicBlock and doIBShareNorm name templates that give the same
 * results; the tiling says how much is cached. basicM/N/K and singleCoreM/N/K are used where there is no tiling. isPartialOutput,
 * isEnableChannelSplit, isBiasBatch, scheduleType, iterateOrder and intrinsicsCheck have an effect. The others promise the library something, or
 * choose between ways that differ in time on other products, and change nothing.
 */
#ifndef TOPROPE_ASCENDC_MATMUL_CONFIG_H
#define TOPROPE_ASCENDC_MATMUL_CONFIG_H

#include <kernel_operator.h>
#include <kernel_tiling/kernel_tiling.h>

constexpr uint32_t SHARED_CO1_BUFFER_SIZE = 64 * 1024;

enum class CubeFormat { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, ROW_MAJOR = ND, COLUMN_MAJOR = 8 };
enum class LayoutMode { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };
enum class BatchMode { NONE = 0, BATCH_LESS_THAN_L1, BATCH_LARGE_THAN_L1, SINGLE_LARGE_THAN_L1 };
enum BatchOutMode { SINGLE_BATCH = 0, MULTI_BATCH, DYNAMIC };
enum class IterateOrder { ORDER_M = 0, ORDER_N, UNDEF };
enum class ScheduleType { INNER_PRODUCT = 0, OUTER_PRODUCT };
enum IterateMode : uint8_t {
  ITERATE_MODE_NORMAL = 1,
  ITERATE_MODE_ALL = 2,
  ITERATE_MODE_BATCH = 4,
  ITERATE_MODE_N_BATCH = 8,
  ITERATE_MODE_DEFAULT = 255,
};
enum class DecompressionMode {
  DECOMP_NONE = 0,
  DECOMP_2bitTo8bit,
  DECOMP_3bitTo8bit,
  DECOMP_4bitTo8bit,
  DECOMP_16bitTo64bit,
  DECOMP_1bitTo8bit,
  DECOMP_1bitTo4bit,
  DECOMP_2bitTo4bit,
  DECOMP_3bitTo4bit,
};

struct MatmulConfig {
  bool doNorm;
  bool doBasicBlock;
  bool doMultiDataLoad;
  uint32_t basicM;
  uint32_t basicN;
  uint32_t basicK;
  bool intrinsicsCheck;
  bool isNBatch;
  bool enVecND2NZ;
  bool doSpecialBasicBlock;
  uint32_t doMTE2Preload;
  uint32_t singleCoreM;
  uint32_t singleCoreN;
  uint32_t singleCoreK;
  uint32_t stepM;
  uint32_t stepN;
  uint32_t baseMN;
  uint32_t singleCoreMN;
  bool enUnitFlag = true;
  bool isPerTensor;
  bool hasAntiQuantOffset;
  bool doIBShareNorm;
  bool doSpecialMDL;
  bool enableInit = true;
  BatchMode batchMode;
  bool enableEnd = true;
  bool enableGetTensorC = true;
  bool enableSetOrgShape = true;
  bool enableSetBias = true;
  bool enableSetTail = true;
  bool enableQuantVector = true;
  bool enableSetDefineData = true;
  uint8_t iterateMode = IterateMode::ITERATE_MODE_DEFAULT;
  bool enableReuse = true;
  bool enableUBReuse;
  bool enableL1CacheUB;
  bool intraBlockPartSum = false;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType;
  bool enableDoubleCache;
  bool isBiasBatch = true;
  bool enableStaticPadZeros = false;
  bool isPartialOutput = false;
  bool enableMixDualMaster = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool isCO1Shared = false;
  uint32_t sharedCO1BufferSize = SHARED_CO1_BUFFER_SIZE;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
  bool enableL1BankConflictOptimise = false;
  bool enableRelu = false;
  DecompressionMode decompMode = DecompressionMode::DECOMP_NONE;
};

/* Parts of a configuration, for GetMMConfig. */
enum class MatmulConfigMode { CONFIG_NORM, CONFIG_MDL, CONFIG_SPECIALMDL, CONFIG_IBSHARE };
struct MatmulShapeParams {
  uint32_t singleCoreM;
  uint32_t singleCoreN;
  uint32_t singleCoreK;
  uint32_t basicM;
  uint32_t basicN;
  uint32_t basicK;
};
struct MatmulQuantParams {
  bool isPerTensor;
  bool hasAntiQuantOffset;
};
struct MatmulBatchParams {
  bool isNBatch;
  BatchMode batchMode;
  bool isBiasBatch = true;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};
struct MatmulFuncParams {
  bool intrinsicsCheck;
  bool enVecND2NZ;
  bool enableDoubleCache;
  bool enableL1CacheUB;
  uint32_t doMTE2Preload;
  IterateOrder iterateOrder;
  ScheduleType scheduleType;
  bool enableReuse = true;
  bool enableUBReuse;
  bool isPartialOutput = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool enableL1BankConflictOptimise = false;
  bool enableRelu = false;
  DecompressionMode decompMode = DecompressionMode::DECOMP_NONE;
};
struct MatmulBiasParams {
  bool enableSetBias = true;
};

/* Reserved. */
struct MatrixOffset {
  int32_t offset;
  int32_t row;
  int32_t col;
  int32_t height;
  int32_t width;
};

namespace toprope __attribute__((visibility("hidden"))) {

/* A configuration that names no template. */
constexpr MatmulConfig plain_matmul_config() {
  MatmulConfig config{};
  config.enableUBReuse = true;
  return config;
}

}  // namespace toprope

constexpr MatmulConfig GetNormalConfig(const bool intrinsicsLimit = false, const bool batchLoop = false, const bool isVecND2NZ = false,
                                       const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1, const bool isMsgReuse = true,
                                       const IterateOrder iterateOrder = IterateOrder::UNDEF,
                                       const ScheduleType scheduleType = ScheduleType::INNER_PRODUCT, const bool enUnitFlag = true,
                                       const bool enableMixDualMaster = false,
                                       const BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH) {
  MatmulConfig config = ::toprope::plain_matmul_config();
  config.doNorm = true;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.enVecND2NZ = isVecND2NZ;
  config.batchMode = bmmMode;
  config.enableReuse = isMsgReuse;
  config.iterateOrder = iterateOrder;
  config.scheduleType = scheduleType;
  config.enUnitFlag = enUnitFlag;
  config.enableMixDualMaster = enableMixDualMaster;
  config.bmmOutMode = bmmOutMode;
  return config;
}

constexpr MatmulConfig GetMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false, const uint32_t doMTE2Preload = 0,
                                    const bool isVecND2NZ = false, bool isPerTensor = false, bool hasAntiQuantOffset = false,
                                    const bool enUnitFlag = false, const bool isMsgReuse = true, const bool enableUBReuse = true,
                                    const bool enableL1CacheUB = false, const bool enableMixDualMaster = false,
                                    const bool enableKdimReorderLoad = false, const bool enableL1BankConflictOptimise = false) {
  MatmulConfig config = ::toprope::plain_matmul_config();
  config.doMultiDataLoad = true;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.doMTE2Preload = doMTE2Preload;
  config.enVecND2NZ = isVecND2NZ;
  config.isPerTensor = isPerTensor;
  config.hasAntiQuantOffset = hasAntiQuantOffset;
  config.enUnitFlag = enUnitFlag;
  config.enableReuse = isMsgReuse;
  config.enableUBReuse = enableUBReuse;
  config.enableL1CacheUB = enableL1CacheUB;
  config.enableMixDualMaster = enableMixDualMaster;
  config.enableKdimReorderLoad = enableKdimReorderLoad;
  config.enableL1BankConflictOptimise = enableL1BankConflictOptimise;
  return config;
}

constexpr MatmulConfig GetSpecialMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false, const uint32_t doMTE2Preload = 0,
                                           const bool isVecND2NZ = false, bool isPerTensor = false, bool hasAntiQuantOffset = false) {
  MatmulConfig config =
      GetMDLConfig(intrinsicsLimit, batchLoop, doMTE2Preload, isVecND2NZ, isPerTensor, hasAntiQuantOffset);
  config.doMultiDataLoad = false;
  config.doSpecialMDL = true;
  return config;
}

constexpr MatmulConfig GetBasicConfig(const uint32_t basicM, const uint32_t basicN, const uint32_t basicK, const bool intrinsicsLimit = false,
                                      const bool batchLoop = false, const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig config = ::toprope::plain_matmul_config();
  config.doBasicBlock = true;
  config.basicM = basicM;
  config.basicN = basicN;
  config.basicK = basicK;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.enUnitFlag = false;
  config.batchMode = bmmMode;
  return config;
}

constexpr MatmulConfig GetSpecialBasicConfig(const uint32_t basicM, const uint32_t basicN, const uint32_t basicK, const uint32_t singleCoreM,
                                             const uint32_t singleCoreN, const uint32_t singleCoreK, const uint32_t stepM, const uint32_t stepN,
                                             const bool intrinsicsLimit = false, const bool batchLoop = false,
                                             const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig config = GetBasicConfig(basicM, basicN, basicK, intrinsicsLimit, batchLoop, bmmMode);
  config.doBasicBlock = false;
  config.doSpecialBasicBlock = true;
  config.singleCoreM = singleCoreM;
  config.singleCoreN = singleCoreN;
  config.singleCoreK = singleCoreK;
  config.stepM = stepM;
  config.stepN = stepN;
  config.baseMN = basicM * basicN;
  config.singleCoreMN = singleCoreM * singleCoreN;
  return config;
}

constexpr MatmulConfig GetIBShareNormConfig(const bool intrinsicsLimit = false, const bool batchLoop = false, const bool isVecND2NZ = false,
                                            const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1, const bool isDoubleCache = false,
                                            const bool enUnitFlag = true) {
  MatmulConfig config = ::toprope::plain_matmul_config();
  config.doIBShareNorm = true;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.enVecND2NZ = isVecND2NZ;
  config.batchMode = bmmMode;
  config.enableDoubleCache = isDoubleCache;
  config.enUnitFlag = enUnitFlag;
  return config;
}

namespace toprope __attribute__((visibility("hidden"))) {

constexpr void apply(MatmulConfig& config, const MatmulShapeParams& p) {
  config.singleCoreM = p.singleCoreM;
  config.singleCoreN = p.singleCoreN;
  config.singleCoreK = p.singleCoreK;
  config.basicM = p.basicM;
  config.basicN = p.basicN;
  config.basicK = p.basicK;
}
constexpr void apply(MatmulConfig& config, const MatmulQuantParams& p) {
  config.isPerTensor = p.isPerTensor;
  config.hasAntiQuantOffset = p.hasAntiQuantOffset;
}
constexpr void apply(MatmulConfig& config, const MatmulBatchParams& p) {
  config.isNBatch = p.isNBatch;
  config.batchMode = p.batchMode;
  config.isBiasBatch = p.isBiasBatch;
  config.bmmOutMode = p.bmmOutMode;
}
constexpr void apply(MatmulConfig& config, const MatmulFuncParams& p) {
  config.intrinsicsCheck = p.intrinsicsCheck;
  config.enVecND2NZ = p.enVecND2NZ;
  config.enableDoubleCache = p.enableDoubleCache;
  config.enableL1CacheUB = p.enableL1CacheUB;
  config.doMTE2Preload = p.doMTE2Preload;
  config.iterateOrder = p.iterateOrder;
  config.scheduleType = p.scheduleType;
  config.enableReuse = p.enableReuse;
  config.enableUBReuse = p.enableUBReuse;
  config.isPartialOutput = p.isPartialOutput;
  config.isA2B2Shared = p.isA2B2Shared;
  config.isEnableChannelSplit = p.isEnableChannelSplit;
  config.enableKdimReorderLoad = p.enableKdimReorderLoad;
  config.enableL1BankConflictOptimise = p.enableL1BankConflictOptimise;
  config.enableRelu = p.enableRelu;
  config.decompMode = p.decompMode;
}
constexpr void apply(MatmulConfig& config, const MatmulBiasParams& p) { config.enableSetBias = p.enableSetBias; }

}  // namespace toprope

/* The configuration of a template with some of its parts changed, in any order. */
template <MatmulConfigMode configMode, typename... ArgTypes>
constexpr MatmulConfig GetMMConfig(ArgTypes&&... args) {
  MatmulConfig config = configMode == MatmulConfigMode::CONFIG_NORM         ? GetNormalConfig()
                        : configMode == MatmulConfigMode::CONFIG_MDL        ? GetMDLConfig()
                        : configMode == MatmulConfigMode::CONFIG_SPECIALMDL ? GetSpecialMDLConfig()
                                                                            : GetIBShareNormConfig();
  (::toprope::apply(config, args), ...);
  return config;
}

constexpr MatmulConfig CFG_NORM = GetNormalConfig();
constexpr MatmulConfig CFG_MDL = GetMDLConfig();
constexpr MatmulConfig CFG_IBSHARE_NORM = GetIBShareNormConfig();
constexpr MatmulConfig MM_CFG_BB = GetBasicConfig(128, 128, 128);

#endif
