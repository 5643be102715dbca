/* Tiling structures that kernels of the high-level APIs take. Not there yet: TCubeTiling is declared, so that signatures compile; a value of
 * it is not. */
#ifndef TOPROPE_KERNEL_TILING_KERNEL_TILING_H
#define TOPROPE_KERNEL_TILING_KERNEL_TILING_H

struct TCubeTiling;

#endif
