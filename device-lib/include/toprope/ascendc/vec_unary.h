/* Vector instructions with one source tensor: Abs Relu Exp Ln Sqrt Rsqrt Reciprocal Not; and with a scalar: Adds Muls Maxs Mins LeakyRelu
 * ShiftLeft ShiftRight. Forms as in vec_binary.h. */
#ifndef TOPROPE_ASCENDC_VEC_UNARY_H
#define TOPROPE_ASCENDC_VEC_UNARY_H

#include <toprope/ascendc/vec_binary.h>

namespace toprope {

TR_API uint64_t unary_config(TrCore* core, const char* api, U8 repeatTime, uint64_t dst_block, uint64_t src_block, uint64_t dst_repeat,
                             uint64_t src_repeat) {
  tr_check_field(core, api, TR_FIELD_REPEAT_TIMES, repeatTime.wide(), TR_MAX_VEC_UNARY_REPEAT_TIMES);
  tr_check_field(core, api, TR_FIELD_DST_BLOCK_STRIDE, dst_block, TR_MAX_VEC_UNARY_DST_BLOCK_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC0_BLOCK_STRIDE, src_block, TR_MAX_VEC_UNARY_SRC0_BLOCK_STRIDE);
  tr_check_field(core, api, TR_FIELD_DST_REPEAT_STRIDE, dst_repeat, TR_MAX_VEC_UNARY_DST_REPEAT_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC0_REPEAT_STRIDE, src_repeat, TR_MAX_VEC_UNARY_SRC0_REPEAT_STRIDE);
  return tr_pack_vec_unary(dst_block, src_block, dst_repeat, src_repeat, repeatTime.wide());
}
/* The public repeat strides are uint8_t: what does not fit there is refused although the hardware field is wider. */
TR_API uint64_t unary_config(TrCore* core, const char* api, U8 repeatTime, const AscendC::UnaryRepeatParams& p) {
  tr_check_field(core, api, TR_FIELD_DST_REPEAT_STRIDE, p.dstRepStride.wide(), 255);
  tr_check_field(core, api, TR_FIELD_SRC0_REPEAT_STRIDE, p.srcRepStride.wide(), 255);
  return unary_config(core, api, repeatTime, p.dstBlkStride.wide(), p.srcBlkStride.wide(), p.dstRepStride.wide(), p.srcRepStride.wide());
}

/* One repeat of contiguous operands; strides between repeats in data blocks. */
constexpr uint64_t contiguous_unary(uint64_t dst_repeat, uint64_t src_repeat) {
  return 1ull | 1ull << 16 | dst_repeat << 32 | src_repeat << 40 | 1ull << 56;
}

template <class Op, bool isSetMask, class T>
TR_API void unary_bits(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const uint64_t* mask, U8 repeatTime,
                       const AscendC::UnaryRepeatParams& params) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = unary_config(core, Op::name(), repeatTime, params);
  if constexpr (isSetMask) set_mask(core, mask[1], mask[0]);
  tr_issue(core, Op::template code<T>(), dst.address_, src.address_, config);
}
template <class Op, bool isSetMask, class T>
TR_API void unary_length(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, uint64_t mask, U8 repeatTime,
                         const AscendC::UnaryRepeatParams& params) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = unary_config(core, Op::name(), repeatTime, params);
  if constexpr (isSetMask) set_mask_length<T>(core, Op::name(), static_cast<int64_t>(mask));
  tr_issue(core, Op::template code<T>(), dst.address_, src.address_, config);
}
template <class Op, class T>
TR_API void unary_count(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, int64_t count) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  begin_count(core, checked_count(core, Op::count(), count));
  tr_issue(core, Op::template code<T>(), dst.address_, src.address_, contiguous_unary(8, 8));
  end_count(core);
}

template <class Op, bool isSetMask, class T>
TR_API void scalar_bits_form(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, T scalar, const uint64_t* mask,
                             U8 repeatTime, const AscendC::UnaryRepeatParams& params) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = unary_config(core, Op::name(), repeatTime, params);
  if constexpr (isSetMask) set_mask(core, mask[1], mask[0]);
  tr_issue(core, Op::template code<T>(), dst.address_, src.address_, scalar_bits(scalar), config);
}
template <class Op, bool isSetMask, class T>
TR_API void scalar_length_form(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, T scalar, uint64_t mask, U8 repeatTime,
                               const AscendC::UnaryRepeatParams& params) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = unary_config(core, Op::name(), repeatTime, params);
  if constexpr (isSetMask) set_mask_length<T>(core, Op::name(), static_cast<int64_t>(mask));
  tr_issue(core, Op::template code<T>(), dst.address_, src.address_, scalar_bits(scalar), config);
}
template <class Op, class T>
TR_API void scalar_count_form(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, T scalar, int64_t count) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  begin_count(core, checked_count(core, Op::count(), count));
  tr_issue(core, Op::template code<T>(), dst.address_, src.address_, scalar_bits(scalar), contiguous_unary(8, 8));
  end_count(core);
}

/* A shift of more bits than the type has is not defined by the hardware. */
template <class T>
TR_API void check_shift(const char* api, T scalar) {
  const int64_t shift = static_cast<int64_t>(scalar);
  constexpr int64_t limit = 8 * sizeof(T);
  if (TR_UNLIKELY(shift < 0 || shift > limit))
    tr_refuse(this_core(), TR_REFUSE_OUT_OF_RANGE, api, 0, static_cast<uint64_t>(shift), static_cast<uint64_t>(limit));
}

/* A function parameter that takes no part in the deduction of T. */
template <class T>
struct same {
  using type = T;
};

#define TR_FLOATS "half, float"
#define TR_INTS "int16_t, uint16_t, int32_t, uint32_t"
#define TR_OP Abs
#define TR_OP_TEXT "Abs"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VABS_F16>, entry<float, TR_OP_VABS_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Relu
#define TR_OP_TEXT "Relu"
#define TR_SUPPORTED "half, float, int32_t"
#define TR_ENTRIES entry<half, TR_OP_VRELU_F16>, entry<float, TR_OP_VRELU_F32>, entry<int32_t, TR_OP_VRELU_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Exp
#define TR_OP_TEXT "Exp"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VEXP_F16>, entry<float, TR_OP_VEXP_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Ln
#define TR_OP_TEXT "Ln"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VLN_F16>, entry<float, TR_OP_VLN_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Sqrt
#define TR_OP_TEXT "Sqrt"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VSQRT_F16>, entry<float, TR_OP_VSQRT_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Rsqrt
#define TR_OP_TEXT "Rsqrt"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VRSQRT_F16>, entry<float, TR_OP_VRSQRT_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Reciprocal
#define TR_OP_TEXT "Reciprocal"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VREC_F16>, entry<float, TR_OP_VREC_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Not
#define TR_OP_TEXT "Not"
#define TR_SUPPORTED "int16_t, uint16_t (count form: int32_t, uint32_t with twice the count)"
#define TR_ENTRIES entry<int16_t, TR_OP_VNOT_S16>, entry<uint16_t, TR_OP_VNOT_U16>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Adds
#define TR_OP_TEXT "Adds"
#define TR_SUPPORTED TR_ARITHMETIC
#define TR_ENTRIES entry<half, TR_OP_VADDS_F16>, entry<float, TR_OP_VADDS_F32>, entry<int16_t, TR_OP_VADDS_S16>, \
                   entry<int32_t, TR_OP_VADDS_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Muls
#define TR_OP_TEXT "Muls"
#define TR_SUPPORTED TR_ARITHMETIC
#define TR_ENTRIES entry<half, TR_OP_VMULS_F16>, entry<float, TR_OP_VMULS_F32>, entry<int16_t, TR_OP_VMULS_S16>, \
                   entry<int32_t, TR_OP_VMULS_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Maxs
#define TR_OP_TEXT "Maxs"
#define TR_SUPPORTED TR_ARITHMETIC
#define TR_ENTRIES entry<half, TR_OP_VMAXS_F16>, entry<float, TR_OP_VMAXS_F32>, entry<int16_t, TR_OP_VMAXS_S16>, \
                   entry<int32_t, TR_OP_VMAXS_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Mins
#define TR_OP_TEXT "Mins"
#define TR_SUPPORTED TR_ARITHMETIC
#define TR_ENTRIES entry<half, TR_OP_VMINS_F16>, entry<float, TR_OP_VMINS_F32>, entry<int16_t, TR_OP_VMINS_S16>, \
                   entry<int32_t, TR_OP_VMINS_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP LeakyRelu
#define TR_OP_TEXT "LeakyRelu"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VLRELU_F16>, entry<float, TR_OP_VLRELU_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP ShiftLeft
#define TR_OP_TEXT "ShiftLeft"
#define TR_SUPPORTED TR_INTS
#define TR_ENTRIES entry<int16_t, TR_OP_VSHL_S16>, entry<uint16_t, TR_OP_VSHL_U16>, entry<int32_t, TR_OP_VSHL_S32>, \
                   entry<uint32_t, TR_OP_VSHL_U32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP ShiftRight
#define TR_OP_TEXT "ShiftRight"
#define TR_SUPPORTED TR_INTS
#define TR_ENTRIES entry<int16_t, TR_OP_VSHR_S16>, entry<uint16_t, TR_OP_VSHR_U16>, entry<int32_t, TR_OP_VSHR_S32>, \
                   entry<uint32_t, TR_OP_VSHR_U32>
#include <toprope/ascendc/dtype_op.inc>
/* With rounding; unsigned types shift without it, as the API page says. */
#define TR_OP ShiftRightRound
#define TR_OP_TEXT "ShiftRight"
#define TR_SUPPORTED TR_INTS
#define TR_ENTRIES entry<int16_t, TR_OP_VSHR_S16_ROUND>, entry<uint16_t, TR_OP_VSHR_U16>, entry<int32_t, TR_OP_VSHR_S32_ROUND>, \
                   entry<uint32_t, TR_OP_VSHR_U32>
#include <toprope/ascendc/dtype_op.inc>
template <class T>
constexpr bool shifts_with_rounding = one_of<T, int16_t, int32_t>;

}  // namespace toprope

#define TR_UNARY_MASK_FORMS(Api)                                                                                                          \
  template <typename T, bool isSetMask = true>                                                                                           \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[], ::toprope::U8 repeatTime,                  \
                  const UnaryRepeatParams& repeatParams) {                                                                                \
    ::toprope::unary_bits<::toprope::Api##_op, isSetMask, T>(dst, src, mask, repeatTime, repeatParams);                                   \
  }                                                                                                                                       \
  template <typename T, bool isSetMask = true>                                                                                           \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, ::toprope::U8 repeatTime,                          \
                  const UnaryRepeatParams& repeatParams) {                                                                                \
    ::toprope::unary_length<::toprope::Api##_op, isSetMask, T>(dst, src, mask, repeatTime, repeatParams);                                 \
  }
#define TR_UNARY_FORMS(Api)                                                                                                               \
  TR_UNARY_MASK_FORMS(Api)                                                                                                                \
  template <typename T>                                                                                                                   \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {                                           \
    ::toprope::unary_count<::toprope::Api##_op, T>(dst, src, count);                                                                      \
  }

/* `CHECK(scalarValue)` runs before the instruction. */
#define TR_SCALAR_FORMS(Api, CHECK)                                                                                                       \
  template <typename T, bool isSetMask = true>                                                                                           \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const typename ::toprope::same<T>::type& scalarValue,             \
                  const uint64_t mask[], ::toprope::U8 repeatTime, const UnaryRepeatParams& repeatParams) {                               \
    CHECK(#Api, scalarValue);                                                                                                             \
    ::toprope::scalar_bits_form<::toprope::Api##_op, isSetMask, T>(dst, src, scalarValue, mask, repeatTime, repeatParams);                \
  }                                                                                                                                       \
  template <typename T, bool isSetMask = true>                                                                                           \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const typename ::toprope::same<T>::type& scalarValue,             \
                  uint64_t mask, ::toprope::U8 repeatTime, const UnaryRepeatParams& repeatParams) {                                       \
    CHECK(#Api, scalarValue);                                                                                                             \
    ::toprope::scalar_length_form<::toprope::Api##_op, isSetMask, T>(dst, src, scalarValue, mask, repeatTime, repeatParams);              \
  }                                                                                                                                       \
  template <typename T, bool isSetMask = true>                                                                                           \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const typename ::toprope::same<T>::type& scalarValue,             \
                  const int32_t& count) {                                                                                                 \
    CHECK(#Api, scalarValue);                                                                                                             \
    ::toprope::scalar_count_form<::toprope::Api##_op, T>(dst, src, scalarValue, count);                                                   \
  }
#define TR_ANY_SCALAR(api, scalar) (void)0
#define TR_SHIFT_SCALAR(api, scalar) ::toprope::check_shift(api ": scalarValue", scalar)

namespace AscendC {

TR_UNARY_FORMS(Abs)
TR_UNARY_FORMS(Relu)
TR_UNARY_FORMS(Exp)
TR_UNARY_FORMS(Ln)
TR_UNARY_FORMS(Sqrt)
TR_UNARY_FORMS(Rsqrt)
TR_UNARY_FORMS(Reciprocal)
TR_UNARY_MASK_FORMS(Not)

template <typename T>
TR_API void Not(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {
  using Unit = ::toprope::bit_unit<T>;
  ::toprope::unary_count<::toprope::Not_op, Unit>(dst.template ReinterpretCast<Unit>(), src.template ReinterpretCast<Unit>(), count);
}

TR_SCALAR_FORMS(Adds, TR_ANY_SCALAR)
TR_SCALAR_FORMS(Muls, TR_ANY_SCALAR)
TR_SCALAR_FORMS(Maxs, TR_ANY_SCALAR)
TR_SCALAR_FORMS(Mins, TR_ANY_SCALAR)
TR_SCALAR_FORMS(LeakyRelu, TR_ANY_SCALAR)
TR_SCALAR_FORMS(ShiftLeft, TR_SHIFT_SCALAR)
TR_SCALAR_FORMS(ShiftRight, TR_SHIFT_SCALAR)

/* ShiftRight with the rounding switch: on, the last bit that is shifted out is added; there is that for int16_t and int32_t only. */
template <typename T, bool isSetMask = true>
TR_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const typename ::toprope::same<T>::type& scalarValue,
                       const uint64_t mask[], ::toprope::U8 repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn) {
  TR_SHIFT_SCALAR("ShiftRight", scalarValue);
  if (roundEn && ::toprope::shifts_with_rounding<T>)
    ::toprope::scalar_bits_form<::toprope::ShiftRightRound_op, isSetMask, T>(dst, src, scalarValue, mask, repeatTime, repeatParams);
  else
    ::toprope::scalar_bits_form<::toprope::ShiftRight_op, isSetMask, T>(dst, src, scalarValue, mask, repeatTime, repeatParams);
}
template <typename T, bool isSetMask = true>
TR_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const typename ::toprope::same<T>::type& scalarValue,
                       uint64_t mask, ::toprope::U8 repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn) {
  TR_SHIFT_SCALAR("ShiftRight", scalarValue);
  if (roundEn && ::toprope::shifts_with_rounding<T>)
    ::toprope::scalar_length_form<::toprope::ShiftRightRound_op, isSetMask, T>(dst, src, scalarValue, mask, repeatTime, repeatParams);
  else
    ::toprope::scalar_length_form<::toprope::ShiftRight_op, isSetMask, T>(dst, src, scalarValue, mask, repeatTime, repeatParams);
}

}  // namespace AscendC

#undef TR_ANY_SCALAR
#undef TR_SHIFT_SCALAR

#endif
