/* Duplicate, Brcb, Copy (masked) and CreateVecIndex. */
#ifndef TOPROPE_ASCENDC_DUPLICATE_H
#define TOPROPE_ASCENDC_DUPLICATE_H

#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/vec_unary.h>

namespace toprope {

#define TR_OP Duplicate
#define TR_OP_TEXT "Duplicate"
#define TR_SUPPORTED "half, bfloat16_t, int16_t, uint16_t, int32_t, uint32_t, float"
#define TR_ENTRIES entry<half, TR_OP_MOVEV_F16>, entry<bfloat16_t, TR_OP_MOVEV_BF16>, entry<int16_t, TR_OP_MOVEV_S16>, \
                   entry<uint16_t, TR_OP_MOVEV_U16>, entry<int32_t, TR_OP_MOVEV_S32>, entry<uint32_t, TR_OP_MOVEV_U32>, \
                   entry<float, TR_OP_MOVEV_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_WORDS "16-bit and 32-bit types"
#define TR_OP Brcb
#define TR_OP_TEXT "Brcb"
#define TR_SUPPORTED TR_WORDS
#define TR_ENTRIES entry<half, TR_OP_VBRCB_B16>, entry<bfloat16_t, TR_OP_VBRCB_B16>, entry<int16_t, TR_OP_VBRCB_B16>, \
                   entry<uint16_t, TR_OP_VBRCB_B16>, entry<int32_t, TR_OP_VBRCB_B32>, entry<uint32_t, TR_OP_VBRCB_B32>, \
                   entry<float, TR_OP_VBRCB_B32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Copy
#define TR_OP_TEXT "Copy"
#define TR_SUPPORTED TR_WORDS
#define TR_ENTRIES entry<half, TR_OP_VCOPY_U16>, entry<bfloat16_t, TR_OP_VCOPY_U16>, entry<int16_t, TR_OP_VCOPY_U16>, \
                   entry<uint16_t, TR_OP_VCOPY_U16>, entry<int32_t, TR_OP_VCOPY_U32>, entry<uint32_t, TR_OP_VCOPY_U32>, \
                   entry<float, TR_OP_VCOPY_U32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP CreateVecIndex
#define TR_OP_TEXT "CreateVecIndex"
#define TR_SUPPORTED "half, float, int16_t, int32_t"
#define TR_ENTRIES entry<half, 0>, entry<float, 0>, entry<int16_t, 0>, entry<int32_t, 0>
#include <toprope/ascendc/dtype_op.inc>

TR_API uint64_t dup_config(TrCore* core, const char* api, U8 repeatTime, uint64_t dst_block, uint64_t dst_repeat, uint64_t max_repeat) {
  tr_check_field(core, api, TR_FIELD_REPEAT_TIMES, repeatTime.wide(), TR_MAX_VEC_DUP_REPEAT_TIMES);
  tr_check_field(core, api, TR_FIELD_DST_BLOCK_STRIDE, dst_block, TR_MAX_VEC_DUP_DST_BLOCK_STRIDE);
  tr_check_field(core, api, TR_FIELD_DST_REPEAT_STRIDE, dst_repeat, max_repeat);
  return tr_pack_vec_dup(dst_block, dst_repeat, repeatTime.wide());
}

TR_API uint64_t copy_config(TrCore* core, U8 repeatTime, const AscendC::CopyRepeatParams& p) {
  return unary_config(core, "Copy", repeatTime, p.dstStride.wide(), p.srcStride.wide(), p.dstRepeatSize.wide(), p.srcRepeatSize.wide());
}

/* Element i of an index vector. Float types count in float, as the public implementation does. */
template <class T>
constexpr T index_value(T first, int64_t i) {
  if constexpr (std::is_integral<T>::value)
    return static_cast<T>(static_cast<int64_t>(first) + i);
  else
    return static_cast<T>(static_cast<float>(first) + static_cast<float>(i));
}

/* Lets the vector unit see what the scalar unit wrote. */
TR_API void scalar_before_vector() {
  const int8_t id = fetch_event_id(AscendC::HardEvent::S_V);
  AscendC::SetFlag<AscendC::HardEvent::S_V>(id);
  AscendC::WaitFlag<AscendC::HardEvent::S_V>(id);
}

/* dst[dst_at ..] = dst[src_at ..] + add for `length` elements of a repeat with the given block stride; then a barrier on V. */
template <class T>
TR_API void extend_index(const AscendC::LocalTensor<T>& dst, uint32_t dst_at, uint32_t src_at, int64_t add, uint64_t length, uint64_t blk) {
  AscendC::UnaryRepeatParams params;
  params.dstBlkStride = blk;
  params.srcBlkStride = blk;
  AscendC::Adds<T>(dst[dst_at], dst[src_at], static_cast<T>(add), length, 1, params);
  AscendC::PipeBarrier<PIPE_V>();
}

}  // namespace toprope

namespace AscendC {

/* Fills with a scalar. */
template <typename T, bool isSetMask = true>
TR_API void Duplicate(const LocalTensor<T>& dst, const typename ::toprope::same<T>::type& scalarValue, uint64_t mask,
                      ::toprope::U8 repeatTime, ::toprope::U16 dstBlockStride, ::toprope::U8 dstRepeatStride) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t config = ::toprope::dup_config(core, "Duplicate", repeatTime, dstBlockStride.wide(), dstRepeatStride.wide(), 255);
  if constexpr (isSetMask) ::toprope::set_mask_length<T>(core, "Duplicate", static_cast<int64_t>(mask));
  tr_issue(core, ::toprope::Duplicate_op::code<T>(), dst.address_, ::toprope::scalar_bits<T>(scalarValue), config);
}
template <typename T, bool isSetMask = true>
TR_API void Duplicate(const LocalTensor<T>& dst, const typename ::toprope::same<T>::type& scalarValue, const uint64_t mask[],
                      ::toprope::U8 repeatTime, ::toprope::U16 dstBlockStride, ::toprope::U8 dstRepeatStride) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t config = ::toprope::dup_config(core, "Duplicate", repeatTime, dstBlockStride.wide(), dstRepeatStride.wide(), 255);
  if constexpr (isSetMask) ::toprope::set_mask(core, mask[1], mask[0]);
  tr_issue(core, ::toprope::Duplicate_op::code<T>(), dst.address_, ::toprope::scalar_bits<T>(scalarValue), config);
}
template <typename T>
TR_API void Duplicate(const LocalTensor<T>& dst, const typename ::toprope::same<T>::type& scalarValue, const int32_t& count) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  ::toprope::begin_count(core, ::toprope::checked_count(core, "Duplicate: element count", count));
  tr_issue(core, ::toprope::Duplicate_op::code<T>(), dst.address_, ::toprope::scalar_bits<T>(scalarValue), tr_pack_vec_dup(1, 8, 1));
  ::toprope::end_count(core);
}

/* Eight elements of src to eight data blocks of dst per repeat. */
template <typename T>
TR_API void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, ::toprope::U8 repeatTime, const BrcbRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t config = ::toprope::dup_config(core, "Brcb", repeatTime, repeatParams.dstBlkStride.wide(), repeatParams.dstRepStride.wide(),
                                                TR_MAX_VEC_DUP_DST_REPEAT_STRIDE);
  tr_issue(core, ::toprope::Brcb_op::code<T>(), dst.address_, src.address_, config);
}

/* Masked copy inside UB on the vector unit. */
template <typename T, bool isSetMask = true>
TR_API void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[], ::toprope::U8 repeatTime,
                 const CopyRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t config = ::toprope::copy_config(core, repeatTime, repeatParams);
  if constexpr (isSetMask) ::toprope::set_mask(core, mask[1], mask[0]);
  tr_issue(core, ::toprope::Copy_op::code<T>(), dst.address_, src.address_, config);
}
template <typename T, bool isSetMask = true>
TR_API void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, ::toprope::U8 repeatTime,
                 const CopyRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t config = ::toprope::copy_config(core, repeatTime, repeatParams);
  if constexpr (isSetMask) ::toprope::set_mask_length<T>(core, "Copy", static_cast<int64_t>(mask));
  tr_issue(core, ::toprope::Copy_op::code<T>(), dst.address_, src.address_, config);
}

/* dst[i] = firstValue + i. The vector unit has no such instruction: the first block (mask bits: the first repeat) is written by the scalar
 * unit, the rest follows by Adds from what is there, as in the public implementation. */
template <typename T>
TR_API void CreateVecIndex(LocalTensor<T> dst, const typename ::toprope::same<T>::type& firstValue, uint32_t count) {
  (void)::toprope::CreateVecIndex_op::code<T>();
  if (!::toprope::has_vector(::toprope::this_core())) return;
  constexpr uint32_t block = ONE_BLK_SIZE / sizeof(T), repeat = 8 * block;
  for (uint32_t i = 0; i < block && i < count; ++i) dst.SetValue(i, ::toprope::index_value<T>(firstValue, i));
  ::toprope::scalar_before_vector();
  for (uint32_t at = block; at < repeat && at < count; at += block) {
    const uint32_t n = count - at < block ? count - at : block;
    ::toprope::extend_index(dst, at, at - block, block, n, 1);
  }
  for (uint32_t at = repeat; at < count; at += repeat) {
    const uint32_t n = count - at < repeat ? count - at : repeat;
    ::toprope::extend_index(dst, at, at - repeat, repeat, n, 1);
  }
}
template <typename T>
TR_API void CreateVecIndex(LocalTensor<T>& dst, const typename ::toprope::same<T>::type& firstValue, uint64_t mask,
                           ::toprope::U8 repeatTime, ::toprope::U16 dstBlkStride, ::toprope::U8 dstRepStride) {
  (void)::toprope::CreateVecIndex_op::code<T>();
  if (!::toprope::has_vector(::toprope::this_core())) return;
  (void)::toprope::dup_config(::toprope::this_core(), "CreateVecIndex", repeatTime, dstBlkStride.wide(), dstRepStride.wide(), 255);
  constexpr uint32_t block = ONE_BLK_SIZE / sizeof(T), repeat = 8 * block;
  if (mask > repeat) mask = repeat;
  const uint32_t blk = dstBlkStride;
  for (uint32_t i = 0; i < block && i < mask; ++i) dst.SetValue(i, ::toprope::index_value<T>(firstValue, i));
  ::toprope::scalar_before_vector();
  for (uint32_t at = block; at < mask; at += block) {
    const uint64_t n = mask - at < block ? mask - at : block;
    ::toprope::extend_index(dst, at * blk, (at - block) * blk, block, n, 1);
  }
  for (uint32_t r = 1; r < repeatTime; ++r)
    ::toprope::extend_index(dst, r * dstRepStride * block, (r - 1) * dstRepStride * block, repeat, mask, blk);
}
template <typename T>
TR_API void CreateVecIndex(LocalTensor<T>& dst, const typename ::toprope::same<T>::type& firstValue, const uint64_t mask[],
                           ::toprope::U8 repeatTime, ::toprope::U16 dstBlkStride, ::toprope::U8 dstRepStride) {
  (void)::toprope::CreateVecIndex_op::code<T>();
  if (!::toprope::has_vector(::toprope::this_core())) return;
  (void)::toprope::dup_config(::toprope::this_core(), "CreateVecIndex", repeatTime, dstBlkStride.wide(), dstRepStride.wide(), 255);
  constexpr uint32_t block = ONE_BLK_SIZE / sizeof(T), repeat = 8 * block;
  for (uint32_t i = 0; i < repeat; ++i)
    if (mask[i / 64] >> (i % 64) & 1) dst.SetValue(i / block * block * dstBlkStride + i % block, ::toprope::index_value<T>(firstValue, i));
  ::toprope::scalar_before_vector();
  UnaryRepeatParams params;
  params.dstBlkStride = dstBlkStride;
  params.srcBlkStride = dstBlkStride;
  for (uint32_t r = 1; r < repeatTime; ++r) {
    Adds<T>(dst[r * dstRepStride * block], dst[(r - 1) * dstRepStride * block], static_cast<T>(repeat), mask, 1, params);
    PipeBarrier<PIPE_V>();
  }
}

}  // namespace AscendC

#endif
