/* DataCopy and DataCopyPad: bursts between GM and UB and inside UB.
 *
 *   DataCopy     32-byte data blocks;  a count that is no multiple of 32 bytes moves less (reported as a warning)
 *   DataCopyPad  bytes on the GM side, data blocks on the UB side, padding to whole blocks in UB
 *   slices       several bursts of one of the two
 *
 * A tensor in L1 takes the cube core's instruction (cube_copy.h). Copies of L0 and other layout-changing forms are refused.
 */
#ifndef TOPROPE_ASCENDC_DATA_COPY_H
#define TOPROPE_ASCENDC_DATA_COPY_H

#include <toprope/ascendc/cube_copy.h>
#include <toprope/ascendc/mask.h>
#include <toprope/ascendc/params.h>
#include <toprope/ascendc/tensor.h>

namespace toprope {

TR_API bool is_ub(uint8_t position) { return AscendC::GetPhyType(static_cast<AscendC::TPosition>(position)) == AscendC::Hardware::UB; }

/* A burst copy; `count` etc. in data blocks. */
TR_API void burst_copy(TrCore* core, uint32_t op, uint64_t dst, uint64_t src, uint64_t count, uint64_t len, uint64_t src_gap, uint64_t dst_gap) {
  tr_check_field(core, "DataCopy", TR_FIELD_BURST_COUNT, count, TR_MAX_BURST_BURST_COUNT);
  tr_check_field(core, "DataCopy", TR_FIELD_BURST_LEN, len, TR_MAX_BURST_BURST_LEN);
  tr_check_field(core, "DataCopy", TR_FIELD_SRC_GAP, src_gap, TR_MAX_BURST_SRC_GAP);
  tr_check_field(core, "DataCopy", TR_FIELD_DST_GAP, dst_gap, TR_MAX_BURST_DST_GAP);
  if (op == TR_OP_MOV_OUT_TO_L1_V220) return fill_l1(core, op, dst, src, tr_pack_burst(count, len, src_gap, dst_gap), 0);
  tr_issue(core, op, dst, src, tr_pack_burst(count, len, src_gap, dst_gap), 0);
}

/* Whole data blocks of `count` elements; tells when some are lost. */
template <class T>
TR_API uint64_t whole_blocks(TrCore* core, uint32_t count) {
  const uint64_t bytes = bytes_of<T>(checked_count(core, "DataCopy: element count", static_cast<int32_t>(count)));
  if (TR_UNLIKELY(bytes % 32 != 0)) tr_refuse(core, TR_REFUSE_ROUNDED_DOWN, "DataCopy", AscendC::element_bits<T>, bytes, bytes / 32 * 32);
  return bytes / 32;
}

/* A plain copy between GM and UB begins at a whole element in GM. */
template <class T>
TR_API void check_whole_elements(TrCore* core, uint64_t address) {
  constexpr uint64_t size = sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 ? sizeof(T) : 1;
  if (TR_UNLIKELY(address % size != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, "DataCopy: address in GM", 0, address, size);
}

TR_API void check_pad_blocks(TrCore* core, uint64_t count, uint64_t len) {
  tr_check_field(core, "DataCopyPad", TR_FIELD_BURST_COUNT, count, TR_MAX_ALIGN_IN_BURST_COUNT);
  tr_check_field(core, "DataCopyPad", TR_FIELD_BURST_LEN, len, TR_MAX_ALIGN_IN_BURST_LEN);
}

/* Whole elements; the engine finds it for the sizes that are its own. */
template <class T>
TR_API void check_wide_length(TrCore* core, uint64_t len) {
  if (sizeof(T) == 8 && TR_UNLIKELY(len % 8 != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, "DataCopyPad: blockLen", 0, len, 8);
}

/* Instructions of DataCopyPad by element size; 8-byte elements go as pairs of 4. */
template <class T>
constexpr uint32_t pad_in_op = sizeof(T) == 1   ? TR_OP_MOV_OUT_TO_UB_ALIGN_B8_V220
                               : sizeof(T) == 2 ? TR_OP_MOV_OUT_TO_UB_ALIGN_B16_V220
                                                : TR_OP_MOV_OUT_TO_UB_ALIGN_B32_V220;
template <class T>
constexpr uint32_t pad_out_op = sizeof(T) == 1   ? TR_OP_MOV_UB_TO_OUT_ALIGN_B8_V220
                                : sizeof(T) == 2 ? TR_OP_MOV_UB_TO_OUT_ALIGN_B16_V220
                                                 : TR_OP_MOV_UB_TO_OUT_ALIGN_B32_V220;

/* Elements of a pad must fit a data block. */
template <class T>
TR_API void pad_copy_in(TrCore* core, uint64_t dst, uint64_t src, uint64_t count, uint64_t len, uint64_t src_gap, uint64_t dst_gap, uint64_t left,
                        uint64_t right) {
  static_assert(sizeof(T) <= 8, "DataCopyPad: elements of 1, 2, 4 or 8 bytes");
  constexpr uint64_t unit = sizeof(T) == 8 ? 2 : 1;
  check_pad_blocks(core, count, len);
  check_wide_length<T>(core, len);
  tr_check_field(core, "DataCopyPad", TR_FIELD_SRC_GAP, src_gap, TR_MAX_ALIGN_IN_SRC_GAP);
  tr_check_field(core, "DataCopyPad", TR_FIELD_DST_GAP, dst_gap, TR_MAX_ALIGN_IN_DST_GAP);
  tr_check_field(core, "DataCopyPad", TR_FIELD_LEFT_PAD, left, 32 / sizeof(T));
  tr_check_field(core, "DataCopyPad", TR_FIELD_RIGHT_PAD, right, 32 / sizeof(T));
  tr_issue(core, pad_in_op<T>, dst, src, tr_pack_align_in(count, len, left * unit, right * unit), tr_pack_align_in_2(src_gap, dst_gap));
}
template <class T>
TR_API void pad_copy_out(TrCore* core, uint64_t dst, uint64_t src, uint64_t count, uint64_t len, uint64_t src_gap, uint64_t dst_gap) {
  static_assert(sizeof(T) <= 8, "DataCopyPad: elements of 1, 2, 4 or 8 bytes");
  check_pad_blocks(core, count, len);
  check_wide_length<T>(core, len);
  tr_check_field(core, "DataCopyPad", TR_FIELD_SRC_GAP, src_gap, TR_MAX_ALIGN_OUT_SRC_GAP);
  tr_check_field(core, "DataCopyPad", TR_FIELD_DST_GAP, dst_gap, TR_MAX_ALIGN_OUT_DST_GAP);
  tr_issue(core, pad_out_op<T>, dst, src, tr_pack_align_out(count, len), tr_pack_align_out_2(src_gap, dst_gap));
}
/* The padding value of a call is the register of SetPadValue: a call with isPad sets it. */
TR_API void set_pad_value(TrCore* core, uint64_t bits) { tr_issue(core, TR_OP_SET_MOV_PAD_VAL, bits); }

/* Copies between GM and UB belong to the vector core; on a cube core they do nothing, as in the public headers. A GM to L1 copy is refused. */
TR_API bool copies_ub(TrCore* core, uint8_t local_position, const char* api) {
  if (TR_UNLIKELY(!is_ub(local_position))) tr_refuse(core, TR_REFUSE_UNSUPPORTED, api);
  return has_vector(core);
}

/* Instruction of a burst copy from GM to the memory of `position`; TR_OP_COUNT: this core does nothing. */
TR_API uint32_t copy_in_op(TrCore* core, uint8_t position) {
  if (is_l1(position)) return fills_l1(core, "DataCopy to L1 on a vector core whose kernel has no Matmul registered") ? TR_OP_MOV_OUT_TO_L1_V220 : TR_OP_COUNT;
  return copies_ub(core, position, "DataCopy from GM to another buffer than UB and L1") ? TR_OP_MOV_OUT_TO_UB_V220 : TR_OP_COUNT;
}
/* The same for a copy to GM. */
TR_API uint32_t copy_out_op(TrCore* core, uint8_t position) {
  if (is_l1(position)) return has_cube(core) ? TR_OP_MOV_L1_TO_OUT_V220_CUBE : TR_OP_COUNT;
  return copies_ub(core, position, "DataCopy to GM from another buffer than UB and L1") ? TR_OP_MOV_UB_TO_OUT_V220 : TR_OP_COUNT;
}

/* Element offsets of the bursts of a slice: every index combination of the dimensions above the first. */
constexpr uint32_t MAX_SLICES = 256;
struct SliceWalk {
  uint32_t start;
  uint32_t count;
  uint32_t offsets[MAX_SLICES];
};
inline void walk_slice(TrCore* core, const AscendC::SliceInfo info[], const uint32_t shape[], uint32_t dims, SliceWalk& walk) {
  walk.start = info[0].startIndex;
  walk.count = 1;
  walk.offsets[0] = 0;
  uint32_t size = 1;
  for (uint32_t d = 1; d < dims; ++d) {
    size *= shape[d - 1];
    walk.start += size * info[d].startIndex;
    const uint32_t step = 1 + info[d].stride;
    const uint64_t steps = (static_cast<uint64_t>(info[d].endIndex) - info[d].startIndex + 1 + info[d].stride) / step;
    if (info[d].endIndex < info[d].startIndex || walk.count * steps > MAX_SLICES)
      tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "DataCopy with SliceInfo: number of bursts", 0, walk.count * steps, MAX_SLICES);
    const uint32_t before = walk.count;
    for (uint32_t s = 1; s < steps; ++s)
      for (uint32_t k = 0; k < before; ++k) walk.offsets[walk.count++] = walk.offsets[k] + s * step * size;
  }
}
/* Both walks of a slice copy, checked against each other. */
inline void walk_slices(TrCore* core, const AscendC::SliceInfo dst[], const AscendC::SliceInfo src[], const AscendC::ShapeInfo& dst_shape,
                        const AscendC::ShapeInfo& src_shape, uint32_t dims, SliceWalk& to, SliceWalk& from) {
  if (dims == 0 || dims > AscendC::K_MAX_DIM)
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "DataCopy with SliceInfo: dimValue", 0, dims, AscendC::K_MAX_DIM);
  uint32_t dst_sizes[AscendC::K_MAX_DIM], src_sizes[AscendC::K_MAX_DIM];
  for (uint32_t d = 0; d < dims; ++d) {
    dst_sizes[d] = src[0].shapeValue != 0 ? dst[d].shapeValue : dst_shape.shape[d];
    src_sizes[d] = src[0].shapeValue != 0 ? src[d].shapeValue : src_shape.shape[d];
  }
  walk_slice(core, dst, dst_sizes, dims, to);
  walk_slice(core, src, src_sizes, dims, from);
  if (to.count != from.count)
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "DataCopy with SliceInfo: bursts of dst and src differ", 0, to.count, from.count);
}
/* Bursts inside the first dimension. */
template <class T>
constexpr uint32_t slice_bursts(const AscendC::SliceInfo& first) {
  return (first.endIndex - first.startIndex + 1 + first.stride) / (first.burstLen * static_cast<uint32_t>(32 / sizeof(T)) + first.stride);
}

}  // namespace toprope

namespace AscendC {

/* ---- GM to UB ---------------------------------------------------------------------------------------------------------------- */

template <typename T>
TR_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count) {
  TrCore* core = ::toprope::this_core();
  const uint32_t op = ::toprope::copy_in_op(core, dst.position_);
  if (op == TR_OP_COUNT) return;
  if (op == TR_OP_MOV_OUT_TO_UB_V220) ::toprope::check_whole_elements<T>(core, src.address_);
  const uint64_t blocks = ::toprope::whole_blocks<T>(core, count);
  ::toprope::burst_copy(core, op, dst.address_, src.address_, 1, blocks, 0, 0);
}
template <typename T>
TR_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& p) {
  TrCore* core = ::toprope::this_core();
  const uint32_t op = ::toprope::copy_in_op(core, dst.position_);
  if (op == TR_OP_COUNT) return;
  if (op == TR_OP_MOV_OUT_TO_UB_V220) ::toprope::check_whole_elements<T>(core, src.address_);
  ::toprope::burst_copy(core, op, dst.address_, src.address_, p.blockCount.wide(), p.blockLen.wide(), p.srcGap.wide(),
                        p.dstGap.wide());
}

/* ---- UB to GM ---------------------------------------------------------------------------------------------------------------- */

template <typename T>
TR_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
  TrCore* core = ::toprope::this_core();
  const uint32_t op = ::toprope::copy_out_op(core, src.position_);
  if (op == TR_OP_COUNT) return;
  if (op == TR_OP_MOV_UB_TO_OUT_V220) ::toprope::check_whole_elements<T>(core, dst.address_);
  const uint64_t blocks = ::toprope::whole_blocks<T>(core, count);
  ::toprope::burst_copy(core, op, dst.address_, src.address_, 1, blocks, 0, 0);
}
template <typename T>
TR_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& p) {
  TrCore* core = ::toprope::this_core();
  const uint32_t op = ::toprope::copy_out_op(core, src.position_);
  if (op == TR_OP_COUNT) return;
  if (op == TR_OP_MOV_UB_TO_OUT_V220) ::toprope::check_whole_elements<T>(core, dst.address_);
  ::toprope::burst_copy(core, op, dst.address_, src.address_, p.blockCount.wide(), p.blockLen.wide(), p.srcGap.wide(),
                        p.dstGap.wide());
}

/* ---- inside UB ---------------------------------------------------------------------------------------------------------------- */

template <typename T>
TR_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& p) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::copy_from_l1(core, dst, src, p)) return;
  if (!::toprope::copies_ub(core, dst.position_, "DataCopy between local memories other than UB")) return;
  if (!::toprope::copies_ub(core, src.position_, "DataCopy between local memories other than UB")) return;
  ::toprope::burst_copy(core, TR_OP_MOV_UB_TO_UB_V220, dst.address_, src.address_, p.blockCount.wide(), p.blockLen.wide(), p.srcGap.wide(),
                        p.dstGap.wide());
}
template <typename T>
TR_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::copy_from_l1(core, dst, src, count)) return;
  if (!::toprope::copies_ub(core, dst.position_, "DataCopy between local memories other than UB")) return;
  if (!::toprope::copies_ub(core, src.position_, "DataCopy between local memories other than UB")) return;
  const uint64_t blocks = ::toprope::whole_blocks<T>(core, count);
  ::toprope::burst_copy(core, TR_OP_MOV_UB_TO_UB_V220, dst.address_, src.address_, 1, blocks, 0, 0);
}

/* ---- L1 to the bias table, half to float -------------------------------------------------------------------------------------- */

template <typename T, typename U, std::enable_if_t<!std::is_same<T, U>::value && ::toprope::is_data_type<T> && ::toprope::is_data_type<U>, int> = 0>
TR_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& p) {
  static_assert(std::is_same<T, float>::value && std::is_same<U, half>::value,
                "DataCopy between different types: only half in L1 to float in the bias table (C2) is supported on dav-2201");
  TrCore* core = ::toprope::this_core();
  if (TR_UNLIKELY(!::toprope::is_l1(src.position_) || ::toprope::memory_of(dst.position_) != Hardware::BIAS))
    tr_refuse(core, TR_REFUSE_UNSUPPORTED, "DataCopy from half to float between other memories than L1 and C2");
  ::toprope::copy_to_bias(core, dst.address_, src.address_, true, p.blockCount.wide(), p.blockLen.wide(), p.srcGap.wide(), p.dstGap.wide());
}

/* ---- DataCopyPad -------------------------------------------------------------------------------------------------------------- */

template <typename T>
TR_API void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& p, const DataCopyPadExtParams<T>& pad) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::copies_ub(core, dst.position_, "DataCopyPad from GM to another buffer than UB")) return;
  if (pad.isPad) {
    if (sizeof(T) == 8 && TR_UNLIKELY(::toprope::scalar_bits(pad.paddingValue) != 0))
      tr_refuse(core, TR_REFUSE_UNSUPPORTED, "DataCopyPad of a 64-bit type with a padding value other than 0");
    ::toprope::set_pad_value(core, ::toprope::scalar_bits(pad.paddingValue));
  }
  ::toprope::pad_copy_in<T>(core, dst.address_, src.address_, p.blockCount.wide(), p.blockLen.wide(), p.srcStride.wide(), p.dstStride.wide(),
                            pad.leftPadding.wide(), pad.rightPadding.wide());
}
template <typename T>
TR_API void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& p, const DataCopyPadParams& pad) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::copies_ub(core, dst.position_, "DataCopyPad from GM to another buffer than UB")) return;
  tr_check_field(core, "DataCopyPad", TR_FIELD_BURST_LEN, p.blockLen.wide(), 65535);
  if (pad.isPad) {
    if (sizeof(T) == 8 && TR_UNLIKELY(pad.paddingValue != 0))
      tr_refuse(core, TR_REFUSE_UNSUPPORTED, "DataCopyPad of a 64-bit type with a padding value other than 0");
    ::toprope::set_pad_value(core, pad.paddingValue);
  }
  ::toprope::pad_copy_in<T>(core, dst.address_, src.address_, p.blockCount.wide(), p.blockLen.wide(), p.srcGap.wide(), p.dstGap.wide(),
                            pad.leftPadding.wide(), pad.rightPadding.wide());
}
template <typename T>
TR_API void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& p) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::copies_ub(core, src.position_, "DataCopyPad to GM from another buffer than UB")) return;
  ::toprope::pad_copy_out<T>(core, dst.address_, src.address_, p.blockCount.wide(), p.blockLen.wide(), p.srcStride.wide(), p.dstStride.wide());
}
template <typename T>
TR_API void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& p) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::copies_ub(core, src.position_, "DataCopyPad to GM from another buffer than UB")) return;
  tr_check_field(core, "DataCopyPad", TR_FIELD_BURST_LEN, p.blockLen.wide(), 65535);
  ::toprope::pad_copy_out<T>(core, dst.address_, src.address_, p.blockCount.wide(), p.blockLen.wide(), p.srcGap.wide(), p.dstGap.wide());
}

/* ---- slices ------------------------------------------------------------------------------------------------------------------- */

template <typename T>
TR_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSliceInfo[], const SliceInfo srcSliceInfo[],
                     const uint32_t dimValue = 1) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::copies_ub(core, dst.position_, "DataCopy with SliceInfo to another buffer than UB")) return;
  ::toprope::SliceWalk to, from;
  ::toprope::walk_slices(core, dstSliceInfo, srcSliceInfo, dst.shapeInfo_, src.shapeInfo_, dimValue, to, from);
  const SliceInfo& first = srcSliceInfo[0];
  const uint64_t bursts = ::toprope::slice_bursts<T>(first), gap = first.stride * sizeof(T), dst_gap = dstSliceInfo[0].stride * sizeof(T) / 32;
  for (uint32_t i = 0; i < from.count; ++i) {
    const uint64_t d = dst.address_ + (to.start + static_cast<uint64_t>(to.offsets[i])) * sizeof(T);
    const uint64_t s = src.address_ + (from.start + static_cast<uint64_t>(from.offsets[i])) * sizeof(T);
    if (gap % 32 == 0)
      ::toprope::burst_copy(core, TR_OP_MOV_OUT_TO_UB_V220, d, s, bursts, first.burstLen, gap / 32, dst_gap);
    else
      ::toprope::pad_copy_in<T>(core, d, s, bursts, first.burstLen * 32ull, gap, dst_gap, 0, 0);
  }
}
template <typename T>
TR_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSliceInfo[], const SliceInfo srcSliceInfo[],
                     const uint32_t dimValue = 1) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::copies_ub(core, src.position_, "DataCopy with SliceInfo from another buffer than UB")) return;
  ::toprope::SliceWalk to, from;
  ::toprope::walk_slices(core, dstSliceInfo, srcSliceInfo, dst.shapeInfo_, src.shapeInfo_, dimValue, to, from);
  const SliceInfo& first = srcSliceInfo[0];
  const uint64_t bursts = ::toprope::slice_bursts<T>(first), gap = dstSliceInfo[0].stride * sizeof(T), src_gap = first.stride * sizeof(T) / 32;
  for (uint32_t i = 0; i < from.count; ++i) {
    const uint64_t d = dst.address_ + (to.start + static_cast<uint64_t>(to.offsets[i])) * sizeof(T);
    const uint64_t s = src.address_ + (from.start + static_cast<uint64_t>(from.offsets[i])) * sizeof(T);
    if (gap % 32 == 0)
      ::toprope::burst_copy(core, TR_OP_MOV_UB_TO_OUT_V220, d, s, bursts, first.burstLen, src_gap, gap / 32);
    else
      ::toprope::pad_copy_out<T>(core, d, s, bursts, first.burstLen * 32ull, src_gap, gap);
  }
}

}  // namespace AscendC

#endif
