/* Compare, Compares (CompareScalar), compare to the mask register, SetCmpMask, GetCmpMask, Select.
 *
 * A compare writes one bit per element. On NpuArch 2201 it works on whole repeats: the mask parameters are there for other architectures and say
 * nothing, bits of all repeats follow each other. Select expands as the public headers do: modes 1 and 2 put the scalar, or the address of the bit
 * tensor, into the reserved 8 KiB of UB and from there into CMPMASK.
 */
#ifndef TOPROPE_ASCENDC_COMPARE_H
#define TOPROPE_ASCENDC_COMPARE_H

#include <toprope/ascendc/refuse.h>
#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/vec_unary.h>

namespace toprope {

#define TR_OP Compare
#define TR_OP_TEXT "Compare"
#define TR_SUPPORTED "half, float, int32_t (CMPMODE::EQ)"
#define TR_ENTRIES entry<half, TR_OP_VCMPV_EQ_F16>, entry<float, TR_OP_VCMPV_EQ_F32>, entry<int32_t, TR_OP_VCMPV_EQ_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Compares
#define TR_OP_TEXT "Compares"
#define TR_SUPPORTED "half, float, int32_t (CMPMODE::EQ)"
#define TR_ENTRIES entry<half, TR_OP_VCMPVS_EQ_F16>, entry<float, TR_OP_VCMPVS_EQ_F32>, entry<int32_t, TR_OP_VCMPVS_EQ_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP CompareRegister
#define TR_OP_TEXT "Compare to the mask register"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VCMP_EQ_F16>, entry<float, TR_OP_VCMP_EQ_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Select
#define TR_OP_TEXT "Select"
#define TR_SUPPORTED TR_FLOATS
#define TR_ENTRIES entry<half, TR_OP_VSEL_F16_1>, entry<float, TR_OP_VSEL_F32_1>
#include <toprope/ascendc/dtype_op.inc>

/* Instructions of the six modes in the order of CMPMODE; without floats only EQ. */
#define TR_MODES(NAME, T) {TR_OP_##NAME##_LT_##T, TR_OP_##NAME##_GT_##T, TR_OP_##NAME##_EQ_##T, TR_OP_##NAME##_LE_##T, TR_OP_##NAME##_GE_##T, TR_OP_##NAME##_NE_##T}
template <class Op, class T>
struct compare_modes {
  static constexpr uint32_t half_codes[3][6] = {TR_MODES(VCMPV, F16), TR_MODES(VCMPVS, F16), TR_MODES(VCMP, F16)};
  static constexpr uint32_t float_codes[3][6] = {TR_MODES(VCMPV, F32), TR_MODES(VCMPVS, F32), TR_MODES(VCMP, F32)};
  static constexpr int form = std::is_same<Op, Compare_op>::value ? 0 : std::is_same<Op, Compares_op>::value ? 1 : 2;

  TR_API static uint32_t code(TrCore* core, AscendC::CMPMODE mode) {
    constexpr uint32_t eq = Op::template code<T>();
    const uint32_t number = static_cast<uint32_t>(mode);
    if (TR_UNLIKELY(number > 5)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "Compare: cmpMode", 0, number, 5);
    if constexpr (std::is_same<T, half>::value) return half_codes[form][number];
    if constexpr (std::is_same<T, float>::value) return float_codes[form][number];
    if (TR_UNLIKELY(mode != AscendC::CMPMODE::EQ))
      tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "Compare of int32_t with another mode than CMPMODE::EQ");
    return eq;
  }
};
#undef TR_MODES

/* What the bits of a compare are stored in. */
template <class U>
constexpr bool bit_bytes = one_of<U, int8_t, uint8_t>;

/* Repeats of the count forms: whole ones only, and per instruction so many that the next one's bits are aligned. */
constexpr uint32_t COMPARE_REPEATS = 252;
template <class T>
TR_API uint64_t compare_repeats(TrCore* core, const char* api, uint64_t count) {
  const uint64_t bytes = count * sizeof(T);
  if (TR_UNLIKELY(bytes % 256 != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, api, 0, bytes, 256);
  return bytes / 256;
}

template <class T>
TR_API void compare_count(TrCore* core, uint64_t dst, uint64_t src0, uint64_t src1, AscendC::CMPMODE mode, uint64_t count) {
  const uint32_t op = compare_modes<Compare_op, T>::code(core, mode);
  uint64_t left = compare_repeats<T>(core, "Compare: bytes of count elements", count);
  while (left != 0) {
    const uint64_t n = left < COMPARE_REPEATS ? left : COMPARE_REPEATS;
    tr_issue(core, op, dst, src0, src1, tr_pack_vec_binary(1, 1, 1, 8, 8, 8, n));
    dst += n * 32 / sizeof(T);
    src0 += n * 256;
    src1 += n * 256;
    left -= n;
  }
}
template <class T>
TR_API void compares_count(TrCore* core, uint64_t dst, uint64_t src, T scalar, AscendC::CMPMODE mode, uint64_t count) {
  const uint32_t op = compare_modes<Compares_op, T>::code(core, mode);
  uint64_t left = compare_repeats<T>(core, "Compares: bytes of count elements", count);
  while (left != 0) {
    const uint64_t n = left < COMPARE_REPEATS ? left : COMPARE_REPEATS;
    tr_issue(core, op, dst, src, scalar_bits(scalar), tr_pack_vec_unary(1, 1, 8, 8, n));
    dst += n * 32 / sizeof(T);
    src += n * 256;
    left -= n;
  }
}
template <class T, class U>
TR_API void compare_repeated(const AscendC::LocalTensor<U>& dst, const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<T>& src1,
                             AscendC::CMPMODE mode, U8 repeatTime, const AscendC::BinaryRepeatParams& params) {
  static_assert(bit_bytes<U>, "Compare: the destination's type must be int8_t or uint8_t, one bit per element");
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint32_t op = compare_modes<Compare_op, T>::code(core, mode);
  tr_issue(core, op, dst.address_, src0.address_, src1.address_, binary_config(core, "Compare", repeatTime, params));
}
template <class T, class U>
TR_API void compares_repeated(const AscendC::LocalTensor<U>& dst, const AscendC::LocalTensor<T>& src, T scalar, AscendC::CMPMODE mode,
                              U8 repeatTime, const AscendC::UnaryRepeatParams& params) {
  static_assert(bit_bytes<U>, "Compares: the destination's type must be uint8_t, one bit per element");
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint32_t op = compare_modes<Compares_op, T>::code(core, mode);
  tr_issue(core, op, dst.address_, src.address_, scalar_bits(scalar), unary_config(core, "Compares", repeatTime, params));
}
/* One repeat to CMPMASK, with the mask as it is. */
template <class T>
TR_API void compare_register(TrCore* core, uint64_t src0, uint64_t src1, AscendC::CMPMODE mode, const AscendC::BinaryRepeatParams& params) {
  tr_issue(core, compare_modes<CompareRegister_op, T>::code(core, mode), src0, src1, binary_config(core, "Compare", 1, params));
}

/* ---- Select ---- */

template <class T, class U>
constexpr void select_types() {
  TR_REQUIRE((one_of<U, uint8_t, uint16_t, uint32_t, uint64_t>), "Select: selMask must be a tensor of uint8_t, uint16_t, uint32_t or uint64_t");
  (void)Select_op::template code<T>();
}

TR_API uint64_t select_config(TrCore* core, AscendC::SELMODE mode, U8 repeatTime, const AscendC::BinaryRepeatParams& p) {
  return binary_config(core, "Select", repeatTime, p) | tr_pack_vec_select(0, 0, 0, 0, 0, 0, static_cast<uint64_t>(mode), 0);
}

/* The reserved place in UB. */
TR_API uint64_t reserved_ub(TrCore* core) {
  note_reserved_ub(core);
  return local_address(core, AscendC::TPosition::VECCALC, AscendC::TMP_UB_OFFSET);
}

/* A data block of `bits` in the reserved place, then CMPMASK. The mask must select the first elements. */
template <class T>
TR_API void fill_cmpmask(TrCore* core, uint64_t bits) {
  const uint64_t place = reserved_ub(core);
  tr_issue(core, sizeof(T) == 2 ? TR_OP_MOVEV_F16 : TR_OP_MOVEV_U32, place, bits, tr_pack_vec_dup(1, 8, 1));
  tr_issue(core, TR_OP_BARRIER, PIPE_V);
  tr_issue(core, TR_OP_SET_CMPMASK, place);
  tr_issue(core, TR_OP_BARRIER, PIPE_V);
}

/* Modes 0 and 2: CMPMASK before the mask of the call is set. */
TR_API void prepare_tensors(TrCore* core, AscendC::SELMODE mode, uint64_t mask_tensor, bool counts) {
  using AscendC::SELMODE;
  if (TR_UNLIKELY(mode != SELMODE::VSEL_CMPMASK_SPR && mode != SELMODE::VSEL_TENSOR_TENSOR_MODE))
    tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "Select of two tensors with another mode than VSEL_CMPMASK_SPR or VSEL_TENSOR_TENSOR_MODE");
  if (mode == SELMODE::VSEL_CMPMASK_SPR) {
    tr_issue(core, TR_OP_SET_CMPMASK, mask_tensor);
    tr_issue(core, TR_OP_BARRIER, PIPE_V);
    return;
  }
  if (counts)
    set_mask(core, 0, 32);
  else
    set_mask(core, 0, mask_low(32));
  fill_cmpmask<uint32_t>(core, mask_tensor & 0xffffffffu);
}
/* Mode 1. */
template <class T>
TR_API void prepare_scalar(TrCore* core, AscendC::SELMODE mode, T scalar, bool counts) {
  if (TR_UNLIKELY(mode != AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE))
    tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "Select of a tensor and a scalar with another mode than VSEL_TENSOR_SCALAR_MODE");
  if (counts)
    set_mask(core, 0, 32);
  else
    set_mask(core, 0, mask_low(32));
  fill_cmpmask<T>(core, scalar_bits(scalar));
}

}  // namespace toprope

namespace AscendC {

/* dst gets the answers to `src0 cmpMode src1`, one bit per element, lowest bit first. */
template <typename T, typename U, bool isSetMask = true>
TR_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask[],
                    ::toprope::U8 repeatTime, const BinaryRepeatParams& repeatParams) {
  (void)mask;
  ::toprope::compare_repeated<T, U>(dst, src0, src1, cmpMode, repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
TR_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, uint64_t mask,
                    ::toprope::U8 repeatTime, const BinaryRepeatParams& repeatParams) {
  (void)mask;
  ::toprope::compare_repeated<T, U>(dst, src0, src1, cmpMode, repeatTime, repeatParams);
}
template <typename T, typename U>
TR_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, uint32_t count) {
  static_assert(::toprope::bit_bytes<U>, "Compare: the destination's type must be int8_t or uint8_t, one bit per element");
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_vector(core)) ::toprope::compare_count<T>(core, dst.address_, src0.address_, src1.address_, cmpMode, count);
}

/* One repeat; the answers go to the register CMPMASK, for Select and GetCmpMask. */
template <typename T, bool isSetMask = true>
TR_API void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask[],
                    const BinaryRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  if constexpr (isSetMask) ::toprope::set_mask(core, mask[1], mask[0]);
  ::toprope::compare_register<T>(core, src0.address_, src1.address_, cmpMode, repeatParams);
}
template <typename T, bool isSetMask = true>
TR_API void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, uint64_t mask,
                    const BinaryRepeatParams& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  if constexpr (isSetMask) ::toprope::set_mask_length<T>(core, "Compare", static_cast<int64_t>(mask));
  ::toprope::compare_register<T>(core, src0.address_, src1.address_, cmpMode, repeatParams);
}

/* CMPMASK from and to 16 bytes of UB. */
template <typename T>
TR_API void SetCmpMask(const LocalTensor<T>& src) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_vector(core)) tr_issue(core, TR_OP_SET_CMPMASK, src.address_);
}
template <typename T>
TR_API void GetCmpMask(const LocalTensor<T>& dst) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_vector(core)) tr_issue(core, TR_OP_GET_CMPMASK, dst.address_);
}

/* The same with a scalar on the right; CompareScalar is the old name. */
#define TR_COMPARES(Api)                                                                                                                \
  template <typename T, typename U, bool isSetMask = true>                                                                              \
  TR_API void Api(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const typename ::toprope::same<T>::type src1Scalar,            \
                  CMPMODE cmpMode, const uint64_t mask[], ::toprope::U8 repeatTime, const UnaryRepeatParams& repeatParams) {            \
    (void)mask;                                                                                                                         \
    ::toprope::compares_repeated<T, U>(dst, src0, src1Scalar, cmpMode, repeatTime, repeatParams);                                       \
  }                                                                                                                                     \
  template <typename T, typename U, bool isSetMask = true>                                                                              \
  TR_API void Api(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const typename ::toprope::same<T>::type src1Scalar,            \
                  CMPMODE cmpMode, uint64_t mask, ::toprope::U8 repeatTime, const UnaryRepeatParams& repeatParams) {                    \
    (void)mask;                                                                                                                         \
    ::toprope::compares_repeated<T, U>(dst, src0, src1Scalar, cmpMode, repeatTime, repeatParams);                                       \
  }                                                                                                                                     \
  template <typename T, typename U>                                                                                                     \
  TR_API void Api(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const typename ::toprope::same<T>::type src1Scalar,            \
                  CMPMODE cmpMode, uint32_t count) {                                                                                    \
    static_assert(::toprope::bit_bytes<U>, #Api ": the destination's type must be uint8_t, one bit per element");                       \
    TrCore* core = ::toprope::this_core();                                                                                              \
    if (::toprope::has_vector(core)) ::toprope::compares_count<T>(core, dst.address_, src0.address_, src1Scalar, cmpMode, count);       \
  }
TR_COMPARES(Compares)
TR_COMPARES(CompareScalar)
#undef TR_COMPARES

/* dst = a < b: the count form over the whole of a. */
template <typename T>
struct CompareExpression {
  const LocalTensor<T>& src0;
  const LocalTensor<T>& src1;
  CMPMODE mode;
  template <typename U>
  TR_API void Process(const LocalTensor<U>& dst) const {
    Compare(dst, src0, src1, mode, src0.GetSize());
  }
};
#define TR_EXPRESSION(op, Mode)                                                                                          \
  template <typename T>                                                                                                  \
  TR_API CompareExpression<T> operator op(const LocalTensor<T>& src0, const LocalTensor<T>& src1) {                      \
    return {src0, src1, CMPMODE::Mode};                                                                                  \
  }
TR_EXPRESSION(<, LT)
TR_EXPRESSION(>, GT)
TR_EXPRESSION(==, EQ)
TR_EXPRESSION(<=, LE)
TR_EXPRESSION(>=, GE)
TR_EXPRESSION(!=, NE)
#undef TR_EXPRESSION

/* dst gets src0 where a bit of selMask is set, else src1. Mode 0: the bits of one repeat serve all; modes 1 and 2: they are used up continuously. */
template <typename T, typename U>
TR_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                   SELMODE selMode, uint32_t count) {
  ::toprope::select_types<T, U>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  tr_issue(core, TR_OP_SBITSET1, TR_CTRL_MASK_COUNTER);
  ::toprope::prepare_tensors(core, selMode, selMask.address_, true);
  ::toprope::set_mask(core, 0, count);
  tr_issue(core, ::toprope::Select_op::code<T>(), dst.address_, src0.address_, src1.address_,
           ::toprope::select_config(core, selMode, 1, BinaryRepeatParams()));
  tr_issue(core, TR_OP_BARRIER, PIPE_V);
  ::toprope::end_count(core);
}
template <typename T, typename U>
TR_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                   typename ::toprope::same<T>::type src1, SELMODE selMode, uint32_t count) {
  ::toprope::select_types<T, U>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  tr_issue(core, TR_OP_SBITSET1, TR_CTRL_MASK_COUNTER);
  ::toprope::prepare_scalar<T>(core, selMode, src1, true);
  ::toprope::set_mask(core, 0, count);
  tr_issue(core, ::toprope::Select_op::code<T>(), dst.address_, src0.address_, selMask.address_,
           ::toprope::select_config(core, selMode, 1, BinaryRepeatParams()));
  ::toprope::end_count(core);
}

/* The repeat forms; `mask` says which elements of dst are written. */
#define TR_SELECT_TENSORS(MASK_PARAMETER, SET_MASK)                                                                                        \
  template <typename T, typename U, bool isSetMask = true>                                                                                \
  TR_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, const LocalTensor<T>& src1,     \
                     SELMODE selMode, MASK_PARAMETER, ::toprope::U8 repeatTime, const BinaryRepeatParams& repeatParams) {                  \
    ::toprope::select_types<T, U>();                                                                                    \
    TrCore* core = ::toprope::this_core();                                                                                                 \
    if (!::toprope::has_vector(core)) return;                                                                                              \
    ::toprope::prepare_tensors(core, selMode, selMask.address_, false);                                                                    \
    SET_MASK;                                                                                                                              \
    tr_issue(core, ::toprope::Select_op::code<T>(), dst.address_, src0.address_, src1.address_,                                            \
             ::toprope::select_config(core, selMode, repeatTime, repeatParams));                                                           \
  }                                                                                                                                        \
  template <typename T, typename U, bool isSetMask = true>                                                                                \
  TR_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,                                 \
                     typename ::toprope::same<T>::type src1, SELMODE selMode, MASK_PARAMETER, ::toprope::U8 repeatTime,                    \
                     const BinaryRepeatParams& repeatParams) {                                                                             \
    ::toprope::select_types<T, U>();                                                                                    \
    TrCore* core = ::toprope::this_core();                                                                                                 \
    if (!::toprope::has_vector(core)) return;                                                                                              \
    ::toprope::prepare_scalar<T>(core, selMode, src1, false);                                                                              \
    SET_MASK;                                                                                                                              \
    tr_issue(core, ::toprope::Select_op::code<T>(), dst.address_, src0.address_, selMask.address_,                                         \
             ::toprope::select_config(core, selMode, repeatTime, repeatParams));                                                           \
  }
TR_SELECT_TENSORS(const uint64_t mask[], ::toprope::set_mask(core, mask[1], mask[0]))
TR_SELECT_TENSORS(uint64_t mask, ::toprope::set_mask_length<T>(core, "Select", static_cast<int64_t>(mask)))
#undef TR_SELECT_TENSORS

/* Without a mask parameter: CMPMASK (SetCmpMask) and the vector mask (SetVectorMask) as they are. */
template <typename T, SELMODE selMode>
TR_API void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, ::toprope::U8 repeatTime,
                   const BinaryRepeatParams& repeatParams) {
  static_assert(selMode == SELMODE::VSEL_CMPMASK_SPR || selMode == SELMODE::VSEL_TENSOR_TENSOR_MODE,
                "Select: two tensors need VSEL_CMPMASK_SPR or VSEL_TENSOR_TENSOR_MODE");
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  tr_issue(core, ::toprope::Select_op::code<T>(), dst.address_, src0.address_, src1.address_,
           ::toprope::select_config(core, selMode, repeatTime, repeatParams));
}
template <typename T, typename U>
TR_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, ::toprope::U8 repeatTime,
                   const BinaryRepeatParams& repeatParams) {
  ::toprope::select_types<T, U>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_vector(core)) return;
  tr_issue(core, ::toprope::Select_op::code<T>(), dst.address_, src0.address_, selMask.address_,
           ::toprope::select_config(core, SELMODE::VSEL_TENSOR_SCALAR_MODE, repeatTime, repeatParams));
}

}  // namespace AscendC

#endif
