/* LoadData of feature maps: tiles of the im2col matrix of a map in L1 to L0A or L0B, and the registers it reads.
 *
 *   SetFmatrix                 size and padding of the map, a register for each of L0A and L0B
 *   SetLoadDataPaddingValue    what the padding holds
 *   SetLoadDataBoundary        where L1 wraps around
 *   SetLoadDataRepeat          repeats of a tile along its rows or columns
 *   LoadData                   LoadData3DParamsV2 sets the first two registers itself unless its configuration says no; LoadData3DParamsV2Pro
 *                              has the fields packed and sets nothing
 *
 * Refused by name: LoadData3DParamsV1, LoadDataWithStride, SetLoadDataRepeatWithStride (dav-2201 does not have them), enSmallK.
 * On a vector core these do nothing. Source: the API pages of LoadData (3D) and of the four registers.
 */
#ifndef TOPROPE_ASCENDC_CUBE_IMAGE_H
#define TOPROPE_ASCENDC_CUBE_IMAGE_H

#include <toprope/ascendc/cube_load.h>

namespace AscendC {

constexpr uint8_t PAD_SIZE = 4;

enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

struct IsResetLoad3dConfig {
  constexpr IsResetLoad3dConfig() {}
  constexpr IsResetLoad3dConfig(bool isSetFMatrixIn, bool isSetPaddingIn) : isSetFMatrix(isSetFMatrixIn), isSetPadding(isSetPaddingIn) {}
  bool isSetFMatrix = true;
  bool isSetPadding = true;
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

struct LoadDataRepeatParam {
  constexpr LoadDataRepeatParam() {}
  constexpr LoadDataRepeatParam(::toprope::U16 repeatStrideIn, ::toprope::U8 repeatTimeIn, ::toprope::U8 repeatModeIn)
      : repeatStride(repeatStrideIn), repeatTime(repeatTimeIn), repeatMode(repeatModeIn) {}

  ::toprope::U16 repeatStride = 0;
  ::toprope::U8 repeatTime = 1;
  ::toprope::U8 repeatMode = 0;
  uint8_t reserved = 0;
};
struct LoadDataRepeatParamWithStride {};

/* The map (padding: left, right, top, bottom), the tile of the im2col matrix and the filter. */
template <typename T>
struct LoadData3DParamsV2 {
  LoadData3DParamsV2() {}
  LoadData3DParamsV2(const uint8_t padListIn[PAD_SIZE], ::toprope::U16 l1HIn, ::toprope::U16 l1WIn, ::toprope::U16 channelSizeIn,
                     ::toprope::U16 kExtensionIn, ::toprope::U16 mExtensionIn, ::toprope::U16 kStartPtIn, ::toprope::U16 mStartPtIn,
                     ::toprope::U8 strideWIn, ::toprope::U8 strideHIn, ::toprope::U8 filterWIn, ::toprope::U8 filterHIn,
                     ::toprope::U8 dilationFilterWIn, ::toprope::U8 dilationFilterHIn, bool enTransposeIn, bool enSmallKIn, T padValueIn,
                     bool filterSizeWIn = false, bool filterSizeHIn = false, bool fMatrixCtrlIn = false)
      : l1H(l1HIn),
        l1W(l1WIn),
        channelSize(channelSizeIn),
        kExtension(kExtensionIn),
        mExtension(mExtensionIn),
        kStartPt(kStartPtIn),
        mStartPt(mStartPtIn),
        strideW(strideWIn),
        strideH(strideHIn),
        filterW(filterWIn),
        filterH(filterHIn),
        dilationFilterW(dilationFilterWIn),
        dilationFilterH(dilationFilterHIn),
        enTranspose(enTransposeIn),
        enSmallK(enSmallKIn),
        padValue(padValueIn),
        filterSizeW(filterSizeWIn),
        filterSizeH(filterSizeHIn),
        fMatrixCtrl(fMatrixCtrlIn) {
    for (int i = 0; i < PAD_SIZE; ++i) padList[i] = padListIn[i];
  }

  uint8_t padList[PAD_SIZE] = {0};
  ::toprope::U16 l1H = 0;
  ::toprope::U16 l1W = 0;
  ::toprope::U16 channelSize = 0;
  ::toprope::U16 kExtension = 0;
  ::toprope::U16 mExtension = 0;
  ::toprope::U16 kStartPt = 0;
  ::toprope::U16 mStartPt = 0;
  ::toprope::U8 strideW = 1;
  ::toprope::U8 strideH = 1;
  ::toprope::U8 filterW = 1;
  ::toprope::U8 filterH = 1;
  ::toprope::U8 dilationFilterW = 1;
  ::toprope::U8 dilationFilterH = 1;
  bool enTranspose = false;
  bool enSmallK = false;
  T padValue = 0;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
};

/* The same with packed fields: extConfig k, m, kStart, mStart (16 bits each); filterConfig strides, filter, dilation (8 bits each, W before H). */
struct LoadData3DParamsV2Pro {
  constexpr LoadData3DParamsV2Pro() {}
  constexpr LoadData3DParamsV2Pro(::toprope::U16 channelSizeIn, bool enTransposeIn, bool enSmallKIn, bool filterSizeWIn, bool filterSizeHIn,
                                  bool fMatrixCtrlIn, uint64_t extConfigIn, uint64_t filterConfigIn)
      : channelSize(channelSizeIn),
        enTranspose(enTransposeIn),
        enSmallK(enSmallKIn),
        filterSizeW(filterSizeWIn),
        filterSizeH(filterSizeHIn),
        fMatrixCtrl(fMatrixCtrlIn),
        extConfig(extConfigIn),
        filterConfig(filterConfigIn) {}

  ::toprope::U16 channelSize = 0;
  bool enTranspose = false;
  bool enSmallK = false;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
  uint64_t extConfig = 0;
  uint64_t filterConfig = 0x10101010101ull;
};

/* Parameters of another architecture. */
template <typename T>
struct LoadData3DParamsV1 {
  uint8_t padList[PAD_SIZE] = {0};
  uint8_t strideW = 0, strideH = 0, filterW = 0, filterH = 0, dilationFilterW = 0, dilationFilterH = 0;
  uint8_t jumpStride = 0, repeatMode = 0, repeatTime = 0, cSize = 0;
  T padValue = 0;
  uint8_t fetchFilterW = 0, fetchFilterH = 0;
  uint16_t l1H = 0, l1W = 0, c1Index = 0;
  int16_t leftTopW = 0, leftTopH = 0;
};

}  // namespace AscendC

namespace toprope {

#define TR_OP load3d_l0a
#define TR_OP_TEXT "LoadData with LoadData3DParamsV2"
#define TR_SUPPORTED "int4b_t, int8_t, uint8_t (to L0A only), half, bfloat16_t, int32_t, uint32_t, float"
#define TR_ENTRIES                                                                                                    \
  entry<int4b_t, TR_OP_LOAD_L1_TO_L0A_3DV2_S4>, entry<int8_t, TR_OP_LOAD_L1_TO_L0A_3DV2_S8>,                          \
      entry<uint8_t, TR_OP_LOAD_L1_TO_L0A_3DV2_U8>, entry<half, TR_OP_LOAD_L1_TO_L0A_3DV2_F16>,                       \
      entry<bfloat16_t, TR_OP_LOAD_L1_TO_L0A_3DV2_F16>, entry<int32_t, TR_OP_LOAD_L1_TO_L0A_3DV2_S32>,                \
      entry<uint32_t, TR_OP_LOAD_L1_TO_L0A_3DV2_U32>, entry<float, TR_OP_LOAD_L1_TO_L0A_3DV2_F32>
#include <toprope/ascendc/dtype_op.inc>

/* The instruction to L0B; TR_OP_COUNT for types it does not take. */
template <class T>
constexpr uint32_t load3d_l0b = op_for<T, entry<half, TR_OP_LOAD_L1_TO_L0B_3DV2_F16>, entry<bfloat16_t, TR_OP_LOAD_L1_TO_L0B_3DV2_F16>,
                                       entry<int32_t, TR_OP_LOAD_L1_TO_L0B_3DV2_S32>, entry<uint32_t, TR_OP_LOAD_L1_TO_L0B_3DV2_U32>,
                                       entry<float, TR_OP_LOAD_L1_TO_L0B_3DV2_F32>>();

TR_API uint64_t feature_map(TrCore* core, const char* api, uint64_t height, uint64_t width, const uint8_t* pads) {
  tr_check_field(core, api, TR_FIELD_MAP_HEIGHT, height, 32767);
  tr_check_field(core, api, TR_FIELD_MAP_WIDTH, width, 32767);
  uint64_t word = width | height << 16;
  for (int i = 0; i < AscendC::PAD_SIZE; ++i) word |= static_cast<uint64_t>(pads[i]) << (32 + 8 * i);
  return word;
}

/* Every field of a tile, as asked. */
struct Tile {
  uint64_t k, m, k_start, m_start, stride_w, stride_h, filter_w, filter_h, dilation_w, dilation_h, channels;
  bool wide, high, transpose, right, small_k;
};

template <class T>
TR_API void load3d(TrCore* core, const char* api, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const Tile& t) {
  using AscendC::Hardware;
  const Hardware to = memory_of(dst.position_);
  if (TR_UNLIKELY(t.small_k)) tr_refuse(core, TR_REFUSE_UNSUPPORTED, "LoadData with enSmallK (dav-2201 does not have it)");
  if (TR_UNLIKELY(!is_l1(src.position_) || (to != Hardware::L0A && to != Hardware::L0B)))
    tr_refuse(core, TR_REFUSE_UNSUPPORTED, "LoadData with LoadData3DParamsV2 between other memories than L1 and L0A or L0B");
  const uint32_t op = to == Hardware::L0A ? load3d_l0a_op::code<T>() : load3d_l0b<T>;
  if (TR_UNLIKELY(op == TR_OP_COUNT)) tr_refuse(core, TR_REFUSE_UNSUPPORTED, "LoadData with LoadData3DParamsV2 of 4-bit or 8-bit types to L0B");
  tr_check_field(core, api, TR_FIELD_K_EXTENSION, t.k, TR_MAX_LOAD3D_K_EXTENSION);
  tr_check_field(core, api, TR_FIELD_M_EXTENSION, t.m, TR_MAX_LOAD3D_M_EXTENSION);
  tr_check_field(core, api, TR_FIELD_K_START, t.k_start, TR_MAX_LOAD3D_K_START);
  tr_check_field(core, api, TR_FIELD_M_START, t.m_start, TR_MAX_LOAD3D_M_START);
  tr_check_field(core, api, TR_FIELD_STRIDE_W, t.stride_w, TR_MAX_LOAD3D_STRIDE_W);
  tr_check_field(core, api, TR_FIELD_STRIDE_H, t.stride_h, TR_MAX_LOAD3D_STRIDE_H);
  tr_check_field(core, api, TR_FIELD_FILTER_W, t.filter_w, TR_MAX_LOAD3D_FILTER_W);
  tr_check_field(core, api, TR_FIELD_FILTER_H, t.filter_h, TR_MAX_LOAD3D_FILTER_H);
  tr_check_field(core, api, TR_FIELD_DILATION_W, t.dilation_w, TR_MAX_LOAD3D_DILATION_W);
  tr_check_field(core, api, TR_FIELD_DILATION_H, t.dilation_h, TR_MAX_LOAD3D_DILATION_H);
  tr_check_field(core, api, TR_FIELD_CHANNEL_SIZE, t.channels, TR_MAX_LOAD3D_CHANNEL_SIZE);
  tr_issue(core, op, dst.address_, src.address_, tr_pack_load3d(t.k, t.m, t.k_start, t.m_start),
           tr_pack_load3d_2(t.stride_w, t.stride_h, t.filter_w, t.filter_h, t.dilation_w, t.dilation_h, t.wide, t.high, t.transpose, t.right,
                            t.channels));
}

/* Register image of a pad value: 8-bit values twice. */
template <class T>
TR_API uint64_t padding_bits(T value) {
  const uint64_t bits = scalar_bits(value);
  return sizeof(T) == 1 ? (bits & 0xff) | bits << 8 : bits;
}

}  // namespace toprope

namespace AscendC {

TR_API void SetFmatrix(::toprope::U16 l1H, ::toprope::U16 l1W, const uint8_t padList[4], const FmatrixMode& fmatrixMode) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_cube(core)) return;
  const uint64_t word = ::toprope::feature_map(core, "SetFmatrix", l1H.wide(), l1W.wide(), padList);
  tr_issue(core, fmatrixMode == FmatrixMode::FMATRIX_LEFT ? TR_OP_SET_FMATRIX : TR_OP_SET_FMATRIX_B, word);
}
template <typename T>
TR_API void SetLoadDataPaddingValue(const T padValue) {
  static_assert(sizeof(T) <= 4, "SetLoadDataPaddingValue: types of 1, 2 or 4 bytes");
  TrCore* core = ::toprope::this_core();
  if (::toprope::has_cube(core)) tr_issue(core, TR_OP_SET_PADDING, ::toprope::padding_bits(padValue));
}
TR_API void SetLoadDataBoundary(uint32_t boundaryValue) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_cube(core)) return;
  if (TR_UNLIKELY(boundaryValue != 0 && boundaryValue < 1024))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SetLoadDataBoundary: boundaryValue (0, or 1024 and more)", 0, boundaryValue, 1024);
  tr_issue(core, TR_OP_SET_L1_3D_SIZE, boundaryValue);
}
TR_API void SetLoadDataRepeat(const LoadDataRepeatParam& repeatParams) {
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_cube(core)) return;
  const LoadDataRepeatParam& p = repeatParams;
  tr_check_field(core, "SetLoadDataRepeat", TR_FIELD_SRC_STRIDE, p.repeatStride.wide(), 65535);
  tr_check_field(core, "SetLoadDataRepeat", TR_FIELD_REPEAT_TIMES, p.repeatTime.wide(), 255);
  if (TR_UNLIKELY(p.repeatMode.wide() > 1)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SetLoadDataRepeat: repeatMode", 0, p.repeatMode.wide(), 1);
  tr_issue(core, TR_OP_SET_L3D_RPT, p.repeatStride.wide() | p.repeatTime.wide() << 16 | p.repeatMode.wide() << 24);
}
TR_API void SetLoadDataRepeatWithStride(const LoadDataRepeatParamWithStride&) {
  ::toprope::unsupported("SetLoadDataRepeatWithStride (dav-2201 does not have it)");
}

template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG, typename U = T,
          std::enable_if_t<std::is_same<T, U>::value, int> = 0>
TR_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2<U>& loadDataParams) {
  constexpr const char* api = "LoadData with LoadData3DParamsV2";
  const LoadData3DParamsV2<U>& p = loadDataParams;
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_cube(core)) return;
  if constexpr (defaultConfig.isSetFMatrix)
    tr_issue(core, TR_OP_SET_FMATRIX, ::toprope::feature_map(core, api, p.l1H.wide(), p.l1W.wide(), p.padList));
  if constexpr (defaultConfig.isSetPadding) tr_issue(core, TR_OP_SET_PADDING, ::toprope::padding_bits(p.padValue));
  const ::toprope::Tile tile = {p.kExtension.wide(),      p.mExtension.wide(),      p.kStartPt.wide(),
                                p.mStartPt.wide(),        p.strideW.wide(),         p.strideH.wide(),
                                p.filterW.wide(),         p.filterH.wide(),         p.dilationFilterW.wide(),
                                p.dilationFilterH.wide(), p.channelSize.wide(),     p.filterSizeW,
                                p.filterSizeH,            p.enTranspose,            p.fMatrixCtrl,
                                p.enSmallK};
  ::toprope::load3d(core, api, dst, src, tile);
}
template <typename T>
TR_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2Pro& loadDataParams) {
  const LoadData3DParamsV2Pro& p = loadDataParams;
  TrCore* core = ::toprope::this_core();
  if (!::toprope::has_cube(core)) return;
  const uint64_t e = p.extConfig, f = p.filterConfig;
  const ::toprope::Tile tile = {e & 0xffff,       e >> 16 & 0xffff, e >> 32 & 0xffff,     e >> 48,       f & 0xff,      f >> 8 & 0xff,
                                f >> 16 & 0xff,   f >> 24 & 0xff,   f >> 32 & 0xff,       f >> 40 & 0xff, p.channelSize.wide(),
                                p.filterSizeW,    p.filterSizeH,    p.enTranspose,        p.fMatrixCtrl, p.enSmallK};
  ::toprope::load3d(core, "LoadData with LoadData3DParamsV2Pro", dst, src, tile);
}
template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG, typename U = T>
TR_API void LoadData(const LocalTensor<T>&, const LocalTensor<T>&, const LoadData3DParamsV1<U>&) {
  ::toprope::unsupported("LoadData with LoadData3DParamsV1 (dav-2201 does not have it)");
}
template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG, typename U = T>
TR_API void LoadDataWithStride(const LocalTensor<T>&, const LocalTensor<T>&, const LoadData3DParamsV2<U>&) {
  ::toprope::unsupported("LoadDataWithStride (dav-2201 does not have it)");
}

}  // namespace AscendC

#endif
