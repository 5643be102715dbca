/* The Ascend C basic API of toprope, for kernels and the host code beside them.
 *
 * One header for users; the families are in toprope/ascendc/. Written from the public documentation; only NpuArch 2201 is modelled.
 */
#ifndef TOPROPE_KERNEL_OPERATOR_H
#define TOPROPE_KERNEL_OPERATOR_H

#include <kernel_tiling/kernel_tiling.h>
#include <toprope/ascendc/adv_not_yet.h>
#include <toprope/ascendc/aipp.h>
#include <toprope/ascendc/atomic.h>
#include <toprope/ascendc/cast.h>
#include <toprope/ascendc/compare.h>
#include <toprope/ascendc/compound.h>
#include <toprope/ascendc/cube_image.h>
#include <toprope/ascendc/data_copy.h>
#include <toprope/ascendc/data_copy_nz.h>
#include <toprope/ascendc/dcache.h>
#include <toprope/ascendc/dump.h>
#include <toprope/ascendc/duplicate.h>
#include <toprope/ascendc/gather.h>
#include <toprope/ascendc/fill.h>
#include <toprope/ascendc/generated.h>
#include <toprope/ascendc/gm_access.h>
#include <toprope/ascendc/intercore.h>
#include <toprope/ascendc/fixpipe.h>
#include <toprope/ascendc/interpolate.h>
#include <toprope/ascendc/mmad.h>
#include <toprope/ascendc/layout.h>
#include <toprope/ascendc/list_tensor.h>
#include <toprope/ascendc/print.h>
#include <toprope/ascendc/quant.h>
#include <toprope/ascendc/reduce.h>
#include <toprope/ascendc/registers.h>
#include <toprope/ascendc/scalar.h>
#include <toprope/ascendc/softmax.h>
#include <toprope/ascendc/rearrange.h>
#include <toprope/ascendc/sort.h>
#include <toprope/ascendc/std.h>
#include <toprope/ascendc/sync.h>
#include <toprope/ascendc/sysvar.h>
#include <toprope/ascendc/tensor.h>
#include <toprope/ascendc/tiling.h>
#include <toprope/ascendc/tpipe.h>
#include <toprope/ascendc/vec_binary.h>
#include <toprope/ascendc/vec_unary.h>
#include <toprope/ub_array.h>

#endif
