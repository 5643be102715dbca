/* Compound arithmetic: Axpy, MulAddDst, FusedMulAdd, FusedMulAddRelu (MulAddRelu), AddRelu, SubRelu, AddReluCast, SubReluCast, MulCast,
 * CastDequant (CastDeq) with SetDeqScale, AddDeqRelu; and the names that dav-2201 lacks.
 *
 * Forms as in vec_binary.h: mask bits + repeats, mask length + repeats, first n elements. APIs with two types count the elements of a repeat by
 * the wider one. Where a stage of the chip is written down in public, the instruction keeps it (see docs/semantics.md). */
#ifndef TOPROPE_ASCENDC_COMPOUND_H
#define TOPROPE_ASCENDC_COMPOUND_H

#include <toprope/ascendc/cast.h>
#include <toprope/ascendc/duplicate.h>
#include <toprope/ascendc/refuse.h>
#include <toprope/ascendc/vec_binary.h>

namespace toprope {

/* An entry of a list of type pairs: destination, source, instruction. */
template <class T, class U, uint32_t Op>
struct pair {
  template <class A, class B>
  static constexpr bool is = std::is_same<T, A>::value && std::is_same<U, B>::value;
  static constexpr uint32_t op = Op;
};
template <class T, class U, class... Entries>
constexpr uint32_t op_for_pair() {
  uint32_t found = TR_OP_COUNT;
  ((found = Entries::template is<T, U> ? Entries::op : found), ...);
  return found;
}

using AscendC::int4b_t;
#define TR_MULTIPLY_ADD_PAIRS "half from half, float from float, float from half"
#define TR_OP Axpy
#define TR_OP_TEXT "Axpy"
#define TR_SUPPORTED TR_MULTIPLY_ADD_PAIRS
#define TR_ENTRIES pair<half, half, TR_OP_VAXPY_F16>, pair<float, float, TR_OP_VAXPY_F32>, pair<float, half, TR_OP_VAXPY_F162F32>
#include <toprope/ascendc/pair_op.inc>
#define TR_OP MulAddDst
#define TR_OP_TEXT "MulAddDst"
#define TR_SUPPORTED TR_MULTIPLY_ADD_PAIRS
#define TR_ENTRIES pair<half, half, TR_OP_VMLA_F16>, pair<float, float, TR_OP_VMLA_F32>, pair<float, half, TR_OP_VMLA_F162F32>
#include <toprope/ascendc/pair_op.inc>
#define TR_RELU_CAST_PAIRS "half from float, int8_t from half, int8_t from int16_t"
#define TR_OP AddReluCast
#define TR_OP_TEXT "AddReluCast"
#define TR_SUPPORTED TR_RELU_CAST_PAIRS
#define TR_ENTRIES pair<half, float, TR_OP_VADDRELUCONV_F322F16>, pair<int8_t, half, TR_OP_VADDRELUCONV_F162S8>, \
                   pair<int8_t, int16_t, TR_OP_VADDRELUCONV_S162S8>
#include <toprope/ascendc/pair_op.inc>
#define TR_OP SubReluCast
#define TR_OP_TEXT "SubReluCast"
#define TR_SUPPORTED TR_RELU_CAST_PAIRS
#define TR_ENTRIES pair<half, float, TR_OP_VSUBRELUCONV_F322F16>, pair<int8_t, half, TR_OP_VSUBRELUCONV_F162S8>, \
                   pair<int8_t, int16_t, TR_OP_VSUBRELUCONV_S162S8>
#include <toprope/ascendc/pair_op.inc>
#define TR_OP MulCast
#define TR_OP_TEXT "MulCast"
#define TR_SUPPORTED "int8_t from half, uint8_t from half"
#define TR_ENTRIES pair<int8_t, half, TR_OP_VMULCONV_F162S8>, pair<uint8_t, half, TR_OP_VMULCONV_F162U8>
#include <toprope/ascendc/pair_op.inc>

/* Instructions of CastDequant by destination type: register or table, low or high half. */
#define TR_DEQUANT_ENTRIES(how, half_) pair<int8_t, int16_t, TR_OP_VCONV_##how##_S162S8##half_>, pair<uint8_t, int16_t, TR_OP_VCONV_##how##_S162U8##half_>
#define TR_DEQUANT_PAIRS "half from int32_t, int8_t from int16_t, uint8_t from int16_t"
#define TR_OP CastDequant_deq_low
#define TR_OP_TEXT "CastDequant"
#define TR_SUPPORTED TR_DEQUANT_PAIRS
#define TR_ENTRIES TR_DEQUANT_ENTRIES(DEQ, L)
#include <toprope/ascendc/pair_op.inc>
#define TR_OP CastDequant_deq_high
#define TR_OP_TEXT "CastDequant"
#define TR_SUPPORTED TR_DEQUANT_PAIRS
#define TR_ENTRIES TR_DEQUANT_ENTRIES(DEQ, H)
#include <toprope/ascendc/pair_op.inc>
#define TR_OP CastDequant_vdeq_low
#define TR_OP_TEXT "CastDequant"
#define TR_SUPPORTED TR_DEQUANT_PAIRS
#define TR_ENTRIES TR_DEQUANT_ENTRIES(VDEQ, L)
#include <toprope/ascendc/pair_op.inc>
#define TR_OP CastDequant_vdeq_high
#define TR_OP_TEXT "CastDequant"
#define TR_SUPPORTED TR_DEQUANT_PAIRS
#define TR_ENTRIES TR_DEQUANT_ENTRIES(VDEQ, H)
#include <toprope/ascendc/pair_op.inc>
#undef TR_DEQUANT_ENTRIES

#define TR_OP FusedMulAdd
#define TR_OP_TEXT "FusedMulAdd"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VMADD_F16>, entry<float, TR_OP_VMADD_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP FusedMulAddRelu
#define TR_OP_TEXT "FusedMulAddRelu"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VMADDRELU_F16>, entry<float, TR_OP_VMADDRELU_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP MulAddRelu
#define TR_OP_TEXT "MulAddRelu"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VMADDRELU_F16>, entry<float, TR_OP_VMADDRELU_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP AddRelu
#define TR_OP_TEXT "AddRelu"
#define TR_SUPPORTED "half, float, int16_t"
#define TR_ENTRIES entry<half, TR_OP_VADDRELU_F16>, entry<float, TR_OP_VADDRELU_F32>, entry<int16_t, TR_OP_VADDRELU_S16>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP SubRelu
#define TR_OP_TEXT "SubRelu"
#define TR_SUPPORTED "half, float, int16_t"
#define TR_ENTRIES entry<half, TR_OP_VSUBRELU_F16>, entry<float, TR_OP_VSUBRELU_F32>, entry<int16_t, TR_OP_VSUBRELU_S16>
#include <toprope/ascendc/dtype_op.inc>

/* The three forms of an API with a destination of type T and two sources of type U. */
template <class Op, bool isSetMask, class T, class U>
TR_API void pair_bits(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& src0, const AscendC::LocalTensor<U>& src1,
                      const uint64_t* mask, U8 repeatTime, const AscendC::BinaryRepeatParams& params) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = binary_config(core, Op::name(), repeatTime, params);
  if constexpr (isSetMask) set_mask(core, mask[1], mask[0]);
  tr_issue(core, Op::template code<T, U>(), dst.address_, src0.address_, src1.address_, config);
}
template <class Op, bool isSetMask, class T, class U>
TR_API void pair_length(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& src0, const AscendC::LocalTensor<U>& src1,
                        uint64_t mask, U8 repeatTime, const AscendC::BinaryRepeatParams& params) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = binary_config(core, Op::name(), repeatTime, params);
  if constexpr (isSetMask) set_mask_length<wider<T, U>>(core, Op::name(), static_cast<int64_t>(mask));
  tr_issue(core, Op::template code<T, U>(), dst.address_, src0.address_, src1.address_, config);
}
template <class Op, class T, class U>
TR_API void pair_count(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& src0, const AscendC::LocalTensor<U>& src1,
                       int64_t count) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  constexpr uint64_t dst_repeat = cast_repeat_stride<T, U>, src_repeat = cast_repeat_stride<U, T>;
  constexpr uint64_t config = 1ull | 1ull << 8 | 1ull << 16 | dst_repeat << 24 | src_repeat << 32 | src_repeat << 40 | 1ull << 56;
  begin_count(core, checked_count(core, Op::count(), count));
  tr_issue(core, Op::template code<T, U>(), dst.address_, src0.address_, src1.address_, config);
  end_count(core);
}

/* Parameters of one dequantisation as the register and the table hold them. Only 9 bits of the offset exist. */
TR_API uint64_t deq_word(TrCore* core, float scale, int16_t offset, bool signMode) {
  if (TR_UNLIKELY(offset < -256 || offset > 255))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SetDeqScale: offset (9 bits, -256 to 255)", 0, static_cast<uint64_t>(static_cast<int64_t>(offset)), 255);
  return scalar_bits(scale) | (static_cast<uint64_t>(offset) & 0x1ff) << 37 | static_cast<uint64_t>(signMode) << 46;
}

/* The instruction of a dequantisation to 8 bits. */
template <class T, class U, bool isVecDeq, bool halfBlock>
constexpr uint32_t dequant_op() {
  if constexpr (isVecDeq)
    return halfBlock ? CastDequant_vdeq_high_op::code<T, U>() : CastDequant_vdeq_low_op::code<T, U>();
  else
    return halfBlock ? CastDequant_deq_high_op::code<T, U>() : CastDequant_deq_low_op::code<T, U>();
}
template <class T, class U>
constexpr bool dequant_to_half = std::is_same<T, half>::value && std::is_same<U, int32_t>::value;

/* One step of AddDeqRelu on up to 2048 sums: the public sequence. The float sums take the place of the first source, the half results that of
 * the second, as there. `halves`: blocks from one repeat of half results
 * to the next, 4 under a mask of 32-bit elements, 8 in counter mode. */
TR_API void add_deq_relu_step(const AscendC::LocalTensor<half>& dst, const AscendC::LocalTensor<int32_t>& src0,
                              const AscendC::LocalTensor<int32_t>& src1, const AscendC::LocalTensor<int32_t>& sum, float scale, U8 repeat,
                              const AscendC::BinaryRepeatParams& p, uint64_t halves) {
  using namespace AscendC;
  const BinaryRepeatParams add(1, p.src0BlkStride, p.src1BlkStride, 8, p.src0RepStride, p.src1RepStride);
  const LocalTensor<float> scaled = src0.ReinterpretCast<float>();
  const LocalTensor<half> narrow = src1.ReinterpretCast<half>();
  const UnaryRepeatParams same;
  Add<int32_t, false>(sum, src0, src1, MASK_PLACEHOLDER, repeat, add);
  PipeBarrier<PIPE_V>();
  Cast<float, int32_t, false>(scaled, sum, RoundMode::CAST_NONE, MASK_PLACEHOLDER, repeat, same);
  PipeBarrier<PIPE_V>();
  const float factors[] = {1.0f / 131072, scale, 131072.0f};
  for (float factor : factors) {
    Muls<float, false>(scaled, scaled, factor, MASK_PLACEHOLDER, repeat, same);
    PipeBarrier<PIPE_V>();
  }
  Cast<half, float, false>(narrow, scaled, RoundMode::CAST_NONE, MASK_PLACEHOLDER, repeat, UnaryRepeatParams(1, 1, 4, 8));
  PipeBarrier<PIPE_V>();
  Maxs<half, false>(dst, narrow, half(0), MASK_PLACEHOLDER, repeat, UnaryRepeatParams(p.dstBlkStride.wide(), 1, p.dstRepStride.wide(), halves));
  PipeBarrier<PIPE_V>();
}

/* The reserved 8 KiB of UB, and how many sums it holds. */
constexpr uint32_t RESERVED_SUMS = 2048;
TR_API AscendC::LocalTensor<int32_t> reserved_sums() {
  note_reserved_ub(this_core());
  return AscendC::LocalTensor<int32_t>(AscendC::TPosition::VECCALC, AscendC::TMP_UB_OFFSET, RESERVED_SUMS);
}
TR_API float deq_scale(TrCore* core) {
  half scale;
  scale.bits = static_cast<uint16_t>(core->read_spr(core, TR_SPR_DEQ_SCALE));
  return static_cast<float>(scale);
}
/* Repeats in pieces whose sums fit the reserved memory; the mask is set. */
TR_API void add_deq_relu_repeats(TrCore* core, const AscendC::LocalTensor<half>& dst, const AscendC::LocalTensor<int32_t>& src0,
                                 const AscendC::LocalTensor<int32_t>& src1, uint64_t repeats, const AscendC::BinaryRepeatParams& p) {
  const AscendC::LocalTensor<int32_t> sum = reserved_sums();
  const float scale = deq_scale(core);
  for (uint64_t done = 0; done < repeats; done += 32) {
    const uint64_t n = repeats - done < 32 ? repeats - done : 32;
    add_deq_relu_step(dst[done * p.dstRepStride * 16], src0[done * p.src0RepStride * 8], src1[done * p.src1RepStride * 8], sum, scale, n, p, 4);
  }
}

}  // namespace toprope

/* The three forms of an API with two types. */
#define TR_PAIR_FORMS(Api, Count)                                                                                                         \
  template <typename T, typename U, bool isSetMask = true>                                                                                \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const uint64_t mask[],               \
                  ::toprope::U8 repeatTime, const BinaryRepeatParams& repeatParams) {                                                     \
    ::toprope::pair_bits<::toprope::Api##_op, isSetMask, T, U>(dst, src0, src1, mask, repeatTime, repeatParams);                          \
  }                                                                                                                                       \
  template <typename T, typename U, bool isSetMask = true>                                                                                \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask,                       \
                  ::toprope::U8 repeatTime, const BinaryRepeatParams& repeatParams) {                                                     \
    ::toprope::pair_length<::toprope::Api##_op, isSetMask, T, U>(dst, src0, src1, mask, repeatTime, repeatParams);                        \
  }                                                                                                                                       \
  template <typename T, typename U>                                                                                                       \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, Count count) {                       \
    ::toprope::pair_count<::toprope::Api##_op, T, U>(dst, src0, src1, static_cast<int32_t>(count));                                       \
  }

namespace AscendC {

/* dst += src0 * src1; half sources may add to float. */
TR_PAIR_FORMS(MulAddDst, const int32_t&)
/* dst = max(src0 ± src1, 0), converted to the narrower type. */
TR_PAIR_FORMS(AddReluCast, const uint32_t)
TR_PAIR_FORMS(SubReluCast, const uint32_t)
/* dst = src0 * src1 as int8_t or uint8_t. */
TR_PAIR_FORMS(MulCast, uint32_t)
/* dst = src0 * dst + src1, with FusedMulAddRelu and MulAddRelu (its newer name) at least 0. */
TR_BINARY_MASK_FORMS(FusedMulAdd)
TR_BINARY_COUNT_FORM(FusedMulAdd)
TR_BINARY_MASK_FORMS(FusedMulAddRelu)
TR_BINARY_COUNT_FORM(FusedMulAddRelu)
TR_BINARY_MASK_FORMS(MulAddRelu)
TR_BINARY_COUNT_FORM(MulAddRelu)
/* dst = max(src0 ± src1, 0). */
TR_BINARY_MASK_FORMS(AddRelu)
TR_BINARY_COUNT_FORM(AddRelu)
TR_BINARY_MASK_FORMS(SubRelu)
TR_BINARY_COUNT_FORM(SubRelu)

/* dst += src * scalarValue; half may add to float. */
template <typename T, typename U, bool isSetMask = true>
TR_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const typename ::toprope::same<U>::type& scalarValue,
                 const uint64_t mask[], ::toprope::U8 repeatTime, const UnaryRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t config = ::toprope::unary_config(core, "Axpy", repeatTime, repeatParams);
  if constexpr (isSetMask) ::toprope::set_mask(core, mask[1], mask[0]);
  tr_issue(core, ::toprope::Axpy_op::code<T, U>(), dst.address_, src.address_, ::toprope::scalar_bits<U>(scalarValue), config);
}
template <typename T, typename U, bool isSetMask = true>
TR_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const typename ::toprope::same<U>::type& scalarValue, uint64_t mask,
                 ::toprope::U8 repeatTime, const UnaryRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t config = ::toprope::unary_config(core, "Axpy", repeatTime, repeatParams);
  if constexpr (isSetMask) ::toprope::set_mask_length<::toprope::wider<T, U>>(core, "Axpy", static_cast<int64_t>(mask));
  tr_issue(core, ::toprope::Axpy_op::code<T, U>(), dst.address_, src.address_, ::toprope::scalar_bits<U>(scalarValue), config);
}
template <typename T, typename U>
TR_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const typename ::toprope::same<U>::type& scalarValue,
                 const int32_t& count) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  ::toprope::begin_count(core, ::toprope::checked_count(core, "Axpy: element count", count));
  constexpr uint64_t config = ::toprope::contiguous_unary(::toprope::cast_repeat_stride<T, U>, ::toprope::cast_repeat_stride<U, T>);
  tr_issue(core, ::toprope::Axpy_op::code<T, U>(), dst.address_, src.address_, ::toprope::scalar_bits<U>(scalarValue), config);
  ::toprope::end_count(core);
}

/* Sixteen sets of parameters for CastDequant with isVecDeq: one per element of a block. */
constexpr int32_t VDEQ_TENSOR_SIZE = 16;
struct VdeqInfo {
  VdeqInfo() {}
  VdeqInfo(const float vdeqScaleIn[VDEQ_TENSOR_SIZE], const int16_t vdeqOffsetIn[VDEQ_TENSOR_SIZE],
           const bool vdeqSignModeIn[VDEQ_TENSOR_SIZE]) {
    for (int32_t i = 0; i < VDEQ_TENSOR_SIZE; ++i) {
      vdeqScale[i] = vdeqScaleIn[i];
      vdeqOffset[i] = vdeqOffsetIn[i];
      vdeqSignMode[i] = vdeqSignModeIn[i];
    }
  }

  float vdeqScale[VDEQ_TENSOR_SIZE] = {};
  int16_t vdeqOffset[VDEQ_TENSOR_SIZE] = {};
  bool vdeqSignMode[VDEQ_TENSOR_SIZE] = {};
};

/* Scale of int32_t to half (Cast, CastDequant, AddDeqRelu). */
TR_API void SetDeqScale(half scale) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_vector(core)) tr_issue(core, TR_OP_SET_DEQSCALE, scale.bits);
}
/* Scale, offset and sign of int16_t to 8 bits with one set of parameters. */
TR_API void SetDeqScale(float scale, int16_t offset, bool signMode) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_vector(core)) tr_issue(core, TR_OP_SET_DEQSCALE, ::toprope::deq_word(core, scale, offset, signMode));
}
/* Writes the sixteen sets to `vdeq` (128 bytes of UB, by the scalar unit) and names it. */
template <typename T>
TR_API void SetDeqScale(const LocalTensor<T>& vdeq, const VdeqInfo& vdeqInfo) {
  static_assert(std::is_same<T, uint64_t>::value, "SetDeqScale: the parameter tensor has type uint64_t");
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t offset = ::toprope::space_offset(vdeq.address_);
  if (TR_UNLIKELY(offset % ONE_BLK_SIZE != 0))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SetDeqScale: vdeq must start at a multiple of 32 bytes; bytes past one", 0, offset % ONE_BLK_SIZE, 0);
  for (int32_t i = 0; i < VDEQ_TENSOR_SIZE; ++i)
    vdeq.SetValue(i, ::toprope::deq_word(core, vdeqInfo.vdeqScale[i], vdeqInfo.vdeqOffset[i], vdeqInfo.vdeqSignMode[i]));
  tr_issue(core, TR_OP_SET_DEQSCALE, offset / ONE_BLK_SIZE);
}

/* Dequantisation with the parameters of SetDeqScale: int32_t to half; int16_t to 8 bits, where 16 elements of a source block go to the low or
 * (halfBlock) high half of a destination block. CastDeq is the older name. */
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
TR_API void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[], ::toprope::U8 repeatTime,
                        const UnaryRepeatParams& repeatParams) {
  if constexpr (::toprope::dequant_to_half<T, U>) {
    Cast<T, U, isSetMask>(dst, src, RoundMode::CAST_RINT, mask, repeatTime, repeatParams);
  } else {
    TrCore* core = ::toprope::this_core();
    if (!::toprope::has_vector(core)) return;
    const uint64_t config = ::toprope::unary_config(core, "CastDequant", repeatTime, repeatParams);
    if constexpr (isSetMask) ::toprope::set_mask(core, mask[1], mask[0]);
    tr_issue(core, ::toprope::dequant_op<T, U, isVecDeq, halfBlock>(), dst.address_, src.address_, config);
  }
}
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
TR_API void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask, ::toprope::U8 repeatTime,
                        const UnaryRepeatParams& repeatParams) {
  if constexpr (::toprope::dequant_to_half<T, U>) {
    Cast<T, U, isSetMask>(dst, src, RoundMode::CAST_RINT, static_cast<uint64_t>(mask), repeatTime, repeatParams);
  } else {
    TrCore* core = ::toprope::this_core();
    if (!::toprope::has_vector(core)) return;
    const uint64_t config = ::toprope::unary_config(core, "CastDequant", repeatTime, repeatParams);
    if constexpr (isSetMask) ::toprope::set_mask_length<U>(core, "CastDequant", mask);
    tr_issue(core, ::toprope::dequant_op<T, U, isVecDeq, halfBlock>(), dst.address_, src.address_, config);
  }
}
template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>
TR_API void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
  if constexpr (::toprope::dequant_to_half<T, U>) {
    Cast<T, U>(dst, src, RoundMode::CAST_RINT, count);
  } else {
    TrCore* core = ::toprope::this_core();
    if (!::toprope::has_vector(core)) return;
    ::toprope::begin_count(core, ::toprope::checked_count(core, "CastDequant: element count", static_cast<int32_t>(count)));
    tr_issue(core, ::toprope::dequant_op<T, U, isVecDeq, halfBlock>(), dst.address_, src.address_, ::toprope::contiguous_unary(8, 8));
    ::toprope::end_count(core);
  }
}
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
TR_API void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[], ::toprope::U8 repeatTime,
                    const UnaryRepeatParams& repeatParams) {
  CastDequant<T, U, isSetMask, isVecDeq, halfBlock>(dst, src, mask, repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
TR_API void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask, ::toprope::U8 repeatTime,
                    const UnaryRepeatParams& repeatParams) {
  CastDequant<T, U, isSetMask, isVecDeq, halfBlock>(dst, src, mask, repeatTime, repeatParams);
}
template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>
TR_API void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
  CastDequant<T, U, isVecDeq, halfBlock>(dst, src, count);
}

/* dst = max(half((src0 + src1) * scale), 0), with the scale of SetDeqScale(half). Software: sums in the reserved 8 KiB of UB; both sources are
 * overwritten. */
template <bool isSetMask = true>
TR_API void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1, const uint64_t mask[],
                       ::toprope::U8 repeatTime, const BinaryRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  (void)::toprope::binary_config(core, "AddDeqRelu", repeatTime, repeatParams);
  if constexpr (isSetMask) ::toprope::set_mask(core, mask[1], mask[0]);
  ::toprope::add_deq_relu_repeats(core, dst, src0, src1, repeatTime, repeatParams);
}
template <bool isSetMask = true>
TR_API void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1, uint64_t mask,
                       ::toprope::U8 repeatTime, const BinaryRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  (void)::toprope::binary_config(core, "AddDeqRelu", repeatTime, repeatParams);
  if constexpr (isSetMask) ::toprope::set_mask_length<int32_t>(core, "AddDeqRelu", static_cast<int64_t>(mask));
  ::toprope::add_deq_relu_repeats(core, dst, src0, src1, repeatTime, repeatParams);
}
TR_API void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1, const int32_t& count) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint32_t total = static_cast<uint32_t>(::toprope::checked_count(core, "AddDeqRelu: element count", count));
  const LocalTensor<int32_t> sum = ::toprope::reserved_sums();
  const float scale = ::toprope::deq_scale(core);
  const BinaryRepeatParams strides(1, 1, 1, 8, 8, 8);
  for (uint32_t at = 0; at < total; at += ::toprope::RESERVED_SUMS) {
    const uint32_t n = total - at < ::toprope::RESERVED_SUMS ? total - at : ::toprope::RESERVED_SUMS;
    ::toprope::begin_count(core, n);
    ::toprope::add_deq_relu_step(dst[at], src0[at], src1[at], sum, scale, 1, strides, 8);
    ::toprope::end_count(core);
  }
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
TR_API void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const Mask& mask,
                       ::toprope::U8 repeatTime, const BinaryRepeatParams& repeatParams) {
  static_assert(::toprope::dequant_to_half<T, U>, "AddDeqRelu: only int32_t to half is supported on dav-2201");
  AddDeqRelu<isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}

/* Names of the basic API that dav-2201 has no instruction for. */
TR_ABSENT(AbsSub, "use Sub and Abs")
TR_ABSENT(ExpSub, "use Sub and Exp")
TR_ABSENT(MulsCast, "use Muls and Cast")
TR_ABSENT(FusedAbsSub, "use Sub and Abs")
TR_ABSENT(FusedExpSub, "use Sub and Exp")
TR_ABSENT(FusedMulsCast, "use Muls and Cast")
TR_ABSENT(Neg, "use Muls with -1")
TR_ABSENT(Prelu, "use LeakyRelu for one slope, else Maxs, Mins, Mul and Add")
TR_ABSENT(Mull, "split the operands")
TR_ABSENT(Interleave, "use Gather or TransDataTo5HD")
TR_ABSENT(DeInterleave, "use GatherMask")
TR_ABSENT(Truncate, "use Cast from float to float")

}  // namespace AscendC

#undef TR_PAIR_FORMS
#undef TR_MULTIPLY_ADD_PAIRS
#undef TR_RELU_CAST_PAIRS
#undef TR_DEQUANT_PAIRS

#endif
