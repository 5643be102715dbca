/* What generated kernels (pyasc's, those of operator projects) say before they begin, at global scope: which cores they are on, where flags
 * between cores live, where printed text goes.
 *
 * The embedded NPU needs none of it told: flags between cores belong to the chip, a core knows what it prints. The calls are there, with what
 * a kernel can see of them.
 */
#ifndef TOPROPE_ASCENDC_GENERATED_H
#define TOPROPE_ASCENDC_GENERATED_H

#include <toprope/ascendc/intercore.h>
#include <toprope/ascendc/refuse.h>

namespace AscendC {

constexpr int32_t MIX = 0, AIC = 1, AIV = 2;

/* Memory for what kernels print: `size` bytes per core at `dump`. Printed text takes another way here. */
TR_API void InitDump(bool, GM_ADDR, uint32_t) {}
TR_API void InitDump(bool, uint32_t) {}

/* Communication between servers is not modelled. */
template <uint32_t index>
TR_API GM_ADDR GetHcclContext() {
  ::toprope::unsupported("GetHcclContext: communication between NPUs");
  return nullptr;
}
template <uint32_t index>
TR_API void SetHcclContext(GM_ADDR) {
  ::toprope::unsupported("SetHcclContext: communication between NPUs");
}

}  // namespace AscendC

namespace toprope {

/* Version of CANN whose interfaces the headers have, and its day. */
constexpr const char* CANN_VERSION_TEXT = "9.1.0";
constexpr uint64_t CANN_VERSION_NUMBER = 90100000, CANN_DAY = 20260930;

/* Kind of the running core, comparable with AscendC::AIC and AscendC::AIV. A kernel is compiled once for both, so it is no constant. */
struct CoreType {
  operator int32_t() const { return this_core()->kind == TR_CORE_AIC ? AscendC::AIC : AscendC::AIV; }
};

}  // namespace toprope

constexpr ::toprope::CoreType g_coreType{};

/* Where flags between cores live. */
TR_API void set_ffts_base_addr(uint64_t) {}

TR_API void GetCannVersion(char*& text, uint64_t& version, uint64_t& day) {
  text = const_cast<char*>(::toprope::CANN_VERSION_TEXT);
  version = ::toprope::CANN_VERSION_NUMBER;
  day = ::toprope::CANN_DAY;
}

#endif
