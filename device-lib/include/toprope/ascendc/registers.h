/* CTRL, the saturation modes, and watches on UB. */
#ifndef TOPROPE_ASCENDC_REGISTERS_H
#define TOPROPE_ASCENDC_REGISTERS_H

#include <toprope/ascendc/atomic.h>

namespace AscendC {

/* What SetSaturationFlag controls. FLOAT: half and bfloat16_t results (CTRL[48]); CAST: conversions to integers (CTRL[59]). */
enum class SaturationMode : uint8_t { FLOAT, FLOAT8, INT, CAST };
enum class OverrideStrategy : uint8_t { USE_API, USE_GLOBAL };

/* Bits of CTRL. On dav-2201 only bit 48 may be written and read by these. */
#define TR_CTRL_BITS(Api) \
  static_assert(startBit == 48 && endBit == 48, #Api ": on dav-2201 startBit and endBit must both be 48")
template <int8_t startBit, int8_t endBit>
TR_API void SetCtrlSpr(int64_t value) {
  TR_CTRL_BITS(SetCtrlSpr);
  TrCore* core = ::toprope::this_core();
  if (TR_UNLIKELY(static_cast<uint64_t>(value) > 1))
    tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, "SetCtrlSpr: value for one bit", 0, static_cast<uint64_t>(value), 1);
  ::toprope::set_ctrl_bits(core, startBit, 1, static_cast<uint64_t>(value));
}
template <int8_t startBit, int8_t endBit>
TR_API int64_t GetCtrlSpr() {
  TR_CTRL_BITS(GetCtrlSpr);
  TrCore* core = ::toprope::this_core();
  return static_cast<int64_t>(core->read_spr(core, TR_SPR_CTRL) >> startBit & 1);
}
#undef TR_CTRL_BITS
template <int8_t startBit, int8_t endBit>
TR_API void ResetCtrlSpr() {
  static_assert(startBit > endBit, "ResetCtrlSpr: not available on dav-2201 (Ascend 950 only); use SetCtrlSpr<48, 48>");
}

/* Whether results that overflow are clamped. */
template <SaturationMode mode>
TR_API void SetSaturationFlag(bool enableSat) {
  static_assert(mode != SaturationMode::FLOAT8, "SetSaturationFlag: FLOAT8 is not supported on dav-2201; supported: FLOAT, CAST");
  if constexpr (mode == SaturationMode::INT) ::toprope::unsupported("SetSaturationFlag<INT>: CTRL[53] is not modelled; integers follow CTRL[48]");
  ::toprope::set_ctrl_bits(::toprope::this_core(), mode == SaturationMode::CAST ? TR_CTRL_CAST_TRUNCATE : TR_CTRL_INF_NAN, 1, enableSat ? 0 : 1);
}
template <SaturationMode mode>
TR_API bool GetSaturationFlag() {
  static_assert(mode != SaturationMode::FLOAT8, "GetSaturationFlag: FLOAT8 is not supported on dav-2201; supported: FLOAT, CAST");
  if constexpr (mode == SaturationMode::INT) ::toprope::unsupported("GetSaturationFlag<INT>: CTRL[53] is not modelled; integers follow CTRL[48]");
  TrCore* core = ::toprope::this_core();
  return (core->read_spr(core, TR_SPR_CTRL) >> (mode == SaturationMode::CAST ? TR_CTRL_CAST_TRUNCATE : TR_CTRL_INF_NAN) & 1) == 0;
}

/* A range of UB, in data blocks, (startAddr, endAddr]: the first is left out, the last is in. */
struct CheckLocalMemoryIAParam {
  CheckLocalMemoryIAParam() {}
  CheckLocalMemoryIAParam(::toprope::U8 enableBitIn, uint32_t startAddrIn, uint32_t endAddrIn, bool isScalarReadIn, bool isScalarWriteIn,
                          bool isVectorReadIn, bool isVectorWriteIn, bool isMteReadIn, bool isMteWriteIn, bool isEnableIn)
      : enableBit(enableBitIn),
        startAddr(startAddrIn),
        endAddr(endAddrIn),
        isScalarRead(isScalarReadIn),
        isScalarWrite(isScalarWriteIn),
        isVectorRead(isVectorReadIn),
        isVectorWrite(isVectorWriteIn),
        isMteRead(isMteReadIn),
        isMteWrite(isMteWriteIn),
        isEnable(isEnableIn) {}

  ::toprope::U8 enableBit = 0;
  uint32_t startAddr = 0;
  uint32_t endAddr = 0;
  bool isScalarRead = false;
  bool isScalarWrite = false;
  bool isVectorRead = false;
  bool isVectorWrite = false;
  bool isMteRead = false;
  bool isMteWrite = false;
  bool isEnable = false;
  uint32_t reserved = 0;
};

/* From now on an access of the chosen units to the range is an error. Addresses from GetPhyAddr()/32 may be given: they count from the start
 * of UB. */
TR_API void CheckLocalMemoryIA(const CheckLocalMemoryIAParam& checkParams) {
  TrCore* core = ::toprope::this_core();
  const uint64_t base = (core->region + (static_cast<uint64_t>(TR_SPACE_UB) << TR_SPACE_SHIFT)) / 32;
  const auto block = [base](uint32_t given) {
    const uint32_t offset = given - static_cast<uint32_t>(base);
    return given > 65535 && offset <= 65535 ? offset : given;
  };
  const uint64_t start = block(checkParams.startAddr), end = block(checkParams.endAddr);
  tr_check_field(core, "CheckLocalMemoryIA", TR_FIELD_WATCH_NUMBER, checkParams.enableBit.wide(), 3);
  tr_check_field(core, "CheckLocalMemoryIA", TR_FIELD_WATCH_START, start, TR_MAX_WATCH_WATCH_START);
  tr_check_field(core, "CheckLocalMemoryIA", TR_FIELD_WATCH_END, end, TR_MAX_WATCH_WATCH_END);
  const uint64_t units = uint64_t(checkParams.isMteWrite) | uint64_t(checkParams.isMteRead) << 1 | uint64_t(checkParams.isVectorWrite) << 2 |
                         uint64_t(checkParams.isVectorRead) << 3 | uint64_t(checkParams.isScalarWrite) << 4 | uint64_t(checkParams.isScalarRead) << 5;
  tr_issue(core, TR_OP_SET_DATA_EXP, checkParams.enableBit.wide(), tr_pack_watch(checkParams.isEnable, units, end, start));
}

}  // namespace AscendC

/* The compiler intrinsics of the same meaning. */
TR_API int64_t get_ctrl() {
  TrCore* core = ::toprope::this_core();
  return static_cast<int64_t>(core->read_spr(core, TR_SPR_CTRL));
}
TR_API void set_ctrl(uint64_t value) { tr_issue(::toprope::this_core(), TR_OP_SET_CTRL, value); }
constexpr uint64_t sbitset0(uint64_t value, int64_t bit) { return value & ~(1ull << bit); }
constexpr uint64_t sbitset1(uint64_t value, int64_t bit) { return value | 1ull << bit; }

#endif
