/* The high-level Matmul: C = A x B + bias, cut into base blocks by a tiling, on the cube core. The parts are in toprope/ascendc/matmul/.
 *
 * With ASCENDC_CUBE_ONLY defined before this header the object works on the cube core that runs the kernel. Without it the kernel runs on vector
 * cores, too, and its calls there are requests to the block's cube core (toprope/ascendc/matmul/message.h).
 */
#ifndef TOPROPE_LIB_MATMUL_INTF_H
#define TOPROPE_LIB_MATMUL_INTF_H

#include <toprope/ascendc/matmul/client.h>
#include <toprope/ascendc/matmul/regist.h>

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>, MATMUL_POLICY_DEFAULT_OF(MatmulPolicy)>
#ifdef ASCENDC_CUBE_ONLY
using Matmul = MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>;
#else
using Matmul = MatmulClient<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>;
#endif

}  // namespace AscendC

/* Older name of the namespace. */
namespace matmul = AscendC;

#ifdef ASCENDC_CUBE_ONLY
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) TR_REGIST_ON_CUBE(tpipe, workspace, __VA_ARGS__)
#else
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) TR_REGIST_MIXED(tpipe, workspace, __VA_ARGS__)
#endif
#define REGIST_MATMUL_OBJ_STATIC REGIST_MATMUL_OBJ

#endif
