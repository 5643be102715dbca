/* Copies between GM and UB that change the layout, and the forms with DataCopyEnhancedParams.
 *
 * ND to NZ on the way in and NZ to ND on the way out are software on dav-2201: bursts of the padding copies. A row of the source becomes blocks of
 * 32 bytes (C0) that lie dstNzC0Stride apart; the block at its end is filled with zeros. On the way out a column block has 16 elements of any
 * type. Copies to and from L1 are the cube core's own instructions; what goes from UB to L1 needs its message server, which is not modelled.
 */
#ifndef TOPROPE_ASCENDC_DATA_COPY_NZ_H
#define TOPROPE_ASCENDC_DATA_COPY_NZ_H

#include <toprope/ascendc/data_copy.h>

namespace toprope {

constexpr uint64_t MAX_BURSTS = TR_MAX_ALIGN_IN_BURST_COUNT;

/* Sets the pad value for a while. */
class PadValueScope {
 public:
  TR_API PadValueScope(TrCore* core, uint64_t bits) : core_(core), before_(core->read_spr(core, TR_SPR_PAD_VALUE)) { set_pad_value(core, bits); }
  TR_API ~PadValueScope() { set_pad_value(core_, before_); }
  PadValueScope(const PadValueScope&) = delete;

 private:
  TrCore* core_;
  uint64_t before_;
};

/* A value that must be at least `least`. */
TR_API void check_least(TrCore* core, const char* what, uint64_t asked, uint64_t least) {
  if (TR_UNLIKELY(asked < least)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, what, 0, asked, least);
}

TR_API void check_nd2nz(TrCore* core, const AscendC::Nd2NzParams& p) {
  constexpr const char* api = "DataCopy with Nd2NzParams";
  tr_check_field(core, api, TR_FIELD_ND_NUM, p.ndNum.wide(), 4095);
  tr_check_field(core, api, TR_FIELD_N_VALUE, p.nValue.wide(), 16384);
  tr_check_field(core, api, TR_FIELD_D_VALUE, p.dValue.wide(), 65535);
  tr_check_field(core, api, TR_FIELD_SRC_MATRIX_STRIDE, p.srcNdMatrixStride.wide(), 65535);
  tr_check_field(core, api, TR_FIELD_SRC_D_VALUE, p.srcDValue.wide(), 65535);
  tr_check_field(core, api, TR_FIELD_DST_C0_STRIDE, p.dstNzC0Stride.wide(), 16384);
  tr_check_field(core, api, TR_FIELD_DST_N_STRIDE, p.dstNzNStride.wide(), 16384);
  tr_check_field(core, api, TR_FIELD_DST_MATRIX_STRIDE, p.dstNzMatrixStride.wide(), 65535);
}

template <class T>
TR_API void nd2nz_to_ub(TrCore* core, uint64_t dst, uint64_t src, const AscendC::Nd2NzParams& p) {
  static_assert(sizeof(T) <= 4, "DataCopy with Nd2NzParams: this data type is not supported on dav-2201; supported: types of 8, 16 and 32 bits");
  if constexpr (std::is_same<T, AscendC::int4b_t>::value)
    tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "DataCopy with Nd2NzParams of int4b_t from GM to UB");
  check_nd2nz(core, p);
  constexpr uint64_t c0 = 32 / sizeof(T);
  const uint64_t rows = p.nValue.wide(), width = p.dValue.wide(), pitch = p.srcDValue.wide(), row_blocks = p.dstNzNStride.wide();
  if (p.ndNum.wide() == 0 || rows == 0 || width == 0) return;
  if (rows > 1) {
    check_least(core, "DataCopy with Nd2NzParams: srcDValue is less than the columns of a block (or dValue)", pitch, width < c0 ? width : c0);
    check_least(core, "DataCopy with Nd2NzParams: dstNzNStride, from 1 on", row_blocks, 1);
  }
  PadValueScope zero(core, 0);
  for (uint64_t matrix = 0; matrix < p.ndNum.wide(); ++matrix) {
    for (uint64_t column = 0; column * c0 < width; ++column) {
      const uint64_t taken = width - column * c0 < c0 ? width - column * c0 : c0;
      const uint64_t from = src + (matrix * p.srcNdMatrixStride.wide() + column * c0) * sizeof(T);
      const uint64_t to = dst + matrix * p.dstNzMatrixStride.wide() * sizeof(T) + column * p.dstNzC0Stride.wide() * 32;
      for (uint64_t row = 0; row < rows; row += MAX_BURSTS) {
        const uint64_t bursts = rows - row < MAX_BURSTS ? rows - row : MAX_BURSTS;
        pad_copy_in<T>(core, to + row * row_blocks * 32, from + row * pitch * sizeof(T), bursts, taken * sizeof(T),
                       rows > 1 ? (pitch - taken) * sizeof(T) : 0, rows > 1 ? row_blocks - 1 : 0, 0, c0 - taken);
      }
    }
  }
}

template <class T>
TR_API void nz2nd_to_gm(TrCore* core, uint64_t dst, uint64_t src, const AscendC::Nz2NdParamsFull& p) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "DataCopy with Nz2NdParamsFull: this data type is not supported on dav-2201; supported: types of 16 and 32 bits");
  constexpr const char* api = "DataCopy with Nz2NdParamsFull";
  constexpr uint64_t block = 16; /* columns of a column block */
  tr_check_field(core, api, TR_FIELD_ND_NUM, p.ndNum.wide(), 4095);
  tr_check_field(core, api, TR_FIELD_N_VALUE, p.nValue.wide(), 8192);
  tr_check_field(core, api, TR_FIELD_D_VALUE, p.dValue.wide(), 8192);
  tr_check_field(core, api, TR_FIELD_SRC_MATRIX_STRIDE, p.srcNdMatrixStride.wide(), 512);
  tr_check_field(core, api, TR_FIELD_SRC_N_STRIDE, p.srcNStride.wide(), 4096);
  tr_check_field(core, api, TR_FIELD_DST_D_STRIDE, p.dstDStride.wide(), 65535);
  tr_check_field(core, api, TR_FIELD_DST_MATRIX_STRIDE, p.dstNdMatrixStride.wide(), 65535);
  const uint64_t rows = p.nValue.wide(), width = p.dValue.wide(), pitch = p.dstDStride.wide();
  if (p.ndNum.wide() == 0) return;
  check_least(core, "DataCopy with Nz2NdParamsFull: nValue, from 1 on", rows, 1);
  check_least(core, "DataCopy with Nz2NdParamsFull: dValue, from 1 on", width, 1);
  if (TR_UNLIKELY(width % block != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, "DataCopy with Nz2NdParamsFull: dValue", 0, width, block);
  if (rows > 1) check_least(core, "DataCopy with Nz2NdParamsFull: dstDStride is less than the 16 columns of a block", pitch, block);
  for (uint64_t matrix = 0; matrix < p.ndNum.wide(); ++matrix) {
    for (uint64_t column = 0; column < width / block; ++column) {
      const uint64_t from = src + (matrix * p.srcNdMatrixStride.wide() * 256 + column * p.srcNStride.wide() * block) * sizeof(T);
      const uint64_t to = dst + (matrix * p.dstNdMatrixStride.wide() + column * block) * sizeof(T);
      for (uint64_t row = 0; row < rows; row += MAX_BURSTS) {
        const uint64_t bursts = rows - row < MAX_BURSTS ? rows - row : MAX_BURSTS;
        pad_copy_out<T>(core, to + row * pitch * sizeof(T), from + row * block * sizeof(T), bursts, block * sizeof(T), 0,
                        rows > 1 ? (pitch - block) * sizeof(T) : 0);
      }
    }
  }
}

}  // namespace toprope

namespace AscendC {

template <typename T>
TR_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const Nd2NzParams& p) {
  TrCore* core = ::toprope::this_core();
  if (::toprope::is_l1(dst.position_)) return ::toprope::copy_nd2nz<T>(core, dst.address_, src.address_, p);
  if (!::toprope::copies_ub(core, dst.position_, "DataCopy with Nd2NzParams from GM to another buffer than UB and L1")) return;
  ::toprope::nd2nz_to_ub<T>(core, dst.address_, src.address_, p);
}
template <typename T>
TR_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const Nz2NdParamsFull& p) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::copies_ub(core, src.position_, "DataCopy with Nz2NdParamsFull from another buffer than UB")) return;
  ::toprope::nz2nd_to_gm<T>(core, dst.address_, src.address_, p);
}

/* On the ways between GM, L1 and UB the enhanced parameters say nothing, as in the public headers; the others of the form do not exist on
 * dav-2201. */
template <typename T>
TR_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& p, const DataCopyEnhancedParams&) {
  DataCopy(dst, src, p);
}
template <typename T>
TR_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& p, const DataCopyEnhancedParams&) {
  DataCopy(dst, src, p);
}
template <typename T>
TR_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& p, const DataCopyEnhancedParams&) {
  const bool inside = ::toprope::is_ub(dst.position_) && ::toprope::is_ub(src.position_);
  if (!inside)
    return tr_refuse(::toprope::this_core(), TR_REFUSE_NO_SUCH_FORM, "DataCopy with DataCopyEnhancedParams between local memories other than UB");
  DataCopy(dst, src, p);
}
template <typename T, typename U, std::enable_if_t<!std::is_same<T, U>::value, int> = 0>
TR_API void DataCopy(const LocalTensor<T>&, const LocalTensor<U>&, const DataCopyParams&, const DataCopyEnhancedParams&) {
  tr_refuse(::toprope::this_core(), TR_REFUSE_NO_SUCH_FORM, "DataCopy with DataCopyEnhancedParams between L0C and UB (dav-2201 has no such way)");
}

/* From UB to L1: software that talks to the cube core's message server. */
template <typename T>
TR_API void DataCopy(const LocalTensor<T>&, const LocalTensor<T>&, const Nd2NzParams&) {
  ::toprope::unsupported("DataCopy with Nd2NzParams from UB to L1 (needs the cube core's message server)");
}
template <typename T>
TR_API void DataCopyPad(const LocalTensor<T>&, const LocalTensor<T>&, const DataCopyParams&, const Nd2NzParams&) {
  ::toprope::unsupported("DataCopyPad from UB to L1 (needs the cube core's message server)");
}
template <typename T>
TR_API void DataCopyPad(const LocalTensor<T>&, const LocalTensor<T>&, const DataCopyExtParams&, const Nd2NzParams&) {
  ::toprope::unsupported("DataCopyPad from UB to L1 (needs the cube core's message server)");
}

}  // namespace AscendC

#endif
