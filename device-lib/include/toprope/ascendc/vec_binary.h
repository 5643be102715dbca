/* Vector instructions with two source tensors: Add Sub Mul Div Max Min And Or.
 *
 * Three forms each, as in the public API: mask bits + repeats, mask length + repeats, first n elements. Operands lie in UB; what the engine
 * finds wrong with addresses it reports itself.
 */
#ifndef TOPROPE_ASCENDC_VEC_BINARY_H
#define TOPROPE_ASCENDC_VEC_BINARY_H

#include <toprope/ascendc/mask.h>
#include <toprope/ascendc/params.h>
#include <toprope/ascendc/tensor.h>

namespace toprope {

TR_API uint64_t binary_config(TrCore* core, const char* api, U8 repeatTime, const AscendC::BinaryRepeatParams& p) {
  tr_check_field(core, api, TR_FIELD_REPEAT_TIMES, repeatTime.wide(), TR_MAX_VEC_BINARY_REPEAT_TIMES);
  tr_check_field(core, api, TR_FIELD_DST_BLOCK_STRIDE, p.dstBlkStride.wide(), TR_MAX_VEC_BINARY_DST_BLOCK_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC0_BLOCK_STRIDE, p.src0BlkStride.wide(), TR_MAX_VEC_BINARY_SRC0_BLOCK_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC1_BLOCK_STRIDE, p.src1BlkStride.wide(), TR_MAX_VEC_BINARY_SRC1_BLOCK_STRIDE);
  tr_check_field(core, api, TR_FIELD_DST_REPEAT_STRIDE, p.dstRepStride.wide(), TR_MAX_VEC_BINARY_DST_REPEAT_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC0_REPEAT_STRIDE, p.src0RepStride.wide(), TR_MAX_VEC_BINARY_SRC0_REPEAT_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC1_REPEAT_STRIDE, p.src1RepStride.wide(), TR_MAX_VEC_BINARY_SRC1_REPEAT_STRIDE);
  return tr_pack_vec_binary(p.dstBlkStride.wide(), p.src0BlkStride.wide(), p.src1BlkStride.wide(), p.dstRepStride.wide(),
                            p.src0RepStride.wide(), p.src1RepStride.wide(), repeatTime.wide());
}

constexpr uint64_t CONTIGUOUS_BINARY = 1ull | 1ull << 8 | 1ull << 16 | 8ull << 24 | 8ull << 32 | 8ull << 40 | 1ull << 56;

/* The three forms, for the API described by `Op` (name(), code<T>()). */
template <class Op, bool isSetMask, class T>
TR_API void binary_bits(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<T>& src1,
                        const uint64_t* mask, U8 repeatTime, const AscendC::BinaryRepeatParams& params) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = binary_config(core, Op::name(), repeatTime, params);
  if constexpr (isSetMask) set_mask(core, mask[1], mask[0]);
  tr_issue(core, Op::template code<T>(), dst.address_, src0.address_, src1.address_, config);
}
template <class Op, bool isSetMask, class T>
TR_API void binary_length(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<T>& src1,
                          uint64_t mask, U8 repeatTime, const AscendC::BinaryRepeatParams& params) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  const uint64_t config = binary_config(core, Op::name(), repeatTime, params);
  if constexpr (isSetMask) set_mask_length<T>(core, Op::name(), static_cast<int64_t>(mask));
  tr_issue(core, Op::template code<T>(), dst.address_, src0.address_, src1.address_, config);
}
template <class Op, class T>
TR_API void binary_count(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<T>& src1,
                         int64_t count) {
  TrCore* core = this_core();
  if (!has_vector(core)) return;
  begin_count(core, checked_count(core, Op::count(), count));
  tr_issue(core, Op::template code<T>(), dst.address_, src0.address_, src1.address_, CONTIGUOUS_BINARY);
  end_count(core);
}

/* In count form And, Or and Not take 32-bit tensors, too, but count 16-bit units: the caller passes twice the number of elements (so the
 * public API; its documentation tells to). */
template <class T>
using bit_unit = std::conditional_t<(one_of<T, int32_t, uint32_t>), uint16_t, T>;

}  // namespace toprope

#define TR_BINARY_MASK_FORMS(Api)                                                                                                       \
  template <typename T, bool isSetMask = true>                                                                                         \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const uint64_t mask[],             \
                  ::toprope::U8 repeatTime, const BinaryRepeatParams& repeatParams) {                                                   \
    ::toprope::binary_bits<::toprope::Api##_op, isSetMask, T>(dst, src0, src1, mask, repeatTime, repeatParams);                         \
  }                                                                                                                                     \
  template <typename T, bool isSetMask = true>                                                                                         \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,                     \
                  ::toprope::U8 repeatTime, const BinaryRepeatParams& repeatParams) {                                                   \
    ::toprope::binary_length<::toprope::Api##_op, isSetMask, T>(dst, src0, src1, mask, repeatTime, repeatParams);                       \
  }

#define TR_BINARY_COUNT_FORM(Api)                                                                                                       \
  template <typename T>                                                                                                                 \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) {            \
    ::toprope::binary_count<::toprope::Api##_op, T>(dst, src0, src1, count);                                                            \
  }

#define TR_BINARY_BIT_COUNT_FORM(Api)                                                                                                   \
  template <typename T>                                                                                                                 \
  TR_API void Api(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) {            \
    using Unit = ::toprope::bit_unit<T>;                                                                                                \
    ::toprope::binary_count<::toprope::Api##_op, Unit>(dst.template ReinterpretCast<Unit>(), src0.template ReinterpretCast<Unit>(),     \
                                                       src1.template ReinterpretCast<Unit>(), count);                                   \
  }

namespace toprope {
#define TR_ARITHMETIC "half, float, int16_t, int32_t"
#define TR_OP Add
#define TR_OP_TEXT "Add"
#define TR_SUPPORTED TR_ARITHMETIC
#define TR_ENTRIES entry<half, TR_OP_VADD_F16>, entry<float, TR_OP_VADD_F32>, entry<int16_t, TR_OP_VADD_S16>, \
                   entry<int32_t, TR_OP_VADD_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Sub
#define TR_OP_TEXT "Sub"
#define TR_SUPPORTED TR_ARITHMETIC
#define TR_ENTRIES entry<half, TR_OP_VSUB_F16>, entry<float, TR_OP_VSUB_F32>, entry<int16_t, TR_OP_VSUB_S16>, \
                   entry<int32_t, TR_OP_VSUB_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Mul
#define TR_OP_TEXT "Mul"
#define TR_SUPPORTED TR_ARITHMETIC
#define TR_ENTRIES entry<half, TR_OP_VMUL_F16>, entry<float, TR_OP_VMUL_F32>, entry<int16_t, TR_OP_VMUL_S16>, \
                   entry<int32_t, TR_OP_VMUL_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Max
#define TR_OP_TEXT "Max"
#define TR_SUPPORTED TR_ARITHMETIC
#define TR_ENTRIES entry<half, TR_OP_VMAX_F16>, entry<float, TR_OP_VMAX_F32>, entry<int16_t, TR_OP_VMAX_S16>, \
                   entry<int32_t, TR_OP_VMAX_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Min
#define TR_OP_TEXT "Min"
#define TR_SUPPORTED TR_ARITHMETIC
#define TR_ENTRIES entry<half, TR_OP_VMIN_F16>, entry<float, TR_OP_VMIN_F32>, entry<int16_t, TR_OP_VMIN_S16>, \
                   entry<int32_t, TR_OP_VMIN_S32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Div
#define TR_OP_TEXT "Div"
#define TR_SUPPORTED "half, float"
#define TR_ENTRIES entry<half, TR_OP_VDIV_F16>, entry<float, TR_OP_VDIV_F32>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP And
#define TR_OP_TEXT "And"
#define TR_SUPPORTED "int16_t, uint16_t (count form: int32_t, uint32_t with twice the count)"
#define TR_ENTRIES entry<int16_t, TR_OP_VAND_S16>, entry<uint16_t, TR_OP_VAND_U16>
#include <toprope/ascendc/dtype_op.inc>
#define TR_OP Or
#define TR_OP_TEXT "Or"
#define TR_SUPPORTED "int16_t, uint16_t (count form: int32_t, uint32_t with twice the count)"
#define TR_ENTRIES entry<int16_t, TR_OP_VOR_S16>, entry<uint16_t, TR_OP_VOR_U16>
#include <toprope/ascendc/dtype_op.inc>
}  // namespace toprope

namespace AscendC {

TR_BINARY_MASK_FORMS(Add)
TR_BINARY_COUNT_FORM(Add)
TR_BINARY_MASK_FORMS(Sub)
TR_BINARY_COUNT_FORM(Sub)
TR_BINARY_MASK_FORMS(Mul)
TR_BINARY_COUNT_FORM(Mul)
TR_BINARY_MASK_FORMS(Div)
TR_BINARY_COUNT_FORM(Div)
TR_BINARY_MASK_FORMS(Max)
TR_BINARY_COUNT_FORM(Max)
TR_BINARY_MASK_FORMS(Min)
TR_BINARY_COUNT_FORM(Min)
TR_BINARY_MASK_FORMS(And)
TR_BINARY_BIT_COUNT_FORM(And)
TR_BINARY_MASK_FORMS(Or)
TR_BINARY_BIT_COUNT_FORM(Or)

/* dst = a + b: the count form over the whole of dst. */
template <class Op, typename T>
struct BinaryExpression {
  const LocalTensor<T>& src0;
  const LocalTensor<T>& src1;
  TR_API void Process(const LocalTensor<T>& dst) const {
    constexpr bool bitwise = std::is_same<Op, ::toprope::And_op>::value || std::is_same<Op, ::toprope::Or_op>::value;
    using Unit = std::conditional_t<bitwise, ::toprope::bit_unit<T>, T>;
    ::toprope::binary_count<Op, Unit>(dst.template ReinterpretCast<Unit>(), src0.template ReinterpretCast<Unit>(),
                                      src1.template ReinterpretCast<Unit>(), dst.template ReinterpretCast<Unit>().GetSize());
  }
};
#define TR_EXPRESSION(op, Api)                                                                                                   \
  template <typename T>                                                                                                          \
  TR_API BinaryExpression<::toprope::Api##_op, T> operator op(const LocalTensor<T>& src0, const LocalTensor<T>& src1) {          \
    return {src0, src1};                                                                                                         \
  }
TR_EXPRESSION(+, Add)
TR_EXPRESSION(-, Sub)
TR_EXPRESSION(*, Mul)
TR_EXPRESSION(/, Div)
TR_EXPRESSION(&, And)
TR_EXPRESSION(|, Or)
#undef TR_EXPRESSION

}  // namespace AscendC

#endif
