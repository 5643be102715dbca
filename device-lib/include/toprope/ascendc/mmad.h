/* Matrix multiplication: Mmad with and without bias, MmadWithSparse, HF32 and the order of results.
 *
 *   Mmad(c, a, b, params)          C in CO1 (L0C, 1024-byte aligned), A in A2 (L0A, 512), B in B2 (L0B, 512)
 *   Mmad(c, a, b, bias, params)    C starts from a row in C2 (bias table, 64) or from another place in CO1
 *
 * Nothing happens on a vector core. Source: the API pages Mmad, MmadWithSparse, SetHF32Mode, SetHF32TransMode, SetMMColumnMajor/SetMMRowMajor.
 */
#ifndef TOPROPE_ASCENDC_MMAD_H
#define TOPROPE_ASCENDC_MMAD_H

#include <toprope/ascendc/cube_copy.h>
#include <toprope/ascendc/params.h>
#include <toprope/ascendc/refuse.h>
#include <toprope/ascendc/tensor.h>

namespace AscendC {

enum class HF32Mode { ENABLE, DISABLE };
enum class HF32TransMode { NEAREST_ZERO, NEAREST_EVEN };

/* Sizes and where C starts from. fmOffset, enSsparse, enWinogradA and enWinogradB do nothing on dav-2201, as documented. */
struct MmadParams {
  constexpr MmadParams() {}
  constexpr MmadParams(::toprope::U16 mIn, ::toprope::U16 nIn, ::toprope::U16 kIn, bool isBiasIn, int32_t fmOffsetIn, bool enSsparseIn,
                       bool enWinogradAIn, bool enWinogradBIn)
      : m(mIn),
        n(nIn),
        k(kIn),
        isBias(isBiasIn),
        fmOffset(fmOffsetIn),
        enSsparse(enSsparseIn),
        enWinogradA(enWinogradAIn),
        enWinogradB(enWinogradBIn) {}
  constexpr MmadParams(::toprope::U16 mIn, ::toprope::U16 nIn, ::toprope::U16 kIn, ::toprope::U8 unitFlagIn, bool cmatrixSourceIn,
                       bool cmatrixInitValIn)
      : m(mIn), n(nIn), k(kIn), unitFlag(unitFlagIn), cmatrixSource(cmatrixSourceIn), cmatrixInitVal(cmatrixInitValIn) {}

  ::toprope::U16 m = 0;
  ::toprope::U16 n = 0;
  ::toprope::U16 k = 0;
  bool isBias = false;
  int32_t fmOffset = 0;
  bool enSsparse = false;
  bool enWinogradA = false;
  bool enWinogradB = false;
  ::toprope::U8 unitFlag = 0;
  bool kDirectionAlign = false;
  bool cmatrixSource = false;
  bool cmatrixInitVal = true;
};

}  // namespace AscendC

namespace toprope {

/* Cube calls on a vector core do nothing, as in the public headers. */
TR_API bool on_cube(const TrCore* core) { return has_cube(core); }

/* The instruction for A and B of type U and S, C of type T. */
template <class T, class U, class S>
constexpr uint32_t mad_op() {
  using AscendC::int4b_t;
  constexpr bool same = std::is_same<U, S>::value, to_float = std::is_same<T, float>::value, to_int = std::is_same<T, int32_t>::value;
  constexpr uint32_t op = !same                                          ? TR_OP_COUNT
                          : to_float && std::is_same<U, half>::value       ? TR_OP_MAD_F162F32
                          : to_float && std::is_same<U, bfloat16_t>::value ? TR_OP_MAD_BF162F32
                          : to_float && std::is_same<U, float>::value      ? TR_OP_MAD_F322F32
                          : to_int && std::is_same<U, int8_t>::value       ? TR_OP_MAD_S8
                          : to_int && std::is_same<U, int4b_t>::value      ? TR_OP_MAD_S4
                                                                           : TR_OP_COUNT;
  TR_REQUIRE(op != TR_OP_COUNT,
                "Mmad: this combination of data types is not supported on dav-2201; supported (A x B to C): half x half to float, "
                "bfloat16_t x bfloat16_t to float, float x float to float, int8_t x int8_t to int32_t, int4b_t x int4b_t to int32_t");
  return op;
}

TR_API void mad(TrCore* core, const char* api, uint32_t op, uint64_t c, uint64_t a, uint64_t b, const AscendC::MmadParams& p, uint64_t c_source,
                bool from_bias, bool from_zero) {
  tr_check_field(core, api, TR_FIELD_M_SIZE, p.m.wide(), TR_MAX_MAD_M_SIZE);
  tr_check_field(core, api, TR_FIELD_N_SIZE, p.n.wide(), TR_MAX_MAD_N_SIZE);
  tr_check_field(core, api, TR_FIELD_K_SIZE, p.k.wide(), TR_MAX_MAD_K_SIZE);
  tr_check_field(core, api, TR_FIELD_UNIT_FLAG, p.unitFlag.wide(), TR_MAX_MAD_UNIT_FLAG);
  tr_issue(core, op, c, a, b,
           tr_pack_mad(p.m.wide(), p.k.wide(), p.n.wide(), c_source, p.unitFlag.wide(), p.kDirectionAlign, from_bias, from_zero));
}

/* Where C starts from, as the instruction counts it; whether it is the bias table. */
struct StartOfC {
  uint64_t block;
  bool from_bias;
};
TR_API StartOfC start_of_c(TrCore* core, uint64_t bias, uint8_t position, uint64_t c) {
  const uint64_t offset = space_offset(bias);
  switch (AscendC::GetPhyType(static_cast<AscendC::TPosition>(position))) {
    case AscendC::Hardware::BIAS:
      if (TR_UNLIKELY(offset % 64 != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, "Mmad: address of the bias in C2", 0, offset, 64);
      if (TR_UNLIKELY(offset >= 1024)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "Mmad: address of the bias in C2", 0, offset, 1023);
      return {offset / 64, true};
    case AscendC::Hardware::L0C:
      if (TR_UNLIKELY(offset % 1024 != 0)) tr_refuse(core, TR_REFUSE_MISALIGNED, "Mmad: address of the bias in CO1", 0, offset, 1024);
      if (TR_UNLIKELY(offset >= 128 * 1024)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "Mmad: address of the bias in CO1", 0, offset, 131071);
      return {bias == c ? 0 : offset / 1024 + 1, false};
    default:
      tr_refuse(core, TR_REFUSE_NO_SUCH_FORM, "Mmad: the bias has to be in C2 (bias table) or CO1 (L0C)");
      return {0, false};
  }
}

TR_API void ctrl_bit(uint64_t bit, bool on) { tr_issue(this_core(), on ? TR_OP_SBITSET1 : TR_OP_SBITSET0, bit); }

}  // namespace toprope

namespace AscendC {

/* C = A x B: from 0 (cmatrixInitVal), else + C, else + the row at the start of the bias table (cmatrixSource). isBias means "+ C". */
template <typename T, typename U, typename S>
TR_API void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter, const MmadParams& mmadParams) {
  TrCore* core = ::toprope::this_core();
  const uint32_t op = ::toprope::mad_op<T, U, S>();
  if (!::toprope::on_cube(core)) return;
  ::toprope::mad(core, "Mmad", op, dst.address_, fm.address_, filter.address_, mmadParams, 0, mmadParams.cmatrixSource,
                 mmadParams.cmatrixInitVal && !mmadParams.isBias);
}

/* C = A x B + bias; where the bias is decides, not cmatrixSource. With cmatrixInitVal = true (the default) C starts from 0 and the bias is
 * not read: set it to false, as the documentation's example does. */
template <typename T, typename U, typename S, typename V>
TR_API void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter, const LocalTensor<V>& bias,
                 const MmadParams& mmadParams) {
  TrCore* core = ::toprope::this_core();
  const uint32_t op = ::toprope::mad_op<T, U, S>();
  static_assert(std::is_same<T, V>::value, "Mmad: the bias has to have the data type of C (float or int32_t)");
  static_assert(!std::is_same<U, int4b_t>::value, "Mmad: int4b_t has no form with a bias on dav-2201");
  if (!::toprope::on_cube(core)) return;
  const ::toprope::StartOfC start = ::toprope::start_of_c(core, bias.address_, bias.position_, dst.address_);
  ::toprope::mad(core, "Mmad", op, dst.address_, fm.address_, filter.address_, mmadParams, start.block, start.from_bias,
                 mmadParams.cmatrixInitVal);
}

/* C = A x B with B stored 2 out of 4 (loaded with its index by LoadDataWithSparse); k counts the elements of A. */
template <typename T = int32_t, typename U = int8_t>
TR_API void MmadWithSparse(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<U>& filter, const MmadParams& mmadParams) {
  static_assert(std::is_same<T, int32_t>::value && std::is_same<U, int8_t>::value, "MmadWithSparse: supported is int8_t x int8_t to int32_t");
  TrCore* core = ::toprope::this_core();
  if (!::toprope::on_cube(core)) return;
  ::toprope::mad(core, "MmadWithSparse", TR_OP_MAD_SP_S8, dst.address_, fm.address_, filter.address_, mmadParams, 0, mmadParams.cmatrixSource,
                 mmadParams.cmatrixInitVal);
}

/* Whether Mmad rounds float A and B to HF32, and how it rounds. */
TR_API void SetHF32Mode(HF32Mode mode) { ::toprope::ctrl_bit(TR_CTRL_HF32, mode == HF32Mode::ENABLE); }
TR_API void SetHF32Mode(bool hf32Mode) { ::toprope::ctrl_bit(TR_CTRL_HF32, hf32Mode); }
TR_API void SetHF32TransMode(HF32TransMode mode) { ::toprope::ctrl_bit(TR_CTRL_HF32_TO_ZERO, mode == HF32TransMode::NEAREST_ZERO); }
TR_API void SetHF32TransMode(bool hf32TransMode) { ::toprope::ctrl_bit(TR_CTRL_HF32_TO_ZERO, hf32TransMode); }

/* Order in which the cells of C are made: along N first (row major) or along M first. Time only, the result is the same. */
TR_API void SetMMRowMajor() { ::toprope::ctrl_bit(TR_CTRL_MM_ROW_MAJOR, true); }
TR_API void SetMMColumnMajor() { ::toprope::ctrl_bit(TR_CTRL_MM_ROW_MAJOR, false); }
TR_API void SetMMLayoutTransform(bool mmLayoutMode) { ::toprope::ctrl_bit(TR_CTRL_MM_ROW_MAJOR, mmLayoutMode); }

}  // namespace AscendC

#endif
