/* The high-level Matmul. Not there yet: a use is refused where it is written. For products with the basic API (LoadData, Mmad, Fixpipe)
 * include kernel_operator.h. */
#ifndef TOPROPE_LIB_MATMUL_INTF_H
#define TOPROPE_LIB_MATMUL_INTF_H

#include <kernel_operator.h>
#include <kernel_tiling/kernel_tiling.h>
#include <toprope/ascendc/not_there_yet.h>

namespace AscendC {

TR_TEMPLATE_NOT_THERE_YET(Matmul, "the high-level Matmul")

}  // namespace AscendC

/* Where its statement stands; no parameter of it means anything yet. */
#define REGIST_MATMUL_OBJ(...) static_assert(::toprope::never<>::value, TR_NOT_THERE_YET("REGIST_MATMUL_OBJ (the high-level Matmul)"))

#endif
