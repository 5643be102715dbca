/* What is made of gathers: BilinearInterpolation, and Extract for sorted records. */
#ifndef TOPROPE_ASCENDC_INTERPOLATE_H
#define TOPROPE_ASCENDC_INTERPOLATE_H

#include <toprope/ascendc/duplicate.h>
#include <toprope/ascendc/gather.h>
#include <toprope/ascendc/sort.h>

namespace toprope {

#define TR_OP BilinearInterpolation
#define TR_OP_TEXT "BilinearInterpolation"
#define TR_SUPPORTED "half"
#define TR_ENTRIES entry<half, 0>
#include <toprope/ascendc/dtype_op.inc>

/* The public sequence. Blocks of src0 are gathered, weights of src1 spread over blocks, both multiplied; the hRepeat products of a vertical step
 * are added up and copied out under the mask. */
template <class T, class Mask>
TR_API void interpolate(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<uint32_t>& src0Offset,
                        const AscendC::LocalTensor<T>& src1, const Mask& mask, U8 hRepeat, bool repeatMode, U16 dstBlkStride, U16 vROffset,
                        U8 vRepeat, const AscendC::LocalTensor<uint8_t>& sharedTmpBuffer) {
  using namespace AscendC;
  (void)BilinearInterpolation_op::code<T>();
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  constexpr uint32_t each = 256 / sizeof(T);
  const uint64_t h = hRepeat.wide(), v = vRepeat.wide(), all = h * v, weights = src1.GetSize() / 8, apart = vROffset.wide();
  if (TR_UNLIKELY(h == 0 || h > 255)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "BilinearInterpolation: hRepeat (1 to 255)", 0, h, 255);
  if (TR_UNLIKELY(v == 0 || v > 255)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "BilinearInterpolation: vRepeat (1 to 255)", 0, v, 255);
  if (TR_UNLIKELY(all > 255)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "BilinearInterpolation: hRepeat * vRepeat", 0, all, 255);
  if (TR_UNLIKELY(apart < 128 || apart >= 65535))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "BilinearInterpolation: vROffset (128 to 65534)", 0, apart, 65534);
  if (TR_UNLIKELY(apart * sizeof(T) % ONE_BLK_SIZE != 0))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "BilinearInterpolation: vROffset * sizeof(T) must be a multiple of 32; bytes past one", 0,
              apart * sizeof(T) % ONE_BLK_SIZE, 0);
  const LocalTensor<T> tmp = sharedTmpBuffer.template ReinterpretCast<T>();
  const LocalTensor<T> spread = tmp[static_cast<uint32_t>(all * each)];
  Gatherb(tmp.template ReinterpretCast<uint16_t>(), src0.template ReinterpretCast<uint16_t>(), src0Offset, static_cast<uint8_t>(all), GatherRepeatParams());
  Brcb(spread, src1, weights, BrcbRepeatParams());
  PipeBarrier<PIPE_V>();
  BinaryRepeatParams multiply;
  if (!repeatMode) {
    multiply.src0BlkStride = 0;
    multiply.src0RepStride = 1;
  }
  begin_count(core, all * each);
  Mul<T, false>(tmp, spread, tmp, MASK_PLACEHOLDER, 1, multiply);
  end_count(core);
  PipeBarrier<PIPE_V>();
  const BinaryRepeatParams accumulate(1, 1, 1, 0, 8, 0);
  for (uint32_t i = 0; i < v; ++i) {
    const uint32_t at = static_cast<uint32_t>(i * h * each);
    if (h > 1) Add(tmp[at], tmp[at + each], tmp[at], mask, static_cast<uint8_t>(h - 1), accumulate);
  }
  PipeBarrier<PIPE_V>();
  const UnaryRepeatParams out(dstBlkStride.wide(), 1, 8, 8);
  for (uint32_t i = 0; i < v; ++i)
    Adds(dst[static_cast<uint32_t>(i * apart)], tmp[static_cast<uint32_t>(i * h * each)], T(0), mask, 1, out);
}

}  // namespace toprope

namespace AscendC {

template <typename T>
TR_API void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src0Offset,
                                  const LocalTensor<T>& src1, uint64_t mask, ::toprope::U8 hRepeat, bool repeatMode,
                                  ::toprope::U16 dstBlkStride, ::toprope::U16 vROffset, ::toprope::U8 vRepeat,
                                  const LocalTensor<uint8_t>& sharedTmpBuffer) {
  ::toprope::interpolate<T>(dst, src0, src0Offset, src1, mask, hRepeat, repeatMode, dstBlkStride, vROffset, vRepeat, sharedTmpBuffer);
}
template <typename T>
TR_API void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src0Offset,
                                  const LocalTensor<T>& src1, uint64_t mask[], ::toprope::U8 hRepeat, bool repeatMode,
                                  ::toprope::U16 dstBlkStride, ::toprope::U16 vROffset, ::toprope::U8 vRepeat,
                                  const LocalTensor<uint8_t>& sharedTmpBuffer) {
  ::toprope::interpolate<T, uint64_t*>(dst, src0, src0Offset, src1, mask, hRepeat, repeatMode, dstBlkStride, vROffset, vRepeat, sharedTmpBuffer);
}

/* Scores and indices of repeatTime * 32 sorted records. */
template <typename T>
TR_API void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex, const LocalTensor<T>& sorted, const int32_t repeatTime) {
  (void)::toprope::Sort32_op::code<T>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  tr_check_field(core, "Extract", TR_FIELD_REPEAT_TIMES, static_cast<uint64_t>(static_cast<int64_t>(repeatTime)), 255);
  uint64_t kept = 0;
  constexpr uint8_t scores = sizeof(T) == 2 ? 3 : 1;
  GatherMask(dstValue, sorted, scores, false, 0u, GatherMaskParams(1, repeatTime, 8, 0), kept);
  PipeBarrier<PIPE_V>();
  GatherMask(dstIndex, sorted.template ReinterpretCast<uint32_t>(), 2, false, 0u, GatherMaskParams(1, repeatTime, 8, 0), kept);
}

}  // namespace AscendC

#endif
