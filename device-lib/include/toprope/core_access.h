/* How kernel code reaches its core: instructions, special registers, scalar accesses, refusals.
 *
 *   Ascend C API ──tr_issue()──▶ core->issue(op, x0..x3)      one AI Core instruction (toprope/isa.h)
 *                ──tr_refuse()─▶ core->refuse(why, …)          a request the hardware or this model cannot take
 *
 * tr_core() is the core of the calling thread (toprope/current_core.h). Kernels of a module are registered in toprope/launch.h.
 */
#ifndef TOPROPE_CORE_ACCESS_H
#define TOPROPE_CORE_ACCESS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <toprope/ascendc/macros.h>
#include <toprope/isa.h>

namespace toprope {

/* A device API was called on the host: there is no core to do it. */
[[noreturn]] TR_COLD inline void no_core() {
  fputs(
      "toprope: an Ascend C device API was called in host code.\n"
      "  help: call it inside a kernel (a __global__ function started with <<<...>>>)\n",
      stderr);
  abort();
}

/* The core of this kernel; never null. */
TR_API TrCore* this_core() {
  TrCore* core = ::tr_core();
  if (TR_UNLIKELY(core == nullptr)) no_core();
  return core;
}

}  // namespace toprope

/* Issues one instruction. Its return address is how a message finds the source line: the asm keeps the call from becoming a tail call,
 * nomerge (with g++ the options -fno-crossjumping -fno-tree-tail-merge) from being shared by two lines. */
TR_API void tr_issue(TrCore* core, uint32_t op, uint64_t x0, uint64_t x1 = 0, uint64_t x2 = 0, uint64_t x3 = 0) {
#if defined(__clang__)
  [[clang::nomerge]] core->issue(core, op, x0, x1, x2, x3);
#else
  core->issue(core, op, x0, x1, x2, x3);
#endif
  __asm__ volatile("");
}

/* Reports a refusal; comes back only for those that are not fatal (ROUNDED_DOWN). */
TR_API void tr_refuse(TrCore* core, uint32_t why, const char* text, uint64_t detail = 0, uint64_t asked = 0, uint64_t limit = 0) {
  core->refuse(core, why, text, detail, asked, limit);
  __asm__ volatile("");
}

/* Refuses when a configuration field would lose bits in its word. A negative value arrives as a huge one. */
TR_API void tr_check_field(TrCore* core, const char* api, uint32_t field, uint64_t asked, uint64_t limit) {
  if (TR_UNLIKELY(asked > limit)) tr_refuse(core, TR_REFUSE_FIELD_RANGE, api, field, asked, limit);
}

#endif
