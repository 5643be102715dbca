/* The header of CANN's CPU-debug library; see toprope/cpu_debug.h. */
#ifndef TOPROPE_TIKICPULIB_H
#define TOPROPE_TIKICPULIB_H
#include <toprope/ascendc/print.h>
#include <toprope/cpu_debug.h>
#endif
