/* Where the public documentation has MultiCoreMatmulTiling and BatchMatmulTiling. */
#ifndef TOPROPE_LIB_MATMUL_BMM_TILING_H
#define TOPROPE_LIB_MATMUL_BMM_TILING_H

#include <tiling/tiling_api.h>

#endif
