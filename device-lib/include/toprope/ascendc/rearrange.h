/* Rearrangement: Transpose (16 x 16, and between NCHW and NHWC) and TransDataTo5HD.
 *
 * TransDataTo5HD names 16 source and 16 destination blocks by address registers. The shape-changing Transpose has no instruction: it is made of
 * TransDataTo5HD, as in the public implementation, though in other steps: one conversion of 16 times the same block makes 16 copies of each of
 * its elements, a second one picks the elements of a destination block from such copies. */
#ifndef TOPROPE_ASCENDC_REARRANGE_H
#define TOPROPE_ASCENDC_REARRANGE_H

#include <toprope/ascendc/data_copy.h>
#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/vec_unary.h>

namespace AscendC {

constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

enum class TransposeType : uint8_t {
  TRANSPOSE_TYPE_NONE,
  TRANSPOSE_NZ2ND_0213,
  TRANSPOSE_NZ2NZ_0213,
  TRANSPOSE_NZ2NZ_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITHOUT_N,
  TRANSPOSE_NZ2NZ_012_WITHOUT_N,
  TRANSPOSE_ND2ND_ONLY,
  TRANSPOSE_ND_UB_GM,
  TRANSPOSE_GRAD_ND_UB_GM,
  TRANSPOSE_ND2ND_B16,
  TRANSPOSE_NCHW2NHWC,
  TRANSPOSE_NHWC2NCHW
};

/* Strides in data blocks. With one repeat they are added to the lists, with more they lie between repeats. The halves count for 8-bit types. */
struct TransDataTo5HDParams {
  constexpr TransDataTo5HDParams() {}
  constexpr TransDataTo5HDParams(bool dstHighHalfIn, bool srcHighHalfIn, ::toprope::U8 repeatTimesIn, ::toprope::U16 dstRepStrideIn,
                                 ::toprope::U16 srcRepStrideIn)
      : dstHighHalf(dstHighHalfIn),
        srcHighHalf(srcHighHalfIn),
        repeatTimes(repeatTimesIn),
        dstRepStride(dstRepStrideIn),
        srcRepStride(srcRepStrideIn) {}

  bool dstHighHalf = false;
  bool srcHighHalf = false;
  ::toprope::U8 repeatTimes = 1;
  ::toprope::U16 dstRepStride = 0;
  ::toprope::U16 srcRepStride = 0;
};

struct TransposeParamsExt {
  constexpr TransposeParamsExt() {}
  constexpr TransposeParamsExt(::toprope::U16 nSizeIn, ::toprope::U16 cSizeIn, ::toprope::U16 hSizeIn, ::toprope::U16 wSizeIn,
                               TransposeType transposeTypeIn)
      : nSize(nSizeIn), cSize(cSizeIn), hSize(hSizeIn), wSize(wSizeIn), transposeType(transposeTypeIn) {}

  ::toprope::U16 nSize = 0;
  ::toprope::U16 cSize = 0;
  ::toprope::U16 hSize = 0;
  ::toprope::U16 wSize = 0;
  TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

}  // namespace AscendC

namespace toprope {

#define TR_OP Transpose
#define TR_OP_TEXT "Transpose"
#define TR_SUPPORTED "half, int16_t, uint16_t"
#define TR_ENTRIES entry<half, TR_OP_VTRANSPOSE_B16>, entry<int16_t, TR_OP_VTRANSPOSE_B16>, entry<uint16_t, TR_OP_VTRANSPOSE_B16>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP TransDataTo5HD
#define TR_OP_TEXT "TransDataTo5HD"
#define TR_SUPPORTED "int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float"
#define TR_ENTRIES entry<int8_t, TR_OP_S_VNCHWCONV_B8>, entry<uint8_t, TR_OP_S_VNCHWCONV_B8>, entry<int16_t, TR_OP_S_VNCHWCONV_B16>, \
                   entry<uint16_t, TR_OP_S_VNCHWCONV_B16>, entry<half, TR_OP_S_VNCHWCONV_B16>, entry<int32_t, TR_OP_S_VNCHWCONV_B32>, \
                   entry<uint32_t, TR_OP_S_VNCHWCONV_B32>, entry<float, TR_OP_S_VNCHWCONV_B32>
#include <toprope/ascendc/dtype_op.inc>

/* Writes 16 addresses to address registers `va` and `va` + 1. */
TR_API void set_va(TrCore* core, uint64_t va, const uint64_t* addresses) {
  for (uint64_t i = 0; i < 16; i += 2) tr_issue(core, TR_OP_MOVEVA, va + i / 8, i % 8, addresses[i], addresses[i + 1]);
}

template <class T>
TR_API void trans_data_to_5hd(TrCore* core, const uint64_t* dst, const uint64_t* src, const AscendC::TransDataTo5HDParams& p) {
  constexpr const char* api = "TransDataTo5HD";
  tr_check_field(core, api, TR_FIELD_REPEAT_TIMES, p.repeatTimes.wide(), TR_MAX_NCHW_CONV_REPEAT_TIMES);
  tr_check_field(core, api, TR_FIELD_DST_REPEAT_STRIDE, p.dstRepStride.wide(), TR_MAX_NCHW_CONV_DST_REPEAT_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC0_REPEAT_STRIDE, p.srcRepStride.wide(), TR_MAX_NCHW_CONV_SRC0_REPEAT_STRIDE);
  if (sizeof(T) != 1 && (p.dstHighHalf || p.srcHighHalf))
    tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "TransDataTo5HD: dstHighHalf or srcHighHalf with a type that has not 8 bits");
  set_va(core, 0, dst);
  set_va(core, 2, src);
  tr_issue(core, TransDataTo5HD_op::code<T>(), 0, 2, tr_pack_nchw_conv(p.dstRepStride.wide(), p.srcRepStride.wide(), p.repeatTimes.wide()),
           static_cast<uint64_t>(p.dstHighHalf) | static_cast<uint64_t>(p.srcHighHalf) << 1);
}

/* Elements of a square that one conversion (8 bits: four) fills, and its side in blocks. */
template <class T>
constexpr uint32_t square_blocks = sizeof(T) == 1 ? 32 : 16;
template <class T>
constexpr uint64_t square_bytes = square_blocks<T> * 32ull;

/* Makes copies of every element of the block at `src`: element i fills `copy_bytes` at `dst` + i * copy_bytes. */
template <class T>
constexpr uint64_t copy_bytes = sizeof(T) == 4 ? 64 : 32;
template <class T>
TR_API void spread_block(TrCore* core, uint64_t dst, uint64_t src) {
  uint64_t to[16], from[16];
  for (int i = 0; i < 16; ++i) from[i] = src;
  for (int high = 0; high < (sizeof(T) == 1 ? 2 : 1); ++high) {
    for (int i = 0; i < 16; ++i) to[i] = dst + 32ull * (i + 16 * high);
    for (int upper = 0; upper < (sizeof(T) == 1 ? 2 : 1); ++upper) {
      trans_data_to_5hd<T>(core, to, from, AscendC::TransDataTo5HDParams(upper != 0, high != 0, 1, 0, 0));
      /* Both halves of the same blocks. */
      if constexpr (sizeof(T) == 1) AscendC::PipeBarrier<PIPE_V>();
    }
  }
}

/* Puts the elements whose copies start at `from[0..n)` together into the block at `dst`; `rest` takes what the conversion writes beside it. */
template <class T>
TR_API void pick_block(TrCore* core, uint64_t dst, const uint64_t* from, uint64_t rest) {
  uint64_t to[16];
  to[0] = dst;
  for (int i = 1; i < 16; ++i) to[i] = rest + 32ull * i;
  if constexpr (sizeof(T) == 1) {
    trans_data_to_5hd<T>(core, to, from, AscendC::TransDataTo5HDParams(false, false, 1, 0, 0));
    AscendC::PipeBarrier<PIPE_V>();
    trans_data_to_5hd<T>(core, to, from + 16, AscendC::TransDataTo5HDParams(true, false, 1, 0, 0));
  } else {
    trans_data_to_5hd<T>(core, to, from, AscendC::TransDataTo5HDParams(false, false, 1, 0, 0));
  }
}

/* One image. Reading order and writing order differ: element e of the output in blocks of one group of pixels is element `source(e)` of the input
 * blocks of the same group. `planes`: the input has one block per channel and group (NCHW), else the groups are contiguous (NHWC). */
template <class T, bool planes>
TR_API void transpose_image(TrCore* core, uint64_t dst, uint64_t src, uint64_t tmp, uint32_t channels, uint32_t pixels) {
  constexpr uint32_t block = 32 / sizeof(T);
  const uint64_t rest = tmp + channels * block * copy_bytes<T>;
  for (uint32_t group = 0; group < pixels / block; ++group) {
    /* `channels` blocks of input, spread. */
    for (uint32_t c = 0; c < channels; ++c) {
      const uint64_t from = planes ? src + (c * pixels + group * block) * sizeof(T) : src + (group * channels + c) * 32ull;
      spread_block<T>(core, tmp + c * block * copy_bytes<T>, from);
    }
    AscendC::PipeBarrier<PIPE_V>();
    /* `channels` blocks of output. */
    for (uint32_t c = 0; c < channels; ++c) {
      uint64_t from[32];
      for (uint32_t i = 0; i < (block < 16 ? 16 : block); ++i) {
        const uint32_t e = c * block + i % block;
        const uint32_t source = planes ? (e % channels) * block + e / channels : (e % block) * channels + e / block;
        from[i] = tmp + source * copy_bytes<T>;
      }
      const uint64_t to = planes ? dst + (group * channels + c) * 32ull : dst + (c * pixels + group * block) * sizeof(T);
      pick_block<T>(core, to, from, rest);
      AscendC::PipeBarrier<PIPE_V>();
    }
  }
}

template <class T>
TR_API void transpose_images(TrCore* core, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                             const AscendC::LocalTensor<uint8_t>& tmp, const AscendC::TransposeParamsExt& p) {
  const bool planes = p.transposeType == AscendC::TransposeType::TRANSPOSE_NCHW2NHWC;
  const uint64_t n = p.nSize.wide(), c = p.cSize.wide(), pixels = p.hSize.wide() * p.wSize.wide();
  if (TR_UNLIKELY(n > 65535)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "Transpose: nSize", 0, n, 65535);
  if (TR_UNLIKELY(c > 4095)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "Transpose: cSize", 0, c, 4095);
  if (TR_UNLIKELY(pixels > 4095)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "Transpose: hSize * wSize", 0, pixels, 4095);
  if (TR_UNLIKELY(pixels * sizeof(T) % 32 != 0))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "Transpose: hSize * wSize * sizeof(T) must be a multiple of 32; bytes past one", 0, pixels * sizeof(T) % 32, 0);
  const uint64_t need = (planes ? c + 2 : 2 * c + 1) * square_bytes<T>;
  if (TR_UNLIKELY(c > 1 && tmp.GetLength() < need))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "Transpose: bytes needed in sharedTmpBuffer", 0, need, tmp.GetLength());
  if (c == 1) {
    AscendC::DataCopy(dst, src, static_cast<uint32_t>(n * pixels));
    return;
  }
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t image = i * c * pixels * sizeof(T);
    if (planes)
      transpose_image<T, true>(core, dst.address_ + image, src.address_ + image, tmp.address_, c, pixels);
    else
      transpose_image<T, false>(core, dst.address_ + image, src.address_ + image, tmp.address_, c, pixels);
  }
}

}  // namespace toprope

namespace AscendC {

/* dst = src transposed, 16 x 16; in place is allowed. */
template <typename T>
TR_API void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  tr_issue(core, ::toprope::Transpose_op::code<T>(), dst.address_, src.address_);
}

/* 16 x 16 of uint16_t, or [N, C, H, W] to [N, H, W, C] and back. */
template <typename T>
TR_API void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const TransposeParamsExt& transposeParams) {
  (void)::toprope::TransDataTo5HD_op::code<T>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  switch (transposeParams.transposeType) {
    case TransposeType::TRANSPOSE_NCHW2NHWC:
    case TransposeType::TRANSPOSE_NHWC2NCHW:
      ::toprope::transpose_images<T>(core, dst, src, sharedTmpBuffer, transposeParams);
      return;
    case TransposeType::TRANSPOSE_ND2ND_B16:
      if (sizeof(T) != 2 || transposeParams.hSize.wide() != 16 || transposeParams.wSize.wide() != 16)
        tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "Transpose: TRANSPOSE_ND2ND_B16 with a shape other than 16 x 16 or a type that has not 16 bits");
      tr_issue(core, TR_OP_VTRANSPOSE_B16, dst.address_, src.address_);
      return;
    case TransposeType::TRANSPOSE_TYPE_NONE: return;
    default: tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "Transpose: this transposeType (there are ND2ND_B16, NCHW2NHWC, NHWC2NCHW)");
  }
}

/* Blocks named by addresses (GetPhyAddr), by tensors, or by addresses that lie in UB. */
template <typename T>
TR_API void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                           const TransDataTo5HDParams& nchwconvParams) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_vector(core)) ::toprope::trans_data_to_5hd<T>(core, dstList, srcList, nchwconvParams);
}
template <typename T>
TR_API void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE], const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                           const TransDataTo5HDParams& nchwconvParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  uint64_t dst[NCHW_CONV_ADDR_LIST_SIZE], src[NCHW_CONV_ADDR_LIST_SIZE];
  for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    dst[i] = dstList[i].address_;
    src[i] = srcList[i].address_;
  }
  ::toprope::trans_data_to_5hd<T>(core, dst, src, nchwconvParams);
}
template <typename T>
TR_API void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src, const TransDataTo5HDParams& nchwconvParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  uint64_t to[NCHW_CONV_ADDR_LIST_SIZE], from[NCHW_CONV_ADDR_LIST_SIZE];
  for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    to[i] = dst.GetValue(i);
    from[i] = src.GetValue(i);
  }
  ::toprope::trans_data_to_5hd<T>(core, to, from, nchwconvParams);
}

}  // namespace AscendC

#endif
