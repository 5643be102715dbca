/* Copies of the cube core between GM and L1; data_copy.h sends the DataCopy forms of tensors in L1 here.
 *
 *   DataCopy GM to L1   bursts in data blocks, counts of elements, and Nd2NzParams (row-major matrices to columns of data blocks)
 *   DataCopy L1 to GM   bursts in data blocks, counts of elements
 *   DataCopy L1 to C2   to the bias table: bursts of 64 bytes; half becomes float where the types say so
 *   DataCopy L1 to C2PIPE2GM   to the fixpipe buffer: bursts of 128 bytes, strides from head to head
 *
 * On a vector core a copy to L1 is a message to the cube core's server in the public headers; that server is not modelled, so it is refused.
 * A copy from L1 does nothing there. Source: the API pages "DataCopy (GMToL1 …)" and "DataCopy (L1ToGM …)".
 */
#ifndef TOPROPE_ASCENDC_CUBE_COPY_H
#define TOPROPE_ASCENDC_CUBE_COPY_H

#include <toprope/ascendc/hooks.h>
#include <toprope/ascendc/params.h>
#include <toprope/ascendc/tensor.h>

namespace toprope {

TR_API bool has_cube(const TrCore* core) { return TR_LIKELY(core->kind == TR_CORE_AIC); }

TR_API AscendC::Hardware memory_of(uint8_t position) { return AscendC::GetPhyType(static_cast<AscendC::TPosition>(position)); }
TR_API bool is_l1(uint8_t position) { return memory_of(position) == AscendC::Hardware::L1; }

/* Word of TrCore::kernel_side of a vector core: the function that has the block's cube core fill L1, while the kernel has a Matmul
 * (matmul/message.h); else 0. */
constexpr unsigned FILLS_L1_ELSEWHERE = 7;
using FillL1 = void (*)(TrCore* core, uint32_t op, uint64_t l1, uint64_t gm, uint64_t x2, uint64_t x3);

/* Whether a copy to L1 can be made from here. */
TR_API bool fills_l1(TrCore* core, const char* api) {
  const bool fills = has_cube(core) || core->kernel_side[FILLS_L1_ELSEWHERE] != 0;
  if (TR_UNLIKELY(!fills)) tr_refuse(core, TR_REFUSE_UNSUPPORTED, api);
  return fills;
}
/* The instruction of such a copy. */
TR_API void fill_l1(TrCore* core, uint32_t op, uint64_t l1, uint64_t gm, uint64_t x2, uint64_t x3) {
  if (has_cube(core)) return tr_issue(core, op, l1, gm, x2, x3);
  const ReportHere here;
  reinterpret_cast<FillL1>(core->kernel_side[FILLS_L1_ELSEWHERE])(core, op, l1, gm, x2, x3);
}

using AscendC::int4b_t;
#define TR_OP nd2nz
#define TR_OP_TEXT "DataCopy with Nd2NzParams"
#define TR_SUPPORTED "int4b_t, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float"
#define TR_ENTRIES                                                                                                                        \
  entry<int4b_t, TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_S8>, entry<int8_t, TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_S8>,                                  \
      entry<uint8_t, TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_U8>, entry<int16_t, TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_S16>,                            \
      entry<uint16_t, TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_U16>, entry<half, TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_F16>,                             \
      entry<bfloat16_t, TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_BF16>, entry<int32_t, TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_S32S>,                      \
      entry<uint32_t, TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_U32S>, entry<float, TR_OP_MOV_OUT_TO_L1_MULTI_ND2NZ_F32S>
#include <toprope/ascendc/dtype_op.inc>

/* Rows of GM matrices to columns of data blocks in L1; 4-bit elements are given, counted and moved as bytes. */
template <class T>
TR_API void copy_nd2nz(TrCore* core, uint64_t dst, uint64_t src, const AscendC::Nd2NzParams& p) {
  constexpr const char* api = "DataCopy with Nd2NzParams";
  if (!fills_l1(core, "DataCopy with Nd2NzParams to L1 on a vector core whose kernel has no Matmul registered")) return;
  tr_check_field(core, api, TR_FIELD_ND_NUM, p.ndNum.wide(), TR_MAX_ND2NZ_ND_NUM);
  tr_check_field(core, api, TR_FIELD_N_VALUE, p.nValue.wide(), TR_MAX_ND2NZ_N_VALUE);
  tr_check_field(core, api, TR_FIELD_D_VALUE, p.dValue.wide(), TR_MAX_ND2NZ_D_VALUE);
  tr_check_field(core, api, TR_FIELD_SRC_MATRIX_STRIDE, p.srcNdMatrixStride.wide(), TR_MAX_ND2NZ_SRC_MATRIX_STRIDE);
  tr_check_field(core, api, TR_FIELD_SRC_D_VALUE, p.srcDValue.wide(), TR_MAX_ND2NZ_SRC_D_VALUE);
  tr_check_field(core, api, TR_FIELD_DST_C0_STRIDE, p.dstNzC0Stride.wide(), TR_MAX_ND2NZ_DST_C0_STRIDE);
  tr_check_field(core, api, TR_FIELD_DST_N_STRIDE, p.dstNzNStride.wide(), TR_MAX_ND2NZ_DST_N_STRIDE);
  tr_check_field(core, api, TR_FIELD_DST_MATRIX_STRIDE, p.dstNzMatrixStride.wide(), TR_MAX_ND2NZ_DST_MATRIX_STRIDE);
  fill_l1(core, nd2nz_op::code<T>(), dst, src, tr_pack_nd2nz(p.ndNum.wide(), p.nValue.wide(), p.dValue.wide(), p.srcNdMatrixStride.wide()),
           tr_pack_nd2nz_2(p.srcDValue.wide(), p.dstNzC0Stride.wide(), p.dstNzNStride.wide(), p.dstNzMatrixStride.wide()));
}

/* Bursts from L1 to the bias table; lengths and gaps there in 64 bytes. */
TR_API void copy_to_bias(TrCore* core, uint64_t dst, uint64_t src, bool converts, uint64_t count, uint64_t len, uint64_t src_gap, uint64_t dst_gap) {
  constexpr const char* api = "DataCopy from L1 to the bias table";
  if (!has_cube(core)) return;
  tr_check_field(core, api, TR_FIELD_BURST_COUNT, count, TR_MAX_TO_BIAS_BURST_COUNT);
  tr_check_field(core, api, TR_FIELD_BURST_LEN, len, TR_MAX_TO_BIAS_BURST_LEN);
  tr_check_field(core, api, TR_FIELD_SRC_GAP, src_gap, TR_MAX_TO_BIAS_SRC_GAP);
  tr_check_field(core, api, TR_FIELD_DST_GAP, dst_gap, TR_MAX_TO_BIAS_DST_GAP);
  tr_issue(core, TR_OP_MOV_L1_TO_BT, dst, src, tr_pack_to_bias(converts ? 1 : 0, count, len, src_gap, dst_gap));
}

/* Bursts from L1 to the fixpipe buffer; lengths and strides there in 128 bytes. */
TR_API void copy_to_fixpipe(TrCore* core, uint64_t dst, uint64_t src, uint64_t count, uint64_t len, uint64_t src_gap, uint64_t dst_gap) {
  constexpr const char* api = "DataCopy from L1 to the fixpipe buffer";
  if (!has_cube(core)) return;
  tr_check_field(core, api, TR_FIELD_BURST_COUNT, count, TR_MAX_TO_FIXPIPE_BURST_COUNT);
  tr_check_field(core, api, TR_FIELD_BURST_LEN, len, TR_MAX_TO_FIXPIPE_BURST_LEN);
  tr_check_field(core, api, TR_FIELD_SRC_GAP, src_gap, TR_MAX_TO_FIXPIPE_SRC_GAP);
  tr_check_field(core, api, TR_FIELD_DST_GAP, dst_gap, TR_MAX_TO_FIXPIPE_DST_GAP);
  tr_issue(core, TR_OP_MOV_L1_TO_FB_V220, dst, src, tr_pack_to_fixpipe(count, len, src_gap, dst_gap));
}

/* Whether a copy between local memories starts in L1; then it has been done or refused. */
template <class T>
TR_API bool copy_from_l1(TrCore* core, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const AscendC::DataCopyParams& p) {
  if (!is_l1(src.position_)) return false;
  const AscendC::Hardware to = memory_of(dst.position_);
  const uint64_t count = p.blockCount.wide(), len = p.blockLen.wide(), src_gap = p.srcGap.wide(), dst_gap = p.dstGap.wide();
  if (to == AscendC::Hardware::BIAS)
    copy_to_bias(core, dst.address_, src.address_, false, count, len, src_gap, dst_gap);
  else if (to == AscendC::Hardware::FIXBUF)
    copy_to_fixpipe(core, dst.address_, src.address_, count, len, src_gap, dst_gap);
  else if (to == AscendC::Hardware::L0C)
    unsupported("DataCopy from L1 to L0C (the public documents do not say its gaps)");
  else
    unsupported("DataCopy from L1 to another buffer than C2, C2PIPE2GM and GM");
  return true;
}
/* The same for a count of elements, in whole bursts of the destination. */
template <class T>
TR_API bool copy_from_l1(TrCore* core, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, uint32_t count) {
  if (!is_l1(src.position_)) return false;
  const uint64_t unit = memory_of(dst.position_) == AscendC::Hardware::BIAS ? 64 : 128, bytes = bytes_of<T>(count);
  if (TR_UNLIKELY(bytes % unit != 0)) tr_refuse(core, TR_REFUSE_ROUNDED_DOWN, "DataCopy", AscendC::element_bits<T>, bytes, bytes / unit * unit);
  AscendC::DataCopyParams p;
  p.blockLen = bytes / unit;
  return copy_from_l1(core, dst, src, p);
}

}  // namespace toprope

#endif
