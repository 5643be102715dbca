/* Enums of Ascend C, with the public values: positions, memories, pipes, events, modes. */
#ifndef TOPROPE_ASCENDC_ENUMS_H
#define TOPROPE_ASCENDC_ENUMS_H

#include <stdint.h>

#include <toprope/isa.h>

/* Pipes, as SetFlag and PipeBarrier name them. */
enum pipe_t {
  PIPE_S = TR_PIPE_S,
  PIPE_V = TR_PIPE_V,
  PIPE_M = TR_PIPE_M,
  PIPE_MTE1 = TR_PIPE_MTE1,
  PIPE_MTE2 = TR_PIPE_MTE2,
  PIPE_MTE3 = TR_PIPE_MTE3,
  PIPE_ALL = TR_PIPE_ALL,
  PIPE_FIX = TR_PIPE_FIX
};

/* Event ids of one pair of pipes. */
enum event_t { EVENT_ID0 = 0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

namespace AscendC {

/* Logical places of a tensor. */
enum class TPosition : uint8_t {
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
  C2PIPE2GM = 14,
  C2PIPE2LOCAL = 15,
  MAX = 16
};
using QuePosition = TPosition;

/* Memories. */
enum class Hardware : uint8_t { GM = 0, UB = 1, L1 = 2, L0A = 3, L0B = 4, L0C = 5, BIAS = 6, FIXBUF = 7, MAX = 8 };

/* An edge between two pipes: SetFlag on the first, WaitFlag on the second. */
enum class HardEvent : uint8_t {
  MTE2_MTE1 = 0,
  MTE1_MTE2,
  MTE1_M,
  M_MTE1,
  MTE2_V,
  V_MTE2,
  MTE3_V,
  V_MTE3,
  M_V,
  V_M,
  V_V,
  MTE3_MTE1,
  MTE1_MTE3,
  MTE1_V,
  MTE2_M,
  M_MTE2,
  V_MTE1,
  M_FIX,
  FIX_M,
  MTE3_MTE2,
  MTE2_MTE3,
  S_V,
  V_S,
  S_MTE2,
  MTE2_S,
  S_MTE3,
  MTE3_S,
  MTE2_FIX,
  FIX_MTE2,
  FIX_S,
  M_S,
  FIX_MTE3,
  MTE1_FIX,
  FIX_MTE1,
  FIX_FIX,
  MAX
};

enum class TBufState : uint8_t { FREE = 0, OCCUPIED, ENQUE, DEQUE };
enum class MemoryT : uint8_t { L1 = 0, L0A, L0B, L0C, UB, BIAS };
enum class MemDsbT : uint8_t { ALL = 0, DDR, UB, SEQ };

/* Rounding of Cast; see npu semantics in cast.h. */
enum class RoundMode : uint8_t { CAST_NONE = 0, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD, UNKNOWN = 0xFF };

enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };
enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC, NCDHW, NDC1HWC0, FRACTAL_Z_3D };
enum class CacheMode { CACHE_MODE_DISABLE = 0, CACHE_MODE_NORMAL = 1, CACHE_MODE_LAST = 2, CACHE_MODE_PERSISTENT = 4 };
enum class CacheRwMode { READ = 1, WRITE = 2, RW = 3 };
enum class AtomicDtype { ATOMIC_NONE = 0, ATOMIC_F32, ATOMIC_F16, ATOMIC_S16, ATOMIC_S32, ATOMIC_S8, ATOMIC_BF16 };
enum class AtomicOp { ATOMIC_SUM = 0 };
enum class PaddingMode : uint8_t { Normal = 0, Compact };

using TEventID = int8_t;
using TTagType = int32_t;
using TBufId = uint8_t;

constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr uint32_t DEFAULT_C0_SIZE = 32;
constexpr uint32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr int32_t DEFAULT_BLOCK_SIZE = 256;
constexpr int32_t DEFAULT_BLK_NUM = 8;
constexpr int32_t DEFAULT_BLK_STRIDE = 1;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
constexpr uint8_t DEFAULT_REP_STRIDE = 8;
constexpr int32_t DEFAULT_DATA_COPY_NBURST = 1;
constexpr int32_t DEFAULT_DATA_COPY_STRIDE = 0;
constexpr int32_t BYTE_PER_BLK = 32;
constexpr int32_t BYTE_PER_REP = 256;
constexpr int32_t MAX_REPEAT_TIMES = 255;
constexpr int32_t K_MAX_DIM = 8;
constexpr int32_t K_MAX_SHAPE_DIM = 8;
constexpr uint64_t FULL_MASK = 0xffffffffffffffffull;
/* Stands for the mask of a call with isSetMask = false. */
constexpr uint64_t MASK_PLACEHOLDER = 1;
constexpr TEventID INVALID_TEVENTID = -1;
constexpr int32_t QUE_MAX_EVENT = 8;
constexpr int32_t TOTAL_UB_SIZE = 192 * 1024;
constexpr int32_t TOTAL_VEC_LOCAL_SIZE = 184 * 1024;
constexpr int32_t TMP_UB_OFFSET = 184 * 1024;
constexpr int32_t TOTAL_L1_SIZE = 512 * 1024 - 128;
constexpr int32_t TOTAL_L0A_SIZE = 64 * 1024;
constexpr int32_t TOTAL_L0B_SIZE = 64 * 1024;
constexpr int32_t TOTAL_L0C_SIZE = 128 * 1024;

/* Memory of a position on dav-2201. */
constexpr Hardware GetPhyType(TPosition position) {
  switch (position) {
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
    case TPosition::TSCM:
    case TPosition::SPM: return Hardware::L1;
    case TPosition::A2: return Hardware::L0A;
    case TPosition::B2: return Hardware::L0B;
    case TPosition::C2: return Hardware::BIAS;
    case TPosition::CO1: return Hardware::L0C;
    case TPosition::VECIN:
    case TPosition::VECOUT:
    case TPosition::VECCALC: return Hardware::UB;
    case TPosition::C2PIPE2GM: return Hardware::FIXBUF;
    default: return Hardware::GM;
  }
}

}  // namespace AscendC

namespace toprope {

/* Address space of a memory inside a core's region. */
constexpr uint32_t space_of(AscendC::Hardware memory) {
  constexpr uint32_t spaces[] = {TR_SPACE_GM, TR_SPACE_UB,  TR_SPACE_L1, TR_SPACE_L0A, TR_SPACE_L0B,
                                 TR_SPACE_L0C, TR_SPACE_BT, TR_SPACE_FB, TR_SPACE_GM};
  return spaces[static_cast<uint8_t>(memory)];
}

}  // namespace toprope

#endif
