/* Programs include this for the CPU-debug build of CANN; see toprope/cpu_debug.h. */
#ifndef TOPROPE_CPU_DEBUG_LAUNCH_H
#define TOPROPE_CPU_DEBUG_LAUNCH_H
#include <toprope/cpu_debug.h>
#endif
