/* Where the public documentation has MatmulApiTiling. */
#ifndef TOPROPE_LIB_MATMUL_MATMUL_TILING_H
#define TOPROPE_LIB_MATMUL_MATMUL_TILING_H

#include <tiling/tiling_api.h>

#endif
