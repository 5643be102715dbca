/* LoadData: matrices to L0A, L0B and L1.
 *
 *   LoadData with LoadData2DParams   512-byte fractals, L1 or GM to L0A or L0B, GM to L1; transposed: L1 to L0, 16-bit types
 *
 * On a vector core these do nothing. Source: the API pages of LoadData.
 */
#ifndef TOPROPE_ASCENDC_CUBE_LOAD_H
#define TOPROPE_ASCENDC_CUBE_LOAD_H

#include <toprope/ascendc/cube_copy.h>

namespace AscendC {

/* Copies of 512-byte fractals: start and stride at the source (head to head) and gap at the destination (tail to head) in fractals. */
struct LoadData2DParams {
  constexpr LoadData2DParams() {}
  constexpr LoadData2DParams(::toprope::U16 startIndexIn, ::toprope::U8 repeatTimesIn, ::toprope::U16 srcStrideIn, ::toprope::U8 sidIn,
                             ::toprope::U16 dstGapIn, bool ifTransposeIn, ::toprope::U8 addrModeIn)
      : startIndex(startIndexIn),
        dstGap(dstGapIn),
        srcStride(srcStrideIn),
        ifTranspose(ifTransposeIn),
        repeatTimes(repeatTimesIn),
        sid(sidIn),
        addrMode(addrModeIn) {}

  ::toprope::U16 startIndex = 0;
  ::toprope::U16 dstGap = 0;
  ::toprope::U16 srcStride = 0;
  bool ifTranspose = false;
  ::toprope::U8 repeatTimes = 0;
  ::toprope::U8 sid = 0;
  ::toprope::U8 addrMode = 0;
};
using LoadData2dParams = LoadData2DParams;

}  // namespace AscendC

namespace toprope {

#define TR_OP load2d_l0a
#define TR_OP_TEXT "LoadData"
#define TR_SUPPORTED "int4b_t, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float"
#define TR_ENTRIES                                                                                                                 \
  entry<int4b_t, TR_OP_LOAD_L1_TO_L0A_2D_V220_S4_ADDR>, entry<int8_t, TR_OP_LOAD_L1_TO_L0A_2D_V220_S8_ADDR>,                       \
      entry<uint8_t, TR_OP_LOAD_L1_TO_L0A_2D_V220_U8_ADDR>, entry<int16_t, TR_OP_LOAD_L1_TO_L0A_2D_V220_F16_ADDR>,                 \
      entry<uint16_t, TR_OP_LOAD_L1_TO_L0A_2D_V220_F16_ADDR>, entry<half, TR_OP_LOAD_L1_TO_L0A_2D_V220_F16_ADDR>,                  \
      entry<bfloat16_t, TR_OP_LOAD_L1_TO_L0A_2D_V220_BF16_ADDR>, entry<int32_t, TR_OP_LOAD_L1_TO_L0A_2D_V220_S32_ADDR>,            \
      entry<uint32_t, TR_OP_LOAD_L1_TO_L0A_2D_V220_U32_ADDR>, entry<float, TR_OP_LOAD_L1_TO_L0A_2D_V220_F32_ADDR>
#include <toprope/ascendc/dtype_op.inc>

#define TR_OP load2d_l0b
#define TR_OP_TEXT "LoadData"
#define TR_SUPPORTED "int4b_t, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float"
#define TR_ENTRIES                                                                                                                 \
  entry<int4b_t, TR_OP_LOAD_L1_TO_L0B_2D_V220_S4_ADDR>, entry<int8_t, TR_OP_LOAD_L1_TO_L0B_2D_V220_S8_ADDR>,                       \
      entry<uint8_t, TR_OP_LOAD_L1_TO_L0B_2D_V220_U8_ADDR>, entry<int16_t, TR_OP_LOAD_L1_TO_L0B_2D_V220_F16_ADDR>,                 \
      entry<uint16_t, TR_OP_LOAD_L1_TO_L0B_2D_V220_F16_ADDR>, entry<half, TR_OP_LOAD_L1_TO_L0B_2D_V220_F16_ADDR>,                  \
      entry<bfloat16_t, TR_OP_LOAD_L1_TO_L0B_2D_V220_BF16_ADDR>, entry<int32_t, TR_OP_LOAD_L1_TO_L0B_2D_V220_S32_ADDR>,            \
      entry<uint32_t, TR_OP_LOAD_L1_TO_L0B_2D_V220_U32_ADDR>, entry<float, TR_OP_LOAD_L1_TO_L0B_2D_V220_F32_ADDR>
#include <toprope/ascendc/dtype_op.inc>

/* Loads from GM know widths only, and no 4-bit elements. */
template <class T>
constexpr bool loads_from_gm = one_of<T, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>;
template <class T>
constexpr uint32_t load2d_width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : 2;

TR_API void load2d(TrCore* core, uint32_t op, uint64_t dst, uint64_t src, const AscendC::LoadData2DParams& p) {
  tr_check_field(core, "LoadData", TR_FIELD_START_INDEX, p.startIndex.wide(), TR_MAX_LOAD2D_START_INDEX);
  tr_check_field(core, "LoadData", TR_FIELD_REPEAT_TIMES, p.repeatTimes.wide(), TR_MAX_LOAD2D_REPEAT_TIMES);
  tr_check_field(core, "LoadData", TR_FIELD_SRC_STRIDE, p.srcStride.wide(), TR_MAX_LOAD2D_SRC_STRIDE);
  tr_check_field(core, "LoadData", TR_FIELD_DST_GAP, p.dstGap.wide(), TR_MAX_LOAD2D_DST_GAP);
  tr_issue(core, op, dst, src, tr_pack_load2d(p.startIndex.wide(), p.repeatTimes.wide(), p.srcStride.wide(), p.dstGap.wide()),
           tr_pack_load2d_2(p.ifTranspose ? 1 : 0, p.addrMode.wide()));
}

}  // namespace toprope

namespace AscendC {

template <typename T>
TR_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParams& loadDataParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_cube(core)) return;
  const Hardware to = ::toprope::memory_of(dst.position_);
  tr_check_field(core, "LoadData from L1", TR_FIELD_ADDR_MODE, loadDataParams.addrMode.wide(), 0);
  if (element_bits<T> != 16) tr_check_field(core, "LoadData of a type that is not 16 bits wide", TR_FIELD_IF_TRANSPOSE, loadDataParams.ifTranspose, 0);
  if (TR_UNLIKELY(!::toprope::is_l1(src.position_) || (to != Hardware::L0A && to != Hardware::L0B)))
    tr_refuse(core, TR_REFUSE_UNSUPPORTED, "LoadData with LoadData2DParams between other memories than L1 and L0A or L0B");
  const uint32_t op = to == Hardware::L0A ? ::toprope::load2d_l0a_op::code<T>() : ::toprope::load2d_l0b_op::code<T>();
  ::toprope::load2d(core, op, dst.address_, src.address_, loadDataParams);
}
template <typename T>
TR_API void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const LoadData2DParams& loadDataParams) {
  static_assert(::toprope::loads_from_gm<T>,
                "LoadData from GM: this data type is not supported on dav-2201; supported: int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, "
                "int32_t, uint32_t, float");
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_cube(core)) return;
  constexpr uint32_t ops[3][3] = {{TR_OP_LOAD_OUT_TO_L1_2D_B8, TR_OP_LOAD_OUT_TO_L1_2D_B16, TR_OP_LOAD_OUT_TO_L1_2D_B32},
                                  {TR_OP_LOAD_OUT_TO_L0A_2D_B8, TR_OP_LOAD_OUT_TO_L0A_2D_B16, TR_OP_LOAD_OUT_TO_L0A_2D_B32},
                                  {TR_OP_LOAD_OUT_TO_L0B_2D_B8, TR_OP_LOAD_OUT_TO_L0B_2D_B16, TR_OP_LOAD_OUT_TO_L0B_2D_B32}};
  const Hardware to = ::toprope::memory_of(dst.position_);
  tr_check_field(core, "LoadData from GM", TR_FIELD_IF_TRANSPOSE, loadDataParams.ifTranspose, 0);
  tr_check_field(core, "LoadData from GM", TR_FIELD_ADDR_MODE, loadDataParams.addrMode.wide(), to == Hardware::L1 ? 1 : 0);
  if (TR_UNLIKELY(to != Hardware::L1 && to != Hardware::L0A && to != Hardware::L0B))
    tr_refuse(core, TR_REFUSE_UNSUPPORTED, "LoadData with LoadData2DParams from GM to another buffer than L1, L0A or L0B");
  const uint32_t row = to == Hardware::L1 ? 0 : to == Hardware::L0A ? 1 : 2;
  ::toprope::load2d(core, ops[row][::toprope::load2d_width<T>], dst.address_, src.address_, loadDataParams);
}

}  // namespace AscendC

#endif
