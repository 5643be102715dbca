/* Parameter structs of the basic API. Member names, defaults and constructors are the public ones. */
#ifndef TOPROPE_ASCENDC_PARAMS_H
#define TOPROPE_ASCENDC_PARAMS_H

#include <toprope/ascendc/checks.h>

/* Padding modes of the compiler. */
enum class pad_t : uint8_t { PAD_NONE = 0, PAD_MODE1, PAD_MODE2, PAD_MODE3, PAD_MODE4, PAD_MODE5, PAD_MODE6, PAD_MODE7, PAD_MODE8 };

namespace AscendC {

/* Strides of the three operands of a vector instruction, in data blocks (32 bytes): between the 8 blocks of a repeat and between repeats. */
struct BinaryRepeatParams {
  constexpr BinaryRepeatParams() {}
  constexpr BinaryRepeatParams(::toprope::U8 dstBlkStrideIn, ::toprope::U8 src0BlkStrideIn, ::toprope::U8 src1BlkStrideIn,
                               ::toprope::U8 dstRepStrideIn, ::toprope::U8 src0RepStrideIn, ::toprope::U8 src1RepStrideIn)
      : dstBlkStride(dstBlkStrideIn),
        src0BlkStride(src0BlkStrideIn),
        src1BlkStride(src1BlkStrideIn),
        dstRepStride(dstRepStrideIn),
        src0RepStride(src0RepStrideIn),
        src1RepStride(src1RepStrideIn) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  ::toprope::U8 dstBlkStride = DEFAULT_BLK_STRIDE;
  ::toprope::U8 src0BlkStride = DEFAULT_BLK_STRIDE;
  ::toprope::U8 src1BlkStride = DEFAULT_BLK_STRIDE;
  ::toprope::U8 dstRepStride = DEFAULT_REPEAT_STRIDE;
  ::toprope::U8 src0RepStride = DEFAULT_REPEAT_STRIDE;
  ::toprope::U8 src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

/* The same for two operands. */
struct UnaryRepeatParams {
  constexpr UnaryRepeatParams() {}
  constexpr UnaryRepeatParams(::toprope::U16 dstBlkStrideIn, ::toprope::U16 srcBlkStrideIn, ::toprope::U8 dstRepStrideIn,
                              ::toprope::U8 srcRepStrideIn, bool halfBlockIn = false)
      : dstBlkStride(dstBlkStrideIn),
        srcBlkStride(srcBlkStrideIn),
        dstRepStride(dstRepStrideIn),
        srcRepStride(srcRepStrideIn),
        halfBlock(halfBlockIn) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  ::toprope::U16 dstBlkStride = DEFAULT_BLK_STRIDE;
  ::toprope::U16 srcBlkStride = DEFAULT_BLK_STRIDE;
  ::toprope::U8 dstRepStride = DEFAULT_REPEAT_STRIDE;
  ::toprope::U8 srcRepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
  bool halfBlock = false;
};

struct BrcbRepeatParams {
  constexpr BrcbRepeatParams() {}
  constexpr BrcbRepeatParams(::toprope::U16 dstBlkStrideIn, ::toprope::U16 dstRepStrideIn)
      : dstRepStride(dstRepStrideIn), dstBlkStride(dstBlkStrideIn) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  ::toprope::U16 dstRepStride = DEFAULT_REPEAT_STRIDE;
  ::toprope::U16 dstBlkStride = DEFAULT_BLK_STRIDE;
  bool repeatStrideMode = false;
};

/* Strides of a masked copy: between blocks (dstStride) and between repeats (dstRepeatSize), in data blocks. */
struct CopyRepeatParams {
  constexpr CopyRepeatParams() {}
  constexpr CopyRepeatParams(::toprope::U16 dstStrideIn, ::toprope::U16 srcStrideIn, ::toprope::U16 dstRepeatSizeIn,
                             ::toprope::U16 srcRepeatSizeIn)
      : dstStride(dstStrideIn), srcStride(srcStrideIn), dstRepeatSize(dstRepeatSizeIn), srcRepeatSize(srcRepeatSizeIn) {}

  ::toprope::U16 dstStride = DEFAULT_DATA_COPY_STRIDE;
  ::toprope::U16 srcStride = DEFAULT_DATA_COPY_STRIDE;
  ::toprope::U16 dstRepeatSize = DEFAULT_REPEAT_STRIDE;
  ::toprope::U16 srcRepeatSize = DEFAULT_REPEAT_STRIDE;
};

/* Bursts of DataCopy: blockLen and both gaps (end of one burst to start of the next) in data blocks. DataCopyPad takes the same struct
 * with blockLen and the GM side's gap in bytes. */
struct DataCopyParams {
  constexpr DataCopyParams() {}
  constexpr DataCopyParams(::toprope::U16 count, ::toprope::U16 len, ::toprope::U16 srcStrideIn, ::toprope::U16 dstStrideIn)
      : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn) {}

  ::toprope::U16 blockCount = DEFAULT_DATA_COPY_NBURST;
  ::toprope::U16 blockLen = 0;
  union {
    ::toprope::U16 srcGap = 0;
    ::toprope::U16 srcStride;
  };
  union {
    ::toprope::U16 dstGap = 0;
    ::toprope::U16 dstStride;
  };
};

/* Bursts of DataCopyPad: blockLen in bytes, the GM side's gap in bytes, the UB side's gap in data blocks. */
struct DataCopyExtParams {
  constexpr DataCopyExtParams() {}
  constexpr DataCopyExtParams(::toprope::U16 count, ::toprope::U32 len, ::toprope::U32 srcStrideIn, ::toprope::U32 dstStrideIn,
                              ::toprope::U32 rsvIn)
      : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn), rsv(rsvIn) {}

  ::toprope::U16 blockCount = DEFAULT_DATA_COPY_NBURST;
  ::toprope::U32 blockLen = 0;
  ::toprope::U32 srcStride = DEFAULT_DATA_COPY_STRIDE;
  ::toprope::U32 dstStride = DEFAULT_DATA_COPY_STRIDE;
  ::toprope::U32 rsv = 0;
};

/* Padding of DataCopyPad, in elements on each side of a burst. */
struct DataCopyPadParams {
  constexpr DataCopyPadParams() {}
  constexpr DataCopyPadParams(bool isPadValue, ::toprope::U8 leftPadValue, ::toprope::U8 rightPadValue, uint64_t padValue)
      : isPad(isPadValue), leftPadding(leftPadValue), rightPadding(rightPadValue), paddingValue(padValue) {}

  bool isPad = false;
  ::toprope::U8 leftPadding = 0;
  ::toprope::U8 rightPadding = 0;
  uint64_t paddingValue = 0;
};

template <typename T>
struct DataCopyPadExtParams {
  constexpr DataCopyPadExtParams() {}
  constexpr DataCopyPadExtParams(bool isPadValue, ::toprope::U8 leftPadValue, ::toprope::U8 rightPadValue, T padValue)
      : isPad(isPadValue), leftPadding(leftPadValue), rightPadding(rightPadValue), paddingValue(padValue) {}

  bool isPad = false;
  ::toprope::U8 leftPadding = 0;
  ::toprope::U8 rightPadding = 0;
  T paddingValue = T(0);
};

/* One dimension of a slice: [startIndex, endIndex] in elements, bursts of burstLen data blocks with `stride` elements between them. */
struct SliceInfo {
  constexpr SliceInfo() {}
  constexpr SliceInfo(uint32_t startIndexIn, uint32_t endIndexIn, uint32_t strideIn, uint32_t burstLenIn, uint32_t shapeValueIn = 0)
      : startIndex(startIndexIn), endIndex(endIndexIn), stride(strideIn), burstLen(burstLenIn), shapeValue(shapeValueIn) {}

  uint32_t startIndex = 0;
  uint32_t endIndex = ONE_BLK_SIZE - 1;
  uint32_t stride = 0;
  uint32_t burstLen = ONE_BLK_SIZE;
  uint32_t shapeValue = 0;
};

/* What else a copy of other architectures does on its way; on dav-2201 it says nothing. */
enum class BlockMode : uint8_t { BLOCK_MODE_NORMAL = 0, BLOCK_MODE_MATRIX, BLOCK_MODE_VECTOR, BLOCK_MODE_SMALL_CHANNEL, BLOCK_MODE_DEPTHWISE };
enum class DeqScale : uint8_t { DEQ_NONE = 0, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };
struct DataCopyEnhancedParams {
  constexpr DataCopyEnhancedParams() {}
  constexpr DataCopyEnhancedParams(BlockMode blockModeIn, DeqScale deqScaleIn, uint64_t deqValueIn, uint8_t sidStoreModeIn, bool isReluIn,
                                   ::pad_t padModeIn, uint64_t padValueIn)
      : blockMode(blockModeIn),
        deqScale(deqScaleIn),
        deqValue(deqValueIn),
        sidStoreMode(sidStoreModeIn),
        isRelu(isReluIn),
        padMode(padModeIn),
        padValue(padValueIn) {}

  BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
  DeqScale deqScale = DeqScale::DEQ_NONE;
  uint64_t deqValue = 0;
  uint8_t sidStoreMode = 0;
  bool isRelu = false;
  ::pad_t padMode = ::pad_t::PAD_NONE;
  uint64_t padValue = 0;
  uint64_t deqTensorAddr = 0;
};

/* Parameters of copies that change the layout. */
struct Nd2NzParams {
  constexpr Nd2NzParams() {}
  constexpr Nd2NzParams(::toprope::U16 ndNumIn, ::toprope::U16 nValueIn, ::toprope::U16 dValueIn, ::toprope::U16 srcNdMatrixStrideIn,
                        ::toprope::U16 srcDValueIn, ::toprope::U16 dstNzC0StrideIn, ::toprope::U16 dstNzNStrideIn,
                        ::toprope::U16 dstNzMatrixStrideIn)
      : ndNum(ndNumIn),
        nValue(nValueIn),
        dValue(dValueIn),
        srcNdMatrixStride(srcNdMatrixStrideIn),
        srcDValue(srcDValueIn),
        dstNzC0Stride(dstNzC0StrideIn),
        dstNzNStride(dstNzNStrideIn),
        dstNzMatrixStride(dstNzMatrixStrideIn) {}

  ::toprope::U16 ndNum = 0;
  ::toprope::U16 nValue = 0;
  ::toprope::U16 dValue = 0;
  ::toprope::U16 srcNdMatrixStride = 0;
  ::toprope::U16 srcDValue = 0;
  ::toprope::U16 dstNzC0Stride = 0;
  ::toprope::U16 dstNzNStride = 0;
  ::toprope::U16 dstNzMatrixStride = 0;
};

struct Nz2NdParamsFull {
  constexpr Nz2NdParamsFull() {}
  constexpr Nz2NdParamsFull(::toprope::U16 ndNumIn, ::toprope::U16 nValueIn, ::toprope::U16 dValueIn, ::toprope::U16 srcNdMatrixStrideIn,
                            ::toprope::U16 srcNStrideIn, ::toprope::U16 dstDStrideIn, ::toprope::U16 dstNdMatrixStrideIn)
      : ndNum(ndNumIn),
        nValue(nValueIn),
        dValue(dValueIn),
        srcNdMatrixStride(srcNdMatrixStrideIn),
        srcNStride(srcNStrideIn),
        dstDStride(dstDStrideIn),
        dstNdMatrixStride(dstNdMatrixStrideIn) {}

  ::toprope::U16 ndNum = 1;
  ::toprope::U16 nValue = 0;
  ::toprope::U16 dValue = 0;
  ::toprope::U16 srcNdMatrixStride = 1;
  ::toprope::U16 srcNStride = 0;
  ::toprope::U16 dstDStride = 0;
  ::toprope::U16 dstNdMatrixStride = 1;
};

}  // namespace AscendC

#endif
