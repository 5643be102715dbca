/* Keywords and qualifiers of Ascend C that a host compiler does not know.
 *
 * A toolchain that rewrites launches preprocesses with -D__TOPROPE_REWRITE__: the qualifiers that tell what a function is then stay in the
 * text for the rewriter. Everything else is always a macro. Address spaces mean nothing here: local memories and GM are ordinary memory.
 */
#ifndef TOPROPE_ASCENDC_MACROS_H
#define TOPROPE_ASCENDC_MACROS_H

#include <toprope/core.h>
#include <toprope/current_core.h>

/* Architecture of the whole translation unit, host code included. */
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif
#if __NPU_ARCH__ != 2201
#error "toprope models NpuArch 2201 (dav-2201) only: compile without -D__NPU_ARCH__ or with 2201"
#endif

#ifndef __TOPROPE_REWRITE__
#define __global__
#define __aicore__
#define __vector__
#define __cube__
#define __mix__(...)
#define __kfc_workspace__
/* An array declared with it lies in UB: the toolchain rewrites the declaration (toprope/ub_array.h). */
#define __ubuf__
/* Kernel type of a kernel without a qualifier, written in its body; per tiling key: says nothing more. */
#define KERNEL_TASK_TYPE_DEFAULT(kind)
#define KERNEL_TASK_TYPE(key, kind)
#endif

#define __gm__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __biasbuf__
#define __in_pipe__(...)
#define __out_pipe__(...)
#define __inout_pipe__(...)
#define __sync_alias__
#define __sync_noalias__
/* How kernels of several streams share the cores. Each launch has the whole chip here. */
#define __schedmode__(...)

#define GM_ADDR uint8_t*

/* Core tests, used as `if ASCEND_IS_AIV { … }`. A kernel is compiled once, so they are decided at run time. */
#define ASCEND_IS_AIV (::tr_core()->kind == TR_CORE_AIV)
#define ASCEND_IS_AIC (::tr_core()->kind == TR_CORE_AIC)
#define ASCEND_IS_NOT_AIV (::tr_core()->kind != TR_CORE_AIV)
#define ASCEND_IS_NOT_AIC (::tr_core()->kind != TR_CORE_AIC)

/* Every API function: its code must lie in the caller, so that messages show the caller's line. */
#define TR_API inline __attribute__((always_inline))
/* Paths that report and do not come back: kept out of the caller's code. */
#define TR_COLD __attribute__((noinline, cold))
#define TR_LIKELY(x) __builtin_expect(!!(x), 1)
#define TR_UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif
