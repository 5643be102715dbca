/* Fill (older name InitConstValue): a constant in L1, L0A or L0B; and the loads of images, which are refused.
 *
 * Blocks of 32 bytes in L1, of 512 bytes in L0A and L0B. On a vector core these do nothing. Source: the API page "Fill".
 */
#ifndef TOPROPE_ASCENDC_FILL_H
#define TOPROPE_ASCENDC_FILL_H

#include <toprope/ascendc/cube_copy.h>

namespace AscendC {

/* `repeatTimes` runs of `blockNum` blocks, dstGap blocks between them. */
template <typename T>
struct InitConstValueParams {
  constexpr InitConstValueParams() {}
  constexpr InitConstValueParams(::toprope::U16 repeatTimesIn, ::toprope::U16 blockNumIn, ::toprope::U16 dstGapIn, T initValueIn)
      : repeatTimes(repeatTimesIn), blockNum(blockNumIn), dstGap(dstGapIn), initValue(initValueIn) {}
  constexpr InitConstValueParams(::toprope::U16 repeatTimesIn, T initValueIn) : repeatTimes(repeatTimesIn), initValue(initValueIn) {}

  ::toprope::U16 repeatTimes = 0;
  ::toprope::U16 blockNum = 0;
  ::toprope::U16 dstGap = 0;
  T initValue = 0;
};

struct LoadImageToLocalParams {
  constexpr LoadImageToLocalParams() {}
  constexpr LoadImageToLocalParams(uint16_t horizSizeIn, uint16_t vertSizeIn, uint16_t horizStartPosIn, uint16_t vertStartPosIn,
                                   uint16_t srcHorizSizeIn, uint8_t topPadSizeIn, uint8_t botPadSizeIn, uint16_t leftPadSizeIn,
                                   uint16_t rightPadSizeIn)
      : horizSize(horizSizeIn),
        vertSize(vertSizeIn),
        horizStartPos(horizStartPosIn),
        vertStartPos(vertStartPosIn),
        srcHorizSize(srcHorizSizeIn),
        topPadSize(topPadSizeIn),
        botPadSize(botPadSizeIn),
        leftPadSize(leftPadSizeIn),
        rightPadSize(rightPadSizeIn) {}

  uint16_t horizSize = 0;
  uint16_t vertSize = 0;
  uint16_t horizStartPos = 0;
  uint16_t vertStartPos = 0;
  uint16_t srcHorizSize = 0;
  uint8_t topPadSize = 0;
  uint8_t botPadSize = 0;
  uint16_t leftPadSize = 0;
  uint16_t rightPadSize = 0;
  uint8_t sid = 0;
};

}  // namespace AscendC

namespace toprope {

/* By memory: L1, L0A, L0B. */
#define TR_FILL_OP(memory)                                                                                                               \
  op_for<T, entry<half, TR_OP_CREATE_##memory##_MATRIX_F16_H>, entry<bfloat16_t, TR_OP_CREATE_##memory##_MATRIX_BF16_ORI>,               \
         entry<int16_t, TR_OP_CREATE_##memory##_MATRIX_V2_U16>, entry<uint16_t, TR_OP_CREATE_##memory##_MATRIX_V2_U16>,                  \
         entry<int32_t, TR_OP_CREATE_##memory##_MATRIX_V2_U32>, entry<uint32_t, TR_OP_CREATE_##memory##_MATRIX_V2_U32>,                  \
         entry<float, TR_OP_CREATE_##memory##_MATRIX_V2_U32>>()
template <class T>
struct fill_op {
  static constexpr uint32_t by_memory[3] = {TR_FILL_OP(CBUF), TR_FILL_OP(CA), TR_FILL_OP(CB)};
};
#undef TR_FILL_OP

template <class T>
TR_API void fill(const char* api, const AscendC::LocalTensor<T>& dst, const AscendC::InitConstValueParams<T>& p) {
  static_assert(fill_op<T>::by_memory[0] != TR_OP_COUNT,
                "Fill: this data type is not supported on dav-2201; supported: int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float");
  using AscendC::Hardware;
  TrCore* core = this_core();
  if (!has_cube(core)) return;
  const Hardware to = memory_of(dst.position_);
  if (TR_UNLIKELY(to != Hardware::L1 && to != Hardware::L0A && to != Hardware::L0B))
    tr_refuse(core, TR_REFUSE_UNSUPPORTED, "Fill of another buffer than L1, L0A and L0B");
  tr_check_field(core, api, TR_FIELD_REPEAT_TIMES, p.repeatTimes.wide(), TR_MAX_FILL_REPEAT_TIMES);
  tr_check_field(core, api, TR_FIELD_BLOCK_NUM, p.blockNum.wide(), TR_MAX_FILL_BLOCK_NUM);
  tr_check_field(core, api, TR_FIELD_DST_GAP, p.dstGap.wide(), TR_MAX_FILL_DST_GAP);
  const uint32_t memory = to == Hardware::L1 ? 0 : to == Hardware::L0A ? 1 : 2;
  tr_issue(core, fill_op<T>::by_memory[memory], dst.address_, tr_pack_fill(p.repeatTimes.wide(), p.blockNum.wide(), p.dstGap.wide()),
           scalar_bits(p.initValue));
}

}  // namespace toprope

namespace AscendC {

template <typename T, typename U = T, std::enable_if_t<std::is_same<T, U>::value, int> = 0>
TR_API void Fill(const LocalTensor<T>& dst, const InitConstValueParams<U>& initConstValueParams) {
  ::toprope::fill("Fill", dst, initConstValueParams);
}
template <typename T, typename U = T, std::enable_if_t<std::is_same<T, U>::value, int> = 0>
TR_API void InitConstValue(const LocalTensor<T>& dst, const InitConstValueParams<U>& initConstValueParams) {
  ::toprope::fill("InitConstValue", dst, initConstValueParams);
}

/* The image pipeline (crop, colour conversion, scaling) is not modelled. */
template <typename T>
TR_API void LoadImageToLocal(const LocalTensor<T>&, const LoadImageToLocalParams&) {
  ::toprope::unsupported("LoadImageToLocal");
}

}  // namespace AscendC

#endif
