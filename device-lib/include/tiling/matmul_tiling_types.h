/* The enums and small structures of the tiling classes, with the values of the public API. */
#ifndef TOPROPE_TILING_MATMUL_TILING_TYPES_H
#define TOPROPE_TILING_MATMUL_TILING_TYPES_H

#include <stdint.h>
#include <tiling/platform/platform_ascendc.h>

namespace matmul_tiling {

enum class DataType : int32_t {
  DT_FLOAT = 0,
  DT_FLOAT16 = 1,
  DT_INT8 = 2,
  DT_INT32 = 3,
  DT_UINT8 = 4,
  DT_INT16 = 6,
  DT_UINT16 = 7,
  DT_UINT32 = 8,
  DT_INT64 = 9,
  DT_UINT64 = 10,
  DT_DOUBLE = 11,
  DT_BOOL = 12,
  DT_STRING = 13,
  DT_DUAL_SUB_INT8 = 14,
  DT_DUAL_SUB_UINT8 = 15,
  DT_COMPLEX64 = 16,
  DT_COMPLEX128 = 17,
  DT_QINT8 = 18,
  DT_QINT16 = 19,
  DT_QINT32 = 20,
  DT_QUINT8 = 21,
  DT_QUINT16 = 22,
  DT_RESOURCE = 23,
  DT_STRING_REF = 24,
  DT_DUAL = 25,
  DT_VARIANT = 26,
  DT_BF16 = 27,
  DT_UNDEFINED = 28,
  DT_INT4 = 29,
  DT_UINT1 = 30,
  DT_INT2 = 31,
  DT_UINT2 = 32,
  DT_BFLOAT16 = 33,
  DT_HIFLOAT8 = 34,
  DT_FLOAT8_E4M3FN = 35,
  DT_FLOAT8_E5M2 = 36,
  DT_FLOAT4_E2M1 = 37,
  DT_FLOAT8_E8M0 = 38,
  DT_FLOAT4_E1M2 = 39,
  DT_MAX = 40,
};

/* Beside AscendC::TPosition of kernels: the public API has two types, of which this one ends earlier and is wider. */
enum class TPosition : int32_t {
  GM = 0,
  A1 = 1,
  A2 = 2,
  B1 = 3,
  B2 = 4,
  C1 = 5,
  C2 = 6,
  CO1 = 7,
  CO2 = 8,
  VECIN = 9,
  VECOUT = 10,
  VECCALC = 11,
  LCM = VECCALC,
  SPM = 12,
  SHM = SPM,
  TSCM = 13,
  MAX = 14,
};

enum class TilingPolicy : int32_t { FIXED_A_TSCM, FIXED_B_TSCM, FIXED_A_B_TSCM, NO_POLICY };

enum class CubeFormat : int32_t {
  ND = 0,
  NZ = 1,
  ZN = 2,
  ZZ = 3,
  NN = 4,
  ND_ALIGN = 5,
  SCALAR = 6,
  VECTOR = 7,
  ROW_MAJOR = ND,
  COLUMN_MAJOR = 8,
};

enum class MatrixTraverse : int32_t {
  NOSET = 0,
  FIRSTM = 1,
  FIRSTN = 2,
};

enum class MatrixMadType : int32_t {
  NORMAL = 0,
  HF32 = 1,
  MXMODE = 2,
};

enum class DequantType : int32_t {
  SCALAR = 0,
  TENSOR = 1,
};

enum class ScheduleType : int32_t {
  INNER_PRODUCT = 0,
  OUTER_PRODUCT = 1,
  N_BUFFER_33 = 2,
};

/* Memory that a Matmul object takes besides its tiles. */
struct SysTilingTempBufSize {
  int32_t ubSize = 0;
  int32_t l1Size = 0;
  int32_t l0cSize = 0;
};

/* Memories of a core, given by the program instead of asked of the platform. Bytes. */
struct PlatformInfo {
  platform_ascendc::SocVersion socVersion;
  uint64_t l1Size = 0;
  uint64_t l0CSize = 0;
  uint64_t ubSize = 0;
  uint64_t l0ASize = 0;
  uint64_t l0BSize = 0;
};

struct MatmulConfigParams {
  int32_t mmConfigType; /* 0: Norm, 1: MDL */
  bool enableL1CacheUB;
  ScheduleType scheduleType;
  MatrixTraverse traverse;
  bool enVecND2NZ;

  MatmulConfigParams(int32_t mmConfigTypeIn = 1, bool enableL1CacheUBIn = false, ScheduleType scheduleTypeIn = ScheduleType::INNER_PRODUCT,
                     MatrixTraverse traverseIn = MatrixTraverse::NOSET, bool enVecND2NZIn = false)
      : mmConfigType(mmConfigTypeIn), enableL1CacheUB(enableL1CacheUBIn), scheduleType(scheduleTypeIn), traverse(traverseIn), enVecND2NZ(enVecND2NZIn) {}
};

}  // namespace matmul_tiling

#endif
