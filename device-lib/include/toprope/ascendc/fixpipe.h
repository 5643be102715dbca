/* Results out of L0C: Fixpipe and DataCopy with DataCopyCO12DstParams, to GM and to L1, and the registers they read.
 *
 *   Fixpipe<T, U, config>(dst, src, params)                 config: CFG_ROW_MAJOR (NZ to ND, GM only), CFG_NZ
 *   Fixpipe<T, U, config>(dst, src, cbufWorkspace, params)  with a quantisation parameter per column, in L1
 *   DataCopy(dst, src, DataCopyCO12DstParams)               with SetFixpipeNz2ndFlag, SetFixpipePreQuantFlag, SetFixPipeConfig before it
 *
 * Nothing happens on a vector core. Source: the API pages Fixpipe (L0C to GM, L0C to L1), DataCopy (L0C to GM, L0C to L1), SetFixPipeConfig,
 * SetFixpipeNz2ndFlag, SetFixpipePreQuantFlag.
 */
#ifndef TOPROPE_ASCENDC_FIXPIPE_H
#define TOPROPE_ASCENDC_FIXPIPE_H

#include <toprope/ascendc/mmad.h>
#include <toprope/ascendc/refuse.h>

/* Conversions on the way out; the compiler's numbers. V…: a parameter for every column. */
typedef enum {
  NoQuant = 0,
  F322F16 = 1,
  VREQ8 = 8,
  REQ8 = 9,
  VDEQF16 = 10,
  DEQF16 = 11,
  F322BF16 = 16,
  VQF322B8_PRE = 23,
  QF322B8_PRE = 24
} QuantMode_t;

namespace AscendC {

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };

struct FixpipeConfig {
  constexpr FixpipeConfig(CO2Layout formatIn) : format(formatIn) {}
  constexpr FixpipeConfig(CO2Layout formatIn, bool) : format(formatIn) {}
  CO2Layout format;
};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};
constexpr FixpipeConfig CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR};

/* Sizes in elements; srcStride in rows of 16 elements (usually m rounded up to 16); dstStride in elements (ND) or data blocks (NZ);
 * srcNdStride in 1 KiB cells, dstNdStride in elements. */
struct FixpipeParamsV220 {
  constexpr FixpipeParamsV220() {}
  constexpr FixpipeParamsV220(::toprope::U16 nSizeIn, ::toprope::U16 mSizeIn, ::toprope::U16 srcStrideIn, ::toprope::U32 dstStrideIn,
                              bool reluEnIn)
      : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), reluEn(reluEnIn) {}
  constexpr FixpipeParamsV220(::toprope::U16 nSizeIn, ::toprope::U16 mSizeIn, ::toprope::U16 srcStrideIn, ::toprope::U32 dstStrideIn,
                              bool reluEnIn, QuantMode_t quantPreIn, int64_t deqScalarIn, ::toprope::U16 ndNumIn, ::toprope::U16 srcNdStrideIn,
                              ::toprope::U16 dstNdStrideIn, ::toprope::U8 unitFlagIn, bool isChannelSplitIn = false)
      : nSize(nSizeIn),
        mSize(mSizeIn),
        srcStride(srcStrideIn),
        dstStride(dstStrideIn),
        quantPre(quantPreIn),
        deqScalar(static_cast<uint64_t>(deqScalarIn)),
        ndNum(ndNumIn),
        srcNdStride(srcNdStrideIn),
        dstNdStride(dstNdStrideIn),
        reluEn(reluEnIn),
        unitFlag(unitFlagIn),
        isChannelSplit(isChannelSplitIn) {}

  ::toprope::U16 nSize = 0;
  ::toprope::U16 mSize = 0;
  ::toprope::U16 srcStride = 0;
  ::toprope::U32 dstStride = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar = 0;
  ::toprope::U16 ndNum = 1;
  ::toprope::U16 srcNdStride = 0;
  ::toprope::U16 dstNdStride = 0;
  bool reluEn = false;
  ::toprope::U8 unitFlag = 0;
  bool isChannelSplit = false;
};
using FixpipeParamsM300 = FixpipeParamsV220;
using FixpipeParamsM310 = FixpipeParamsV220;

/* The same for DataCopy. clipReluPre and eltWiseOp are for other products. */
struct DataCopyCO12DstParams {
  constexpr DataCopyCO12DstParams() {}
  constexpr DataCopyCO12DstParams(::toprope::U16 nSizeIn, ::toprope::U16 mSizeIn, ::toprope::U32 dstStrideIn, ::toprope::U16 srcStrideIn,
                                  QuantMode_t quantPreIn, ::toprope::U8 reluPreIn, bool channelSplitIn, bool nz2ndEnIn)
      : nSize(nSizeIn),
        mSize(mSizeIn),
        dstStride(dstStrideIn),
        srcStride(srcStrideIn),
        quantPre(quantPreIn),
        reluPre(reluPreIn),
        channelSplit(channelSplitIn),
        nz2ndEn(nz2ndEnIn) {}

  uint8_t sid = 0;
  ::toprope::U16 nSize = 0;
  ::toprope::U16 mSize = 0;
  ::toprope::U32 dstStride = DEFAULT_DATA_COPY_STRIDE;
  ::toprope::U16 srcStride = DEFAULT_DATA_COPY_STRIDE;
  ::toprope::U8 unitFlag = 0;
  uint8_t clipReluPre = 0;
  uint8_t eltWiseOp = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  ::toprope::U8 reluPre = 0;
  bool channelSplit = false;
  bool nz2ndEn = false;
};

}  // namespace AscendC

namespace toprope {

/* The instruction from a source of type U to a result of type T. */
template <class T, class U>
constexpr uint32_t fix_to_gm_op() {
  constexpr uint32_t op = std::is_same<U, float>::value
                              ? op_for<T, entry<float, TR_OP_FIX_L0C_TO_OUT_F32>, entry<half, TR_OP_FIX_L0C_TO_OUT_F2H>,
                                       entry<bfloat16_t, TR_OP_FIX_L0C_TO_OUT_F322BF16>, entry<int8_t, TR_OP_FIX_L0C_TO_OUT_F322S8>,
                                       entry<uint8_t, TR_OP_FIX_L0C_TO_OUT_F322U8>>()
                          : std::is_same<U, int32_t>::value
                              ? op_for<T, entry<int32_t, TR_OP_FIX_L0C_TO_OUT_S32>, entry<half, TR_OP_FIX_L0C_TO_OUT_S322F16>,
                                       entry<int8_t, TR_OP_FIX_L0C_TO_OUT_S322S8>, entry<uint8_t, TR_OP_FIX_L0C_TO_OUT_S322U8>>()
                              : TR_OP_COUNT;
  TR_REQUIRE(op != TR_OP_COUNT,
                "Fixpipe and DataCopy from L0C to GM: this combination of data types is not supported on dav-2201; supported: float to float, "
                "half, bfloat16_t, int8_t, uint8_t; int32_t to int32_t, half, int8_t, uint8_t");
  return op;
}
template <class T, class U>
constexpr uint32_t fix_to_l1_op() {
  constexpr uint32_t op =
      std::is_same<U, float>::value
          ? op_for<T, entry<half, TR_OP_FIX_L0C_TO_L1_F2H>, entry<bfloat16_t, TR_OP_FIX_L0C_TO_L1_F322BF16>,
                   entry<int8_t, TR_OP_FIX_L0C_TO_L1_F322S8>, entry<uint8_t, TR_OP_FIX_L0C_TO_L1_F322U8>>()
      : std::is_same<U, int32_t>::value ? op_for<T, entry<half, TR_OP_FIX_L0C_TO_L1_S322F16>, entry<int8_t, TR_OP_FIX_L0C_TO_L1_S322S8>,
                                                 entry<uint8_t, TR_OP_FIX_L0C_TO_L1_S322U8>>()
                                        : TR_OP_COUNT;
  TR_REQUIRE(op != TR_OP_COUNT,
                "Fixpipe and DataCopy from L0C to L1: this combination of data types is not supported on dav-2201; supported: float to half, "
                "bfloat16_t, int8_t, uint8_t; int32_t to half, int8_t, uint8_t");
  return op;
}

constexpr bool is_scalar_quant(QuantMode_t mode) { return mode == DEQF16 || mode == QF322B8_PRE || mode == REQ8; }
constexpr bool is_vector_quant(QuantMode_t mode) { return mode == VDEQF16 || mode == VQF322B8_PRE || mode == VREQ8; }

/* What all forms have. */
struct FixFields {
  uint64_t n, m, src_stride, dst_stride, unit_flag, quant, relu;
  bool split, to_nd;
};
TR_API void fix_issue(TrCore* core, const char* api, uint32_t op, uint64_t dst, uint64_t src, const FixFields& f) {
  tr_check_field(core, api, TR_FIELD_N_SIZE, f.n, TR_MAX_FIXPIPE_N_SIZE);
  tr_check_field(core, api, TR_FIELD_M_SIZE, f.m, f.to_nd ? 8192 : TR_MAX_FIXPIPE_M_SIZE);
  tr_check_field(core, api, TR_FIELD_SRC_COLUMN_STRIDE, f.src_stride, TR_MAX_FIXPIPE_SRC_COLUMN_STRIDE);
  tr_check_field(core, api, TR_FIELD_DST_ROW_STRIDE, f.dst_stride, TR_MAX_FIXPIPE_DST_ROW_STRIDE);
  tr_check_field(core, api, TR_FIELD_UNIT_FLAG, f.unit_flag, TR_MAX_FIXPIPE_UNIT_FLAG);
  tr_check_field(core, api, TR_FIELD_QUANT_MODE, f.quant, TR_MAX_FIXPIPE_QUANT_MODE);
  tr_check_field(core, api, TR_FIELD_RELU_MODE, f.relu, TR_MAX_FIXPIPE_RELU_MODE);
  tr_issue(core, op, dst, src, tr_pack_fixpipe(f.n, f.m, f.dst_stride),
           tr_pack_fixpipe_2(f.src_stride, f.unit_flag, f.quant, f.relu, f.split, f.to_nd));
}

TR_API void set_nd_para(TrCore* core, const char* api, uint64_t nd_num, uint64_t src_stride, uint64_t dst_stride) {
  tr_check_field(core, api, TR_FIELD_ND_NUM, nd_num, TR_MAX_ND_PARA_ND_NUM);
  tr_check_field(core, api, TR_FIELD_SRC_ND_STRIDE, src_stride, TR_MAX_ND_PARA_SRC_ND_STRIDE);
  tr_check_field(core, api, TR_FIELD_DST_ND_STRIDE, dst_stride, TR_MAX_ND_PARA_DST_ND_STRIDE);
  tr_issue(core, TR_OP_SET_ND_PARA, tr_pack_nd_para(nd_num, src_stride, dst_stride));
}

TR_API FixFields fix_fields(const AscendC::FixpipeParamsV220& p, bool to_nd) {
  return {p.nSize.wide(), p.mSize.wide(),          p.srcStride.wide(), p.dstStride.wide(), p.unitFlag.wide(), static_cast<uint64_t>(p.quantPre),
          p.reluEn,       p.isChannelSplit, to_nd};
}

/* Without parameters per column. `to_nd`: NZ to ND. */
TR_API void fixpipe(TrCore* core, uint32_t op, uint64_t dst, uint64_t src, const AscendC::FixpipeParamsV220& p, bool to_nd) {
  if (to_nd) {
    if (p.ndNum == 0) return;
    set_nd_para(core, "Fixpipe", p.ndNum.wide(), p.srcNdStride.wide(), p.dstNdStride.wide());
  }
  if (is_scalar_quant(p.quantPre)) tr_issue(core, TR_OP_SET_QUANT_PRE, p.deqScalar);
  tr_issue(core, TR_OP_BARRIER, TR_PIPE_FIX);
  fix_issue(core, "Fixpipe", op, dst, src, fix_fields(p, to_nd));
}

/* With parameters per column in L1: they go to the start of the fixpipe buffer, up to 256 columns at once, else 128 and 128. */
TR_API void fixpipe_per_column(TrCore* core, uint32_t op, uint64_t dst, uint64_t src, uint64_t parameters,
                               const AscendC::FixpipeParamsV220& p, bool to_nd, uint64_t result_bytes) {
  if (TR_UNLIKELY(!is_vector_quant(p.quantPre)))
    tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "Fixpipe: cbufWorkspace goes with VDEQF16, VQF322B8_PRE and VREQ8 only");
  if (to_nd) {
    if (p.ndNum == 0) return;
    set_nd_para(core, "Fixpipe", p.ndNum.wide(), p.srcNdStride.wide(), p.dstNdStride.wide());
  }
  FixFields f = fix_fields(p, to_nd);
  const uint64_t all = f.n, most = all <= 256 ? all : 128;
  const uint64_t buffer = local_address(core, AscendC::TPosition::C2PIPE2GM, 0);
  for (uint64_t first = 0; first < all; first += most) {
    f.n = all - first < most ? all - first : most;
    copy_to_fixpipe(core, buffer, parameters + first * 8, 1, (f.n * 8 + 127) / 128, 0, 0);
    tr_issue(core, TR_OP_SET_FPC, 0);
    tr_issue(core, TR_OP_BARRIER, TR_PIPE_FIX);
    const uint64_t groups = first / 16;
    /* As in the public header, also for 8-bit results, whose merged groups are then twice as far apart from part to part. */
    const uint64_t offset = to_nd ? first * result_bytes : groups * f.dst_stride * 32;
    fix_issue(core, "Fixpipe", op, dst + offset, src + groups * f.src_stride * 64, f);
  }
}

TR_API FixFields fix_fields(const AscendC::DataCopyCO12DstParams& p) {
  return {p.nSize.wide(), p.mSize.wide(),        p.srcStride.wide(), p.dstStride.wide(), p.unitFlag.wide(), static_cast<uint64_t>(p.quantPre),
          p.reluPre.wide(), p.channelSplit, p.nz2ndEn};
}
TR_API void check_copy_out(TrCore* core, const AscendC::DataCopyCO12DstParams& p) {
  if (TR_UNLIKELY(p.clipReluPre != 0)) tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "DataCopy from L0C: clipReluPre is not on dav-2201");
  if (TR_UNLIKELY(p.eltWiseOp != 0)) tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "DataCopy from L0C: eltWiseOp is not on dav-2201");
}

/* Offset of a tensor in the fixpipe buffer, in units of `unit` bytes. */
TR_API uint64_t fixpipe_buffer_block(TrCore* core, uint64_t address, uint8_t position, uint64_t unit) {
  if (AscendC::GetPhyType(static_cast<AscendC::TPosition>(position)) != AscendC::Hardware::FIXBUF)
    tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "SetFixPipeConfig: the tensor has to be in C2PIPE2GM (fixpipe buffer)");
  const uint64_t offset = space_offset(address);
  if (TR_UNLIKELY(offset % unit != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, "SetFixPipeConfig: address in C2PIPE2GM", 0, offset, unit);
  return offset / unit;
}

TR_API bool goes_to_l1(TrCore* core, uint8_t position, const char* what) {
  const bool l1 = AscendC::GetPhyType(static_cast<AscendC::TPosition>(position)) == AscendC::Hardware::L1;
  if (TR_UNLIKELY(!l1)) tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, what);
  return l1;
}

}  // namespace toprope

namespace AscendC {

/* ---- L0C to GM ---------------------------------------------------------------------------------------------------------------- */

template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
TR_API void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& intriParams) {
  static_assert(config.format != CO2Layout::COLUMN_MAJOR, "Fixpipe: CFG_COLUMN_MAJOR is not on dav-2201; supported: CFG_NZ, CFG_ROW_MAJOR");
  const uint32_t op = ::toprope::fix_to_gm_op<T, U>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::on_cube(core)) return;
  ::toprope::fixpipe(core, op, dst.address_, src.address_, intriParams, config.format == CO2Layout::ROW_MAJOR);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR, typename S = uint64_t>
TR_API void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<S>& cbufWorkspace,
                    const FixpipeParamsV220& intriParams) {
  static_assert(std::is_same<S, uint64_t>::value, "Fixpipe: cbufWorkspace has to be a LocalTensor<uint64_t>");
  static_assert(config.format != CO2Layout::COLUMN_MAJOR, "Fixpipe: CFG_COLUMN_MAJOR is not on dav-2201; supported: CFG_NZ, CFG_ROW_MAJOR");
  const uint32_t op = ::toprope::fix_to_gm_op<T, U>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::on_cube(core)) return;
  ::toprope::fixpipe_per_column(core, op, dst.address_, src.address_, cbufWorkspace.address_, intriParams,
                                config.format == CO2Layout::ROW_MAJOR, sizeof(T));
}
template <typename T, typename U>
TR_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyCO12DstParams& intriParams) {
  const uint32_t op = ::toprope::fix_to_gm_op<T, U>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::on_cube(core)) return;
  ::toprope::check_copy_out(core, intriParams);
  ::toprope::fix_issue(core, "DataCopy", op, dst.address_, src.address_, ::toprope::fix_fields(intriParams));
}

/* ---- L0C to L1: NZ, whatever the configuration says (as documented) ------------------------------------------------------------ */

template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
TR_API void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& intriParams) {
  const uint32_t op = ::toprope::fix_to_l1_op<T, U>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::on_cube(core)) return;
  if (!::toprope::goes_to_l1(core, dst.position_, "Fixpipe from L0C to another local memory than L1")) return;
  ::toprope::fixpipe(core, op, dst.address_, src.address_, intriParams, false);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR, typename S = uint64_t>
TR_API void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<S>& cbufWorkspace,
                    const FixpipeParamsV220& intriParams) {
  static_assert(std::is_same<S, uint64_t>::value, "Fixpipe: cbufWorkspace has to be a LocalTensor<uint64_t>");
  const uint32_t op = ::toprope::fix_to_l1_op<T, U>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::on_cube(core)) return;
  if (!::toprope::goes_to_l1(core, dst.position_, "Fixpipe from L0C to another local memory than L1")) return;
  ::toprope::fixpipe_per_column(core, op, dst.address_, src.address_, cbufWorkspace.address_, intriParams, false, sizeof(T));
}
template <typename T, typename U>
TR_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyCO12DstParams& intriParams) {
  const uint32_t op = ::toprope::fix_to_l1_op<T, U>();
  TrCore* core = ::toprope::this_core();
  if (!::toprope::on_cube(core)) return;
  if (!::toprope::goes_to_l1(core, dst.position_, "DataCopy from L0C to another local memory than L1")) return;
  ::toprope::check_copy_out(core, intriParams);
  ::toprope::fix_issue(core, "DataCopy", op, dst.address_, src.address_, ::toprope::fix_fields(intriParams));
}

/* ---- registers of Fixpipe ------------------------------------------------------------------------------------------------------- */

/* Where the parameters per column are in the fixpipe buffer; isUnitFlag clears every unit flag of L0C (then a tensor in CO1 will do). */
template <typename T, bool setRelu = false>
TR_API void SetFixPipeConfig(const LocalTensor<T>& preData, bool isUnitFlag = false) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::on_cube(core)) return;
  uint64_t fpc = static_cast<uint64_t>(isUnitFlag) << 63;
  if (!(isUnitFlag && GetPhyType(static_cast<TPosition>(preData.position_)) == Hardware::L0C)) {
    if constexpr (setRelu)
      fpc |= ::toprope::fixpipe_buffer_block(core, preData.address_, preData.position_, 64);
    else
      fpc |= ::toprope::fixpipe_buffer_block(core, preData.address_, preData.position_, 128) << 8;
  }
  tr_issue(core, TR_OP_SET_FPC, fpc);
}
/* reluPre is reserved: an empty tensor will do. */
template <typename T>
TR_API void SetFixPipeConfig(const LocalTensor<T>& reluPre, const LocalTensor<T>& quantPre, bool isUnitFlag = false) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::on_cube(core)) return;
  uint64_t fpc = static_cast<uint64_t>(isUnitFlag) << 63;
  if (reluPre.address_ != 0) fpc |= ::toprope::fixpipe_buffer_block(core, reluPre.address_, reluPre.position_, 64);
  fpc |= ::toprope::fixpipe_buffer_block(core, quantPre.address_, quantPre.position_, 128) << 8;
  tr_issue(core, TR_OP_SET_FPC, fpc);
}

/* Matrices of DataCopy's NZ to ND: their number, distances in 1 KiB cells and in elements. */
TR_API void SetFixpipeNz2ndFlag(::toprope::U16 ndNum, ::toprope::U16 srcNdStride, ::toprope::U16 dstNdStride) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::on_cube(core))
    ::toprope::set_nd_para(core, "SetFixpipeNz2ndFlag", ndNum.wide(), srcNdStride.wide(), dstNdStride.wide());
}

/* The quantisation parameter of all columns, see Fixpipe's deqScalar. */
TR_API void SetFixpipePreQuantFlag(uint64_t config) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::on_cube(core)) tr_issue(core, TR_OP_SET_QUANT_PRE, config);
}

/* For other products. */
TR_API void SetFixPipeClipRelu(uint64_t) {
  tr_refuse(::toprope::this_core(), TR_REFUSE_NO_SUCH_FORM, "SetFixPipeClipRelu is not on dav-2201");
}
template <typename T>
TR_API void SetFixPipeAddr(const LocalTensor<T>&, uint16_t) {
  tr_refuse(::toprope::this_core(), TR_REFUSE_NO_SUCH_FORM, "SetFixPipeAddr is not on dav-2201");
}

}  // namespace AscendC

#endif
