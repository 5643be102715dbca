/* LoadData: matrices to L0A, L0B and L1.
 *
 *   LoadData with LoadData2DParams     512-byte fractals, L1 or GM to L0A or L0B, GM to L1; transposed: L1 to L0, 16-bit types
 *   LoadDataWithTranspose              squares of fractals, L1 to L0A or L0B
 *   LoadDataWithSparse                 fractals of a 2:4 sparse matrix with their index, L1 to L0B
 *   LoadData with LoadData3DParamsV2, LoadData3DParamsV2Pro   tiles of an im2col matrix, L1 to L0A or L0B: cube_image.h
 *
 * Refused by name, because dav-2201 does not have them: LoadData with LoadData2DParamsV2, LoadDataWithTranspose with
 * LoadData2dTransposeParamsV2, LoadDataUnzip, LoadUnzipIndex.
 *
 * On a vector core these do nothing. Source: the API pages of LoadData.
 */
#ifndef TOPROPE_ASCENDC_CUBE_LOAD_H
#define TOPROPE_ASCENDC_CUBE_LOAD_H

#include <toprope/ascendc/cube_copy.h>

namespace AscendC {

/* Rows of a fractal and elements of a 16-bit one. */
constexpr int32_t BLOCK_CUBE = 16;
constexpr int32_t CUBE_MAX_SIZE = 256;

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

/* Parameters of another architecture. */
struct LoadData2DParamsV2 {
  uint32_t mStartPosition = 0;
  uint32_t kStartPosition = 0;
  uint16_t mStep = 0;
  uint16_t kStep = 0;
  int32_t srcStride = 0;
  uint16_t dstStride = 0;
  bool ifTranspose = false;
  uint8_t sid = 0;
};
template <typename T>
TR_API void LoadData(const LocalTensor<T>&, const LocalTensor<T>&, const LoadData2DParamsV2&) {
  ::toprope::unsupported("LoadData with LoadData2DParamsV2 (dav-2201 does not have it)");
}
template <typename T>
TR_API void LoadData(const LocalTensor<T>&, const GlobalTensor<T>&, const LoadData2DParamsV2&) {
  ::toprope::unsupported("LoadData with LoadData2DParamsV2 (dav-2201 does not have it)");
}

/* Squares of fractals: start and stride in squares, gaps at the destination in fractals (between squares, inside a square). */
struct LoadData2dTransposeParams {
  constexpr LoadData2dTransposeParams() {}
  constexpr LoadData2dTransposeParams(::toprope::U16 startIndexIn, ::toprope::U8 repeatTimesIn, ::toprope::U16 srcStrideIn,
                                      ::toprope::U16 dstGapIn, ::toprope::U16 dstfracGapIn, ::toprope::U8 addrModeIn = 0)
      : startIndex(startIndexIn),
        repeatTimes(repeatTimesIn),
        srcStride(srcStrideIn),
        dstGap(dstGapIn),
        dstFracGap(dstfracGapIn),
        addrMode(addrModeIn) {}

  ::toprope::U16 startIndex = 0;
  ::toprope::U8 repeatTimes = 0;
  ::toprope::U16 srcStride = 0;
  ::toprope::U16 dstGap = 0;
  ::toprope::U16 dstFracGap = 0;
  ::toprope::U8 addrMode = 0;
};
struct LoadData2dTransposeParamsV2 {
  uint16_t startIndex = 0;
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint16_t srcFracGap = 0;
  uint8_t addrMode = 0;
};

}  // namespace AscendC

namespace toprope {

#define TR_OP transpose_l0a
#define TR_OP_TEXT "LoadDataWithTranspose to L0A"
#define TR_SUPPORTED "int8_t, uint8_t, half, bfloat16_t, int32_t, uint32_t, float"
#define TR_ENTRIES                                                                                                             \
  entry<int8_t, TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_S8>, entry<uint8_t, TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_U8>,                   \
      entry<half, TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_F16>, entry<bfloat16_t, TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_BF16>,           \
      entry<int32_t, TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_S32>, entry<uint32_t, TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_U32>,           \
      entry<float, TR_OP_LOAD_L1_TO_L0A_2D_TRANSPOSE_F32>, entry<int4b_t, TR_OP_COUNT + 1>
#include <toprope/ascendc/dtype_op.inc>

#define TR_OP transpose_l0b
#define TR_OP_TEXT "LoadDataWithTranspose"
#define TR_SUPPORTED "int4b_t (L0B only), int8_t, uint8_t, half, bfloat16_t, int32_t, uint32_t, float"
#define TR_ENTRIES                                                                                                             \
  entry<int4b_t, TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_S4>, entry<int8_t, TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_S8>,                   \
      entry<uint8_t, TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_U8>, entry<half, TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_F16>,                \
      entry<bfloat16_t, TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_BF16>, entry<int32_t, TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_S32>,        \
      entry<uint32_t, TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_U32>, entry<float, TR_OP_LOAD_L1_TO_L0B_2D_TRANSPOSE_F32>
#include <toprope/ascendc/dtype_op.inc>

}  // namespace toprope

namespace AscendC {

template <typename T>
TR_API void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2dTransposeParams& loadDataParams) {
  constexpr const char* api = "LoadDataWithTranspose";
  const LoadData2dTransposeParams& p = loadDataParams;
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_cube(core)) return;
  const Hardware to = ::toprope::memory_of(dst.position_);
  if (TR_UNLIKELY(!::toprope::is_l1(src.position_) || (to != Hardware::L0A && to != Hardware::L0B)))
    tr_refuse(core, TR_REFUSE_UNSUPPORTED, "LoadDataWithTranspose between other memories than L1 and L0A or L0B");
  if (TR_UNLIKELY(to == Hardware::L0A && element_bits<T> == 4))
    tr_refuse(core, TR_REFUSE_UNSUPPORTED, "LoadDataWithTranspose of int4b_t to L0A (only L0B takes it)");
  tr_check_field(core, api, TR_FIELD_START_INDEX, p.startIndex.wide(), TR_MAX_LOAD2D_TRANSPOSE_START_INDEX);
  tr_check_field(core, api, TR_FIELD_REPEAT_TIMES, p.repeatTimes.wide(), TR_MAX_LOAD2D_TRANSPOSE_REPEAT_TIMES);
  tr_check_field(core, api, TR_FIELD_SRC_STRIDE, p.srcStride.wide(), TR_MAX_LOAD2D_TRANSPOSE_SRC_STRIDE);
  tr_check_field(core, api, TR_FIELD_DST_GAP, p.dstGap.wide(), TR_MAX_LOAD2D_TRANSPOSE_DST_GAP);
  tr_check_field(core, api, TR_FIELD_DST_FRAC_GAP, p.dstFracGap.wide(), TR_MAX_LOAD2D_TRANSPOSE_DST_FRAC_GAP);
  /* The page documents 1, the public header of dav-2201 ignores it: what it would do is not known. */
  tr_check_field(core, api, TR_FIELD_ADDR_MODE, p.addrMode.wide(), 0);
  const uint32_t op = to == Hardware::L0A ? ::toprope::transpose_l0a_op::code<T>() : ::toprope::transpose_l0b_op::code<T>();
  tr_issue(core, op, dst.address_, src.address_,
           tr_pack_load2d_transpose(p.startIndex.wide(), p.repeatTimes.wide(), p.srcStride.wide(), p.dstGap.wide(), 0),
           tr_pack_load2d_transpose_2(p.dstFracGap.wide()));
}
template <typename T>
TR_API void LoadDataWithTranspose(const LocalTensor<T>&, const LocalTensor<T>&, const LoadData2dTransposeParamsV2&) {
  ::toprope::unsupported("LoadDataWithTranspose with LoadData2dTransposeParamsV2 (dav-2201 does not have it)");
}

/* Fractals of a dense matrix that stands for a sparse one, and 128 bytes of index for each; only startIndex and repeatTimes count. */
template <typename T = int8_t, typename U = uint8_t>
TR_API void LoadDataWithSparse(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<U>& idx,
                               const LoadData2dParams& loadDataParam) {
  static_assert(std::is_same<T, int8_t>::value && std::is_same<U, uint8_t>::value,
                "LoadDataWithSparse: the matrix must be int8_t and the index uint8_t");
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_cube(core)) return;
  tr_check_field(core, "LoadDataWithSparse", TR_FIELD_START_INDEX, loadDataParam.startIndex.wide(), TR_MAX_LOAD_SPARSE_START_INDEX);
  tr_check_field(core, "LoadDataWithSparse", TR_FIELD_REPEAT_TIMES, loadDataParam.repeatTimes.wide(), TR_MAX_LOAD_SPARSE_REPEAT_TIMES);
  tr_issue(core, TR_OP_LOAD_L1_TO_L0B_2D_SPARSE_S8, dst.address_, src.address_, idx.address_,
           tr_pack_load_sparse(loadDataParam.startIndex.wide(), loadDataParam.repeatTimes.wide()));
}

template <typename T>
TR_API void LoadDataUnzip(const LocalTensor<T>&, const GlobalTensor<T>&) {
  ::toprope::unsupported("LoadDataUnzip (dav-2201 does not have it)");
}
template <typename T = int8_t>
TR_API void LoadUnzipIndex(const GlobalTensor<T>&, uint32_t) {
  ::toprope::unsupported("LoadUnzipIndex (dav-2201 does not have it)");
}

}  // namespace AscendC

#endif
