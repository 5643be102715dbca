/* Gather, Gatherb, GatherMask. Scatter does not exist on NpuArch 2201: its name is here to say so. */
#ifndef TOPROPE_ASCENDC_GATHER_H
#define TOPROPE_ASCENDC_GATHER_H

#include <toprope/ascendc/mask.h>
#include <toprope/ascendc/params.h>
#include <toprope/ascendc/refuse.h>
#include <toprope/ascendc/tensor.h>

namespace AscendC {

/* Strides of the destination of Gatherb; the other members are reserved. */
struct GatherRepeatParams {
  constexpr GatherRepeatParams() {}
  constexpr GatherRepeatParams(::toprope::U8 dstBlkStrideIn, ::toprope::U8 dstRepStrideIn)
      : dstRepStride(dstRepStrideIn.wide()), dstBlkStride(dstBlkStrideIn) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  ::toprope::U16 dstRepStride = DEFAULT_REPEAT_STRIDE;
  ::toprope::U8 dstBlkStride = DEFAULT_BLK_STRIDE;
  ::toprope::U8 src0BlkStride = DEFAULT_BLK_STRIDE;
  ::toprope::U8 src1BlkStride = DEFAULT_BLK_STRIDE;
  ::toprope::U8 src0RepStride = DEFAULT_REPEAT_STRIDE;
  ::toprope::U8 src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
constexpr GatherMaskMode defaultGahterMaskMode = GatherMaskMode::VERSION_V2;
constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V2;

struct GatherMaskParams {
  constexpr GatherMaskParams() {}
  constexpr GatherMaskParams(::toprope::U8 src0BlockStrideIn, ::toprope::U16 repeatTimesIn, ::toprope::U16 src0RepeatStrideIn,
                             ::toprope::U8 src1RepeatStrideIn)
      : src0BlockStride(src0BlockStrideIn),
        repeatTimes(repeatTimesIn),
        src0RepeatStride(src0RepeatStrideIn),
        src1RepeatStride(src1RepeatStrideIn) {}

  ::toprope::U8 src0BlockStride = DEFAULT_BLK_STRIDE;
  ::toprope::U16 repeatTimes = 0;
  ::toprope::U16 src0RepeatStride = DEFAULT_REPEAT_STRIDE;
  ::toprope::U8 src1RepeatStride = DEFAULT_REPEAT_STRIDE;
};

}  // namespace AscendC

namespace toprope {

#define TR_ANY_B16_B32 "int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float"
#define TR_OP Gather
#define TR_OP_TEXT "Gather"
#define TR_SUPPORTED TR_ANY_B16_B32
#define TR_ENTRIES                                                                                                       \
  entry<int16_t, TR_OP_VGATHER_B16>, entry<uint16_t, TR_OP_VGATHER_B16>, entry<half, TR_OP_VGATHER_B16>,                 \
      entry<bfloat16_t, TR_OP_VGATHER_B16>, entry<int32_t, TR_OP_VGATHER_B32>, entry<uint32_t, TR_OP_VGATHER_B32>,       \
      entry<float, TR_OP_VGATHER_B32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Gatherb
#define TR_OP_TEXT "Gatherb"
#define TR_SUPPORTED "uint16_t, uint32_t"
#define TR_ENTRIES entry<uint16_t, TR_OP_VGATHERB_B16>, entry<uint32_t, TR_OP_VGATHERB_B32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP GatherMask
#define TR_OP_TEXT "GatherMask"
#define TR_SUPPORTED TR_ANY_B16_B32
#define TR_ENTRIES                                                                                                       \
  entry<int16_t, TR_OP_VREDUCEV2_B16>, entry<uint16_t, TR_OP_VREDUCEV2_B16>, entry<half, TR_OP_VREDUCEV2_B16>,           \
      entry<bfloat16_t, TR_OP_VREDUCEV2_B16>, entry<int32_t, TR_OP_VREDUCEV2_B32>, entry<uint32_t, TR_OP_VREDUCEV2_B32>, \
      entry<float, TR_OP_VREDUCEV2_B32>
#include <toprope/ascendc/dtype_op.inc>
#undef TR_ANY_B16_B32

/* The base goes into the instruction as the low half of an address. */
TR_API uint64_t gather_config(TrCore* core, const char* api, uint64_t base, uint64_t dst_repeat, uint64_t dst_block, uint64_t repeats) {
  tr_check_field(core, api, TR_FIELD_REPEAT_TIMES, repeats, TR_MAX_VEC_GATHER_REPEAT_TIMES);
  tr_check_field(core, api, TR_FIELD_DST_REPEAT_STRIDE, dst_repeat, TR_MAX_VEC_GATHER_DST_REPEAT_STRIDE);
  tr_check_field(core, api, TR_FIELD_DST_BLOCK_STRIDE, dst_block, TR_MAX_VEC_GATHER_DST_BLOCK_STRIDE);
  return tr_pack_vec_gather(base & 0xffffffffu, dst_repeat, dst_block, repeats);
}

template <class T>
TR_API uint64_t gather_base(TrCore* core, const AscendC::LocalTensor<T>& src, uint32_t base) {
  if (TR_UNLIKELY(base % sizeof(T) != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, "Gather: srcBaseAddr", 0, base, sizeof(T));
  if (TR_UNLIKELY(base >= SPACE_BYTES)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "Gather: srcBaseAddr", 0, base, AscendC::TOTAL_UB_SIZE);
  return src.address_ + base;
}

TR_API uint64_t gather_mask_config(TrCore* core, uint64_t pattern, const AscendC::GatherMaskParams& p) {
  constexpr const char* api = "GatherMask";
  tr_check_field(core, api, TR_FIELD_PATTERN_MODE, pattern, TR_MAX_GATHER_MASK_PATTERN_MODE);
  tr_check_field(core, api, TR_FIELD_REPEAT_TIMES, p.repeatTimes.wide(), TR_MAX_GATHER_MASK_REPEAT_TIMES);
  tr_check_field(core, api, TR_FIELD_SRC0_BLOCK_STRIDE, p.src0BlockStride.wide(), TR_MAX_GATHER_MASK_SRC0_BLOCK_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC0_REPEAT_STRIDE, p.src0RepeatStride.wide(), TR_MAX_GATHER_MASK_SRC0_REPEAT_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC1_REPEAT_STRIDE, p.src1RepeatStride.wide(), TR_MAX_GATHER_MASK_SRC1_REPEAT_STRIDE);
  return tr_pack_gather_mask(p.repeatTimes.wide(), p.src0BlockStride.wide(), pattern, p.src0RepeatStride.wide(), p.src1RepeatStride.wide());
}

/* Number of elements that the last gather by mask kept; the register is read behind the vector pipe. `own`: TR_SPR_OWN, if the caller has just issued it. */
TR_API uint64_t kept_elements(TrCore* core, uint32_t own = 0) { return core->read_spr(core, own | TR_SPR_RSVD_CNT); }

template <class T>
TR_API void gather_mask(uint64_t dst, uint64_t src, uint64_t pattern_tensor, uint64_t pattern, bool reduce_mode, uint32_t mask,
                        const AscendC::GatherMaskParams& params, uint64_t& kept) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = gather_mask_config(core, pattern, params);
  if (TR_UNLIKELY(reduce_mode && mask == 0)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "GatherMask: mask in counter mode (1 and more)", 0, 0, UINT32_MAX);
  tr_issue(core, reduce_mode ? TR_OP_SBITSET1 : TR_OP_SBITSET0, TR_CTRL_MASK_COUNTER);
  set_mask(core, 0, mask);
  tr_issue(core, GatherMask_op::code<T>(), dst, src, pattern_tensor, config);
  kept = kept_elements(core, TR_SPR_OWN);
  tr_issue(core, TR_OP_SBITSET0, TR_CTRL_MASK_COUNTER);
}

}  // namespace toprope

namespace AscendC {

/* dst[i] is the element srcOffset[i] + srcBaseAddr bytes into src. */
template <typename T>
TR_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset, uint32_t srcBaseAddr,
                   uint64_t mask, ::toprope::U8 repeatTime, ::toprope::U16 dstRepStride) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t base = ::toprope::gather_base(core, src, srcBaseAddr);
  const uint64_t config = ::toprope::gather_config(core, "Gather", base, dstRepStride.wide(), 0, repeatTime.wide());
  ::toprope::set_mask_length<T>(core, "Gather", static_cast<int64_t>(mask));
  tr_issue(core, ::toprope::Gather_op::code<T>(), dst.address_, srcOffset.address_, config);
}
template <typename T>
TR_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset, uint32_t srcBaseAddr,
                   const uint64_t mask[], ::toprope::U8 repeatTime, ::toprope::U16 dstRepStride) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t base = ::toprope::gather_base(core, src, srcBaseAddr);
  const uint64_t config = ::toprope::gather_config(core, "Gather", base, dstRepStride.wide(), 0, repeatTime.wide());
  ::toprope::set_mask(core, mask[1], mask[0]);
  tr_issue(core, ::toprope::Gather_op::code<T>(), dst.address_, srcOffset.address_, config);
}
/* The first `count` elements: whole repeats, then the rest with a mask. More than 255 repeats take several instructions. */
template <typename T>
TR_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset, uint32_t srcBaseAddr,
                   uint32_t count) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  constexpr uint32_t per_repeat = ONE_REPEAT_BYTE_SIZE / sizeof(T);
  const uint64_t base = ::toprope::gather_base(core, src, srcBaseAddr);
  uint64_t to = dst.address_, offsets = srcOffset.address_;
  uint32_t repeats = count / per_repeat;
  if (repeats != 0) ::toprope::set_mask_length<T>(core, "Gather", per_repeat);
  while (repeats != 0) {
    const uint32_t n = repeats < MAX_REPEAT_TIMES ? repeats : MAX_REPEAT_TIMES;
    tr_issue(core, ::toprope::Gather_op::code<T>(), to, offsets, ::toprope::gather_config(core, "Gather", base, 8, 0, n));
    to += n * ONE_REPEAT_BYTE_SIZE;
    offsets += n * per_repeat * sizeof(uint32_t);
    repeats -= n;
  }
  if (count % per_repeat == 0) return;
  ::toprope::set_mask_length<T>(core, "Gather", count % per_repeat);
  tr_issue(core, ::toprope::Gather_op::code<T>(), to, offsets, ::toprope::gather_config(core, "Gather", base, 8, 0, 1));
}

/* Eight data blocks per repeat: block i of dst is the one offset[i] bytes into src. */
template <typename T>
TR_API void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offset, ::toprope::U8 repeatTime,
                    const GatherRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t config = ::toprope::gather_config(core, "Gatherb", src.address_, repeatParams.dstRepStride.wide(),
                                                   repeatParams.dstBlkStride.wide(), repeatTime.wide());
  ::toprope::set_mask(core, FULL_MASK, FULL_MASK);
  tr_issue(core, ::toprope::Gatherb_op::code<T>(), dst.address_, offset.address_, config);
}

/* The elements whose bit is set, packed. rsvdCnt: how many. Leaves normal mask mode. Pattern by tensor, or one of the fixed ones 1 to 7. */
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
TR_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1Pattern, bool reduceMode, uint32_t mask,
                       const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
  static_assert(::toprope::one_of<U, uint16_t, uint32_t>, "GatherMask: src1Pattern must be a tensor of uint16_t or uint32_t");
  static_assert(sizeof(T) == sizeof(U) || !::toprope::one_of<U, uint16_t, uint32_t>,
                "GatherMask: a pattern of uint16_t goes with 16-bit elements, one of uint32_t with 32-bit elements");
  ::toprope::gather_mask<T>(dst.address_, src0.address_, src1Pattern.address_, 0, reduceMode, mask, gatherMaskParams, rsvdCnt);
}
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
TR_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, ::toprope::U8 src1Pattern, bool reduceMode, uint32_t mask,
                       const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
  TrCore* core = ::toprope::this_core();
  if (TR_UNLIKELY(src1Pattern.wide() == 0)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "GatherMask: src1Pattern (1 to 7)", 0, 0, 7);
  ::toprope::gather_mask<T>(dst.address_, src0.address_, src0.address_, src1Pattern.wide(), reduceMode, mask, gatherMaskParams, rsvdCnt);
}
/* The old forms: mask and mode as they are, the count by GetGatherMaskRemainCount. */
template <typename T>
TR_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, ::toprope::U8 patternMode,
                       const GatherMaskParams& gatherMaskParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  tr_issue(core, ::toprope::GatherMask_op::code<T>(), dst.address_, src0.address_, src1.address_,
           ::toprope::gather_mask_config(core, patternMode.wide(), gatherMaskParams));
}
template <typename T>
TR_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, ::toprope::U8 patternMode, const GatherMaskParams& gatherMaskParams) {
  TrCore* core = ::toprope::this_core();
  if (TR_UNLIKELY(patternMode.wide() == 0)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "GatherMask: src1Pattern (1 to 7)", 0, 0, 7);
  if (!::toprope::has_vector(core)) return;
  tr_issue(core, ::toprope::GatherMask_op::code<T>(), dst.address_, src0.address_, src0.address_,
           ::toprope::gather_mask_config(core, patternMode.wide(), gatherMaskParams));
}
TR_API int64_t GetGatherMaskRemainCount() {
  TrCore* core = ::toprope::this_core();
  return ::toprope::has_vector(core) ? static_cast<int64_t>(::toprope::kept_elements(core)) : 0;
}

TR_ABSENT(Scatter, "write the elements with SetValue, or turn the offsets round and use Gather")

}  // namespace AscendC

#endif
