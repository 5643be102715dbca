/* AIPP, the preparation of images: AippParams and SetAippFunctions.
 *
 * The settings count for LoadImageToLocal, which dav-2201 has and toprope refuses; so they are taken and have no effect.
 * Source: API reference, page SetAippFunctions.
 */
#ifndef TOPROPE_ASCENDC_AIPP_H
#define TOPROPE_ASCENDC_AIPP_H

#include <toprope/ascendc/tensor.h>

namespace AscendC {

enum class AippInputFormat : uint8_t { YUV420SP_U8 = 0, XRGB8888_U8 = 1, RGB888_U8 = 4, YUV400_U8 = 9 };

/* What stands around the image: 0 constants (one per channel), 1 the nearest line or column. */
template <typename T>
struct AippPaddingParams {
  uint32_t paddingMode = 0;
  T paddingValueCh0 = 0, paddingValueCh1 = 0, paddingValueCh2 = 0, paddingValueCh3 = 0;
};

struct AippSwapParams {
  bool isSwapRB = false, isSwapUV = false, isSwapAX = false;
};

struct AippSingleLineParams {
  bool isSingleLineCopy = false;
};

/* (value - mean - min) * var, per channel. */
struct AippDataTypeConvParams {
  uint8_t dtcMeanCh0 = 0, dtcMeanCh1 = 0, dtcMeanCh2 = 0;
  half dtcMinCh0 = 0, dtcMinCh1 = 0, dtcMinCh2 = 0;
  half dtcVarCh0 = 1, dtcVarCh1 = 1, dtcVarCh2 = 1;
  uint32_t dtcRoundMode = 0;
};

template <typename T>
struct AippChannelPaddingParams {
  uint32_t cPaddingMode = 0;
  T cPaddingValue = 0;
};

/* Colour space: matrix, then biases before and after it. */
struct AippColorSpaceConvParams {
  bool isEnableCsc = false;
  int16_t cscMatrixR0C0 = 0, cscMatrixR0C1 = 0, cscMatrixR0C2 = 0;
  int16_t cscMatrixR1C0 = 0, cscMatrixR1C1 = 0, cscMatrixR1C2 = 0;
  int16_t cscMatrixR2C0 = 0, cscMatrixR2C1 = 0, cscMatrixR2C2 = 0;
  uint8_t cscBiasIn0 = 0, cscBiasIn1 = 0, cscBiasIn2 = 0;
  uint8_t cscBiasOut0 = 0, cscBiasOut1 = 0, cscBiasOut2 = 0;
};

template <typename T>
struct AippParams {
  AippPaddingParams<T> paddingParams;
  AippSwapParams swapParams;
  AippSingleLineParams singleLineParams;
  AippDataTypeConvParams dtcParams;
  AippChannelPaddingParams<T> cPaddingParams;
  AippColorSpaceConvParams cscParams;
};

template <typename T, typename U>
TR_API void SetAippFunctions(const GlobalTensor<T>&, AippInputFormat, AippParams<U>) {}
template <typename T, typename U>
TR_API void SetAippFunctions(const GlobalTensor<T>&, const GlobalTensor<T>&, AippInputFormat, AippParams<U>) {}

}  // namespace AscendC

#endif
