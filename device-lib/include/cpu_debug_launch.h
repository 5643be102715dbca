/* Programs include this for the CPU-debug build of CANN. Launching is the toolchain's business here: nothing to add. */
#ifndef TOPROPE_CPU_DEBUG_LAUNCH_H
#define TOPROPE_CPU_DEBUG_LAUNCH_H
#endif
