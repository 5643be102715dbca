/* What a host asks about the chip (platform_ascendc). Not there yet: every question is refused when it is compiled. */
#ifndef TOPROPE_TILING_PLATFORM_ASCENDC_H
#define TOPROPE_TILING_PLATFORM_ASCENDC_H

#include <stdint.h>
#include <toprope/ascendc/not_there_yet.h>

namespace platform_ascendc {

TR_CLASS_NOT_THERE_YET(PlatformAscendC, "platform_ascendc::PlatformAscendC")

class PlatformAscendCManager {
 public:
  template <class... A>
  static PlatformAscendC* GetInstance(A&&...) {
    static_assert(::toprope::never<A...>::value, TR_NOT_THERE_YET("platform_ascendc::PlatformAscendCManager"));
    return nullptr;
  }
};

}  // namespace platform_ascendc

#endif
