/* Host side tiling of the high-level APIs. Not there yet: the classes are refused where one is made. */
#ifndef TOPROPE_TILING_TILING_API_H
#define TOPROPE_TILING_TILING_API_H

#include <tiling/platform/platform_ascendc.h>
#include <toprope/ascendc/not_there_yet.h>

namespace matmul_tiling {

TR_CLASS_NOT_THERE_YET(MatmulApiTiling, "matmul_tiling::MatmulApiTiling")
TR_CLASS_NOT_THERE_YET(MultiCoreMatmulTiling, "matmul_tiling::MultiCoreMatmulTiling")
TR_CLASS_NOT_THERE_YET(BatchMatmulTiling, "matmul_tiling::BatchMatmulTiling")

}  // namespace matmul_tiling

#endif
