/* The core that the calling thread works for.
 *
 * One thread-local pointer per module (executable or shared object). The engine stores into it, through TrKernelModule::set_core,
 * before every entry or resumption of a block. It is NULL in host code.
 */
#ifndef TOPROPE_CURRENT_CORE_H
#define TOPROPE_CURRENT_CORE_H

#include <toprope/core.h>

namespace toprope __attribute__((visibility("hidden"))) {

inline __attribute__((visibility("hidden"))) __thread TrCore* current_core = nullptr;

inline void set_current_core(TrCore* core) { current_core = core; }

}  // namespace toprope

/* The core this code runs on; NULL in host code. */
static inline __attribute__((always_inline)) TrCore* tr_core() { return ::toprope::current_core; }

#endif
