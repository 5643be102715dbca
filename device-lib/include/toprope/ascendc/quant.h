/* AscendQuant with one scale and offset: int8_t results, dst = round(src * scale + offset), computed in half.
 *
 * The temporary buffer holds halves; what does not fit at once is done in pieces. Not here: scales and offsets per channel or group, the forms
 * that find a temporary buffer by themselves. Source: API reference, page AscendQuant.
 */
#ifndef TOPROPE_ASCENDC_QUANT_H
#define TOPROPE_ASCENDC_QUANT_H

#include <toprope/ascendc/cast.h>
#include <toprope/ascendc/refuse.h>
#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/vec_unary.h>

namespace AscendC {

/* Sizes that are known when the kernel is compiled; 0: not. They change nothing here. */
struct AscendQuantConfig {
  constexpr AscendQuantConfig(uint32_t calcCount, uint32_t offsetCount, uint32_t scaleCount, uint32_t workLocalSize)
      : calcCount(calcCount), offsetCount(offsetCount), scaleCount(scaleCount), workLocalSize(workLocalSize) {}
  uint32_t calcCount, offsetCount, scaleCount, workLocalSize;
};
constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG{0, 0, 0, 0};

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
TR_API void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer, const float scale,
                        const float offset, const uint32_t calCount) {
  TR_REQUIRE((std::is_same<T, half>::value || std::is_same<T, float>::value), "AscendQuant: src is half or float");
  /* Pieces whose results begin at a data block. */
  constexpr uint32_t STEP = 32;
  const LocalTensor<half> work = sharedTmpBuffer.template ReinterpretCast<half>();
  const uint32_t room = sharedTmpBuffer.GetSize() / sizeof(half) / STEP * STEP;
  TrCore* core = ::toprope::this_core();
  if (room == 0) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "AscendQuant: bytes of sharedTmpBuffer (at least 64)", 0, sharedTmpBuffer.GetSize(), 64);
  for (uint32_t done = 0; done < calCount; done += room) {
    const int32_t count = static_cast<int32_t>(calCount - done < room ? calCount - done : room);
    if constexpr (std::is_same<T, float>::value) {
      Cast(work, src[done], RoundMode::CAST_NONE, count);
      PipeBarrier<PIPE_V>();
      Muls(work, work, static_cast<half>(scale), count);
    } else {
      Muls(work, src[done], static_cast<half>(scale), count);
    }
    PipeBarrier<PIPE_V>();
    Adds(work, work, static_cast<half>(offset), count);
    PipeBarrier<PIPE_V>();
    Cast(dst[done], work, RoundMode::CAST_NONE, count);
    PipeBarrier<PIPE_V>();
  }
}

}  // namespace AscendC

#endif
