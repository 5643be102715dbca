/* Cast: conversion of element types on the vector unit.
 *
 * Which pairs and rounding modes exist is a table (npu dav-2201). A pair that does not exist does not compile; a mode that a pair lacks is
 * refused at run time, because the mode is a run-time argument.
 */
#ifndef TOPROPE_ASCENDC_CAST_H
#define TOPROPE_ASCENDC_CAST_H

#include <toprope/ascendc/vec_unary.h>

namespace toprope {

/* Instructions of one pair, by RoundMode: NONE RINT FLOOR CEIL ROUND TRUNC ODD. TR_OP_COUNT: not there. */
struct CastRow {
  uint32_t by_mode[7];
};
template <class To, class From>
struct cast_row {
  static constexpr bool exists = false;
  static constexpr CastRow row = {};
};

#define TR_NO_MODE TR_OP_COUNT
#define TR_CAST(To, From, none, rint, floor, ceil, round, trunc, odd)                    \
  template <>                                                                            \
  struct cast_row<To, From> {                                                            \
    static constexpr bool exists = true;                                                 \
    static constexpr CastRow row = {{none, rint, floor, ceil, round, trunc, odd}};       \
  };
/* Only exact or clamping (CAST_NONE). */
#define TR_CAST_NONE(To, From, op) TR_CAST(To, From, op, TR_NO_MODE, TR_NO_MODE, TR_NO_MODE, TR_NO_MODE, TR_NO_MODE, TR_NO_MODE)
/* Five modes; `suffix` ends the intrinsic. */
#define TR_CAST_FIVE(To, From, stem, suffix) \
  TR_CAST(To, From, TR_NO_MODE, stem##R##suffix, stem##F##suffix, stem##C##suffix, stem##A##suffix, stem##Z##suffix, TR_NO_MODE)
/* Five modes, and CAST_NONE does what CAST_RINT does. */
#define TR_CAST_SIX(To, From, stem, suffix) \
  TR_CAST(To, From, stem##R##suffix, stem##R##suffix, stem##F##suffix, stem##C##suffix, stem##A##suffix, stem##Z##suffix, TR_NO_MODE)

using AscendC::int4b_t;
TR_CAST_NONE(half, int4b_t, TR_OP_VCONV_S42F16_V220)
TR_CAST_NONE(half, int8_t, TR_OP_VCONV_S82F16_V220)
TR_CAST_NONE(half, uint8_t, TR_OP_VCONV_U82F16_V220)
TR_CAST_SIX(int4b_t, half, TR_OP_VCONV_F162S4, _V220)
TR_CAST_SIX(int8_t, half, TR_OP_VCONV_F162S8, _V220)
TR_CAST_SIX(uint8_t, half, TR_OP_VCONV_F162U8, _V220)
TR_CAST_FIVE(int16_t, half, TR_OP_VCONV_F162S16, _V220)
TR_CAST_FIVE(int32_t, half, TR_OP_VCONV_F162S32, _V220)
TR_CAST_NONE(float, half, TR_OP_VCONV_F162F32_V220)
TR_CAST_FIVE(int32_t, bfloat16_t, TR_OP_VCONV_BF162S32, _V220)
TR_CAST_NONE(float, bfloat16_t, TR_OP_VCONV_BF162F32_V220)
TR_CAST_SIX(half, int16_t, TR_OP_VCONV_S162F16, _V220)
TR_CAST_NONE(float, int16_t, TR_OP_VCONV_S162F32_V220)
TR_CAST_NONE(int16_t, int32_t, TR_OP_VCONV_S322S16_V220)
TR_CAST_SIX(float, int32_t, TR_OP_VCONV_S322F32, _V220)
TR_CAST_NONE(int64_t, int32_t, TR_OP_VCONV_S322S64_1_V220)
TR_CAST_FIVE(int16_t, float, TR_OP_VCONV_F322S16, _V220)
TR_CAST_FIVE(int32_t, float, TR_OP_VCONV_F322S32, _V220)
TR_CAST_FIVE(float, float, TR_OP_VCONV_F322F32, _V220)
TR_CAST_FIVE(bfloat16_t, float, TR_OP_VCONV_F322BF16, _V220)
TR_CAST_FIVE(int64_t, float, TR_OP_VCONV_F322S64, _V220)
TR_CAST_NONE(int32_t, int64_t, TR_OP_VCONV_S642S32_1_V220)
TR_CAST_FIVE(float, int64_t, TR_OP_VCONV_S642F32, _1_V220)
TR_CAST(half, float, TR_OP_VCONV_F322F16R_V220, TR_OP_VCONV_F322F16R_V220, TR_OP_VCONV_F322F16F_V220, TR_OP_VCONV_F322F16C_V220,
        TR_OP_VCONV_F322F16A_V220, TR_OP_VCONV_F322F16Z_V220, TR_OP_VCONV_F322F16O_V220)
/* int32_t to half multiplies by the scale of SetDeqScale; the mode is ignored, as in the public headers. */
TR_CAST(half, int32_t, TR_OP_VCONV_DEQ_S322F16, TR_OP_VCONV_DEQ_S322F16, TR_OP_VCONV_DEQ_S322F16, TR_OP_VCONV_DEQ_S322F16,
        TR_OP_VCONV_DEQ_S322F16, TR_OP_VCONV_DEQ_S322F16, TR_OP_VCONV_DEQ_S322F16)
#undef TR_CAST_NONE
#undef TR_CAST_FIVE
#undef TR_CAST_SIX
#undef TR_CAST
#undef TR_NO_MODE

#define TR_OP Cast_source
#define TR_OP_TEXT "Cast (source)"
#define TR_SUPPORTED "int4b_t, int8_t, uint8_t, int16_t, half, bfloat16_t, int32_t, float, int64_t"
#define TR_ENTRIES entry<int4b_t, 0>, entry<int8_t, 0>, entry<uint8_t, 0>, entry<int16_t, 0>, entry<half, 0>, entry<bfloat16_t, 0>, \
                   entry<int32_t, 0>, entry<float, 0>, entry<int64_t, 0>
#include <toprope/ascendc/dtype_op.inc>

/* What a source type converts to, for messages. */
template <class To, class From>
constexpr bool cast_exists() {
  constexpr bool ok = cast_row<To, From>::exists;
#define TR_CAST_FROM(From_, targets) \
  static_assert(ok || !std::is_same<From, From_>::value, "Cast: from " #From_ " to this type is not supported on dav-2201; supported: " targets)
  TR_CAST_FROM(half, "int4b_t, int8_t, uint8_t, int16_t, int32_t, float");
  TR_CAST_FROM(float, "float, half, bfloat16_t, int16_t, int32_t, int64_t");
  TR_CAST_FROM(bfloat16_t, "float, int32_t");
  TR_CAST_FROM(int4b_t, "half");
  TR_CAST_FROM(int8_t, "half");
  TR_CAST_FROM(uint8_t, "half");
  TR_CAST_FROM(int16_t, "half, float");
  TR_CAST_FROM(int32_t, "float, half (SetDeqScale), int16_t, int64_t");
  TR_CAST_FROM(int64_t, "float, int32_t");
#undef TR_CAST_FROM
  (void)Cast_source_op::code<From>();
  return ok;
}

template <class To, class From>
TR_API uint32_t cast_op(TrCore* core, AscendC::RoundMode mode) {
  (void)cast_exists<To, From>();
  constexpr CastRow row = cast_row<To, From>::row;
  const uint32_t m = static_cast<uint32_t>(mode);
  const uint32_t op = m < 7 ? row.by_mode[m] : TR_OP_COUNT;
  if (TR_UNLIKELY(op == TR_OP_COUNT)) {
    constexpr const char* names[] = {"Cast: CAST_NONE with this pair of types",  "Cast: CAST_RINT with this pair of types",
                                     "Cast: CAST_FLOOR with this pair of types", "Cast: CAST_CEIL with this pair of types",
                                     "Cast: CAST_ROUND with this pair of types", "Cast: CAST_TRUNC with this pair of types",
                                     "Cast: CAST_ODD (only float to half has it)", "Cast: unknown rounding mode"};
    tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, names[m < 7 ? m : 7]);
  }
  return op;
}

/* Blocks from one repeat to the next in the count form: the wider type fills 8 blocks. */
template <class Self, class Other>
constexpr uint64_t cast_repeat_stride =
    AscendC::element_bits<Self> >= AscendC::element_bits<Other> ? 8 : 8 * AscendC::element_bits<Self> / AscendC::element_bits<Other>;

/* The type whose width decides how many elements a repeat has, for a mask length. As in the public headers: the wider one for length masks. */
template <class A, class B>
using wider = std::conditional_t<(AscendC::element_bits<A> >= AscendC::element_bits<B>), A, B>;

}  // namespace toprope

namespace AscendC {

template <typename T, typename U, bool isSetMask = true>
TR_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint64_t mask[],
                 ::toprope::U8 repeatTime, const UnaryRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t config = ::toprope::unary_config(core, "Cast", repeatTime, repeatParams);
  const uint32_t op = ::toprope::cast_op<T, U>(core, roundMode);
  if constexpr (isSetMask) ::toprope::set_mask(core, mask[1], mask[0]);
  tr_issue(core, op, dst.address_, src.address_, config);
}
template <typename T, typename U, bool isSetMask = true>
TR_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, uint64_t mask, ::toprope::U8 repeatTime,
                 const UnaryRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint64_t config = ::toprope::unary_config(core, "Cast", repeatTime, repeatParams);
  const uint32_t op = ::toprope::cast_op<T, U>(core, roundMode);
  if constexpr (isSetMask) ::toprope::set_mask_length<::toprope::wider<T, U>>(core, "Cast", static_cast<int64_t>(mask));
  tr_issue(core, op, dst.address_, src.address_, config);
}
template <typename T, typename U>
TR_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint32_t count) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  const uint32_t op = ::toprope::cast_op<T, U>(core, roundMode);
  ::toprope::begin_count(core, ::toprope::checked_count(core, "Cast: element count", static_cast<int32_t>(count)));
  constexpr uint64_t config = ::toprope::contiguous_unary(::toprope::cast_repeat_stride<T, U>, ::toprope::cast_repeat_stride<U, T>);
  tr_issue(core, op, dst.address_, src.address_, config);
  ::toprope::end_count(core);
}

}  // namespace AscendC

#endif
