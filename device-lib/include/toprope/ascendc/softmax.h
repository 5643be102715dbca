/* SoftMax along the last axis: dst = exp(src - max) / sum(exp(src - max)), row by row, with the maxima and the sums as further results.
 *
 * Computed in float; rows of half are converted on the way. A row of the maxima and sums is one data block of 32 bytes that repeats the value.
 * The shape comes from SoftMaxShapeInfo, or else from the source's ShapeInfo (last axis: columns). Room for temporary data is sharedTmpBuffer, or
 * what the TPipe has left of UB; rows that do not fit at once are done in pieces. The tiling structure and isBasicBlock change how the card's library cuts
 * the rows, not the result; they are not looked at.
 *
 * Not here: the NZ layout, SoftmaxConfig, AdjustSoftMaxRes, the flash forms. Source: API reference, page SoftMax.
 */
#ifndef TOPROPE_ASCENDC_SOFTMAX_H
#define TOPROPE_ASCENDC_SOFTMAX_H

#include <kernel_tiling/kernel_tiling.h>
#include <toprope/ascendc/cast.h>
#include <toprope/ascendc/duplicate.h>
#include <toprope/ascendc/gather.h>
#include <toprope/ascendc/reduce.h>
#include <toprope/ascendc/refuse.h>
#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/tpipe.h>
#include <toprope/ascendc/vec_binary.h>
#include <toprope/ascendc/vec_unary.h>

namespace AscendC {

/* Rows and columns: as they lie in the tensor (srcK a multiple of 32 bytes), and those that hold data. */
struct SoftMaxShapeInfo {
  uint32_t srcM = 0;
  uint32_t srcK = 0;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
};

}  // namespace AscendC

namespace toprope {

/* SoftMax over rows of `width` elements of which `valid` count. */
class SoftMaxRows {
 public:
  static constexpr uint32_t LANES = 64;      /* floats of a repeat */
  static constexpr uint32_t PER_BLOCK = 8;   /* floats of a data block */
  static constexpr uint32_t MOST_REPEATS = 255;

  uint32_t width = 0, valid = 0;
  AscendC::LocalTensor<float> lanes;    /* one repeat */
  AscendC::LocalTensor<float> spread;   /* eight data blocks */
  AscendC::LocalTensor<float> values;   /* one float per row */
  AscendC::LocalTensor<float> blocks;   /* one data block per row */

  /* Bytes of temporary data for `rows` rows at once. */
  static constexpr uint64_t room(uint32_t rows, uint64_t row_bytes) {
    const uint64_t eights = (uint64_t(rows) + PER_BLOCK - 1) / PER_BLOCK;
    return 2 * 256 + eights * (PER_BLOCK * sizeof(float) + PER_BLOCK * 32) + rows * row_bytes;
  }

  /* The reduction of each row, as a float per row and as a data block per row. `Op`: Max or Add. */
  template <bool is_max>
  TR_API void reduce(const AscendC::LocalTensor<float>& rows, uint32_t count) {
    using namespace AscendC;
    const BinaryRepeatParams onto_src1(1, 1, 1, 0, 8, 0);
    for (uint32_t r = 0; r < count; ++r) {
      Duplicate(lanes, is_max ? -__builtin_inff() : 0.0f, static_cast<int32_t>(LANES));
      PipeBarrier<PIPE_V>();
      const LocalTensor<float> row = rows[r * width];
      for (uint32_t at = 0; at < valid;) {
        const uint32_t left = valid - at, full = left / LANES;
        const uint32_t repeats = full == 0 ? 1 : full < MOST_REPEATS ? full : MOST_REPEATS;
        const uint64_t mask = full == 0 ? left : LANES;
        if (is_max) Max(lanes, row[at], lanes, mask, static_cast<uint8_t>(repeats), onto_src1);
        else Add(lanes, row[at], lanes, mask, static_cast<uint8_t>(repeats), onto_src1);
        PipeBarrier<PIPE_V>();
        at += full == 0 ? left : repeats * LANES;
      }
      if (is_max) WholeReduceMax(values[r], lanes, static_cast<int32_t>(LANES), 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
      else WholeReduceSum(values[r], lanes, static_cast<int32_t>(LANES), 1, 1, 1, 8);
      PipeBarrier<PIPE_V>();
    }
    for (uint32_t r = 0; r < count; r += PER_BLOCK) {
      Brcb(blocks[r * PER_BLOCK], values[r], 1, BrcbRepeatParams(1, 8));
    }
    PipeBarrier<PIPE_V>();
  }

  /* out = in op (its row's value), op: Sub or Div. */
  template <bool is_sub>
  TR_API void combine(const AscendC::LocalTensor<float>& out, const AscendC::LocalTensor<float>& in, uint32_t count) {
    using namespace AscendC;
    const BinaryRepeatParams by_block(1, 1, 0, 8, 8, 0);
    for (uint32_t r = 0; r < count; ++r) {
      for (uint32_t at = 0; at < width;) {
        const uint32_t left = width - at, full = left / LANES;
        const uint32_t repeats = full == 0 ? 1 : full < MOST_REPEATS ? full : MOST_REPEATS;
        const uint64_t mask = full == 0 ? left : LANES;
        const uint32_t first = r * width + at;
        if (is_sub) Sub(out[first], in[first], blocks[r * PER_BLOCK], mask, static_cast<uint8_t>(repeats), by_block);
        else Div(out[first], in[first], blocks[r * PER_BLOCK], mask, static_cast<uint8_t>(repeats), by_block);
        at += full == 0 ? left : repeats * LANES;
      }
    }
    PipeBarrier<PIPE_V>();
  }

  /* The values of rows `first` to `first + count` as data blocks of a result. */
  template <class S>
  TR_API void give(const AscendC::LocalTensor<S>* result, uint32_t first, uint32_t count) {
    using namespace AscendC;
    if (result == nullptr) return;
    if constexpr (std::is_same<S, float>::value) {
      Adds((*result)[first * PER_BLOCK], blocks, 0.0f, static_cast<int32_t>(count * PER_BLOCK));
      PipeBarrier<PIPE_V>();
    } else {
      /* 16 halves each. */
      const LocalTensor<half> halves = lanes.ReinterpretCast<half>(), eight_blocks = spread.ReinterpretCast<half>();
      for (uint32_t r = 0; r < count; r += PER_BLOCK) {
        const uint32_t rows = count - r < PER_BLOCK ? count - r : PER_BLOCK;
        Cast(halves, values[r], RoundMode::CAST_NONE, static_cast<int32_t>(PER_BLOCK));
        PipeBarrier<PIPE_V>();
        Brcb(eight_blocks, halves, 1, BrcbRepeatParams(1, 8));
        PipeBarrier<PIPE_V>();
        Adds((*result)[(first + r) * 2 * PER_BLOCK], eight_blocks, half(0), static_cast<int32_t>(rows * 2 * PER_BLOCK));
        PipeBarrier<PIPE_V>();
      }
    }
  }
};

/* Rows and columns of a SoftMax; refuses what does not fit. */
template <class T>
TR_API AscendC::SoftMaxShapeInfo softmax_shape(TrCore* core, const AscendC::LocalTensor<T>& src, const AscendC::LocalTensor<T>& dst,
                                              AscendC::SoftMaxShapeInfo shape) {
  if (shape.srcM == 0 || shape.srcK == 0) {
    const AscendC::ShapeInfo info = src.GetShapeInfo();
    if (info.shapeDim == 0)
      tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SoftMax: dimensions of the source (SetShapeInfo, or SoftMaxShapeInfo with srcM and srcK)", 0, 0,
                AscendC::K_MAX_SHAPE_DIM);
    shape.srcK = shape.oriSrcK = info.shape[info.shapeDim - 1];
    shape.srcM = 1;
    for (int i = 0; i + 1 < info.shapeDim; ++i) shape.srcM *= info.shape[i];
    shape.oriSrcM = shape.srcM;
    const uint32_t original = info.originalShapeDim == info.shapeDim ? info.originalShape[info.shapeDim - 1] : 0;
    if (original != 0 && original < shape.srcK) shape.oriSrcK = original;
  }
  if (shape.oriSrcM == 0) shape.oriSrcM = shape.srcM;
  if (shape.oriSrcK == 0) shape.oriSrcK = shape.srcK;
  if (TR_UNLIKELY(shape.srcK * sizeof(T) % 32 != 0))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SoftMax: bytes of a row past a multiple of 32", 0, shape.srcK * sizeof(T) % 32, 0);
  if (TR_UNLIKELY(shape.oriSrcK > shape.srcK)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SoftMax: oriSrcK", 0, shape.oriSrcK, shape.srcK);
  if (TR_UNLIKELY(shape.oriSrcM > shape.srcM)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SoftMax: oriSrcM", 0, shape.oriSrcM, shape.srcM);
  const uint64_t elements = uint64_t(shape.oriSrcM) * shape.srcK;
  if (TR_UNLIKELY(elements > src.GetSize())) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SoftMax: elements of srcTensor", 0, elements, src.GetSize());
  if (TR_UNLIKELY(elements > dst.GetSize())) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SoftMax: elements of dstTensor", 0, elements, dst.GetSize());
  return shape;
}

template <class T, class S>
TR_API void softmax(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<S>* sum, const AscendC::LocalTensor<S>* max,
                    const AscendC::LocalTensor<T>& src, const AscendC::LocalTensor<uint8_t>* given, const AscendC::SoftMaxShapeInfo& asked) {
  using namespace AscendC;
  constexpr bool IS_FLOAT = std::is_same<T, float>::value;
  TR_REQUIRE((IS_FLOAT || std::is_same<T, half>::value), "SoftMax: data type is half or float");
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const SoftMaxShapeInfo shape = softmax_shape<T>(core, src, dst, asked);
  LocalTensor<uint8_t> tmp;
  if (given != nullptr) {
    tmp = *given;
  } else {
    if (GetTPipePtr() == nullptr) tr_refuse(core, TR_REFUSE_UNSUPPORTED, "SoftMax without sharedTmpBuffer and without a TPipe (it takes UB that the TPipe has left)");
    if (!PopStackBuffer<uint8_t, TPosition::LCM>(tmp)) return;
  }
  const uint64_t row_bytes = IS_FLOAT ? 0 : uint64_t(shape.srcK) * sizeof(float);
  uint32_t at_once = shape.oriSrcM;
  while (at_once > 1 && SoftMaxRows::room(at_once, row_bytes) > tmp.GetLength()) at_once = at_once > 8 ? (at_once - 1) / 8 * 8 : at_once - 1;
  const uint64_t need = SoftMaxRows::room(1, row_bytes);
  if (TR_UNLIKELY(tmp.GetLength() < need)) tr_refuse(core, TR_REFUSE_CAPACITY, "SoftMax: temporary data of one row", TR_SPACE_UB, need, tmp.GetLength());
  SoftMaxRows rows;
  rows.width = shape.srcK;
  rows.valid = shape.oriSrcK;
  const uint32_t eights = (at_once + 7) / 8 * 8;
  const LocalTensor<float> floats = tmp.template ReinterpretCast<float>();
  rows.lanes = floats;
  rows.spread = floats[SoftMaxRows::LANES];
  rows.values = floats[2 * SoftMaxRows::LANES];
  rows.blocks = floats[2 * SoftMaxRows::LANES + eights];
  const LocalTensor<float> wide = floats[2 * SoftMaxRows::LANES + eights + eights * SoftMaxRows::PER_BLOCK];
  for (uint32_t first = 0; first < shape.oriSrcM; first += at_once) {
    const uint32_t count = shape.oriSrcM - first < at_once ? shape.oriSrcM - first : at_once;
    const int32_t elements = static_cast<int32_t>(count * shape.srcK);
    LocalTensor<float> in, out;
    if constexpr (IS_FLOAT) {
      in = src[first * shape.srcK];
      out = dst[first * shape.srcK];
    } else {
      in = out = wide;
      Cast(wide, src[first * shape.srcK], RoundMode::CAST_NONE, elements);
      PipeBarrier<PIPE_V>();
    }
    rows.template reduce<true>(in, count);
    rows.give(max, first, count);
    rows.template combine<true>(out, in, count);
    Exp(out, out, elements);
    PipeBarrier<PIPE_V>();
    rows.template reduce<false>(out, count);
    rows.give(sum, first, count);
    rows.template combine<false>(out, out, count);
    if constexpr (!IS_FLOAT) {
      Cast(dst[first * shape.srcK], wide, RoundMode::CAST_NONE, elements);
      PipeBarrier<PIPE_V>();
    }
  }
}

}  // namespace toprope

namespace AscendC {

/* With maxima and sums, of the type of the data, or float beside half. */
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false>
TR_API void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor, const LocalTensor<T>& maxTensor, const LocalTensor<T>& srcTensor,
                    const SoftMaxTiling&, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  TR_REQUIRE(!isDataFormatNZ, "SoftMax: isDataFormatNZ is not in toprope yet");
  ::toprope::softmax<T, T>(dstTensor, &sumTensor, &maxTensor, srcTensor, nullptr, softmaxShapeInfo);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false>
TR_API void SoftMax(const LocalTensor<half>& dstTensor, const LocalTensor<float>& sumTensor, const LocalTensor<float>& maxTensor,
                    const LocalTensor<half>& srcTensor, const SoftMaxTiling&, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  TR_REQUIRE(!isDataFormatNZ, "SoftMax: isDataFormatNZ is not in toprope yet");
  ::toprope::softmax<half, float>(dstTensor, &sumTensor, &maxTensor, srcTensor, nullptr, softmaxShapeInfo);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false>
TR_API void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor, const LocalTensor<T>& maxTensor, const LocalTensor<T>& srcTensor,
                    const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling&, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  TR_REQUIRE(!isDataFormatNZ, "SoftMax: isDataFormatNZ is not in toprope yet");
  ::toprope::softmax<T, T>(dstTensor, &sumTensor, &maxTensor, srcTensor, &sharedTmpBuffer, softmaxShapeInfo);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false>
TR_API void SoftMax(const LocalTensor<half>& dstTensor, const LocalTensor<float>& sumTensor, const LocalTensor<float>& maxTensor,
                    const LocalTensor<half>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling&,
                    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  TR_REQUIRE(!isDataFormatNZ, "SoftMax: isDataFormatNZ is not in toprope yet");
  ::toprope::softmax<half, float>(dstTensor, &sumTensor, &maxTensor, srcTensor, &sharedTmpBuffer, softmaxShapeInfo);
}

/* The result alone. */
template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
TR_API void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const SoftMaxTiling&, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  ::toprope::softmax<T, T>(dstTensor, nullptr, nullptr, srcTensor, nullptr, softmaxShapeInfo);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
TR_API void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling&,
                    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  ::toprope::softmax<T, T>(dstTensor, nullptr, nullptr, srcTensor, &sharedTmpBuffer, softmaxShapeInfo);
}

}  // namespace AscendC

#endif
