/* Names of the advanced API (tier of whole algorithms: activations, norms, mathematics) that toprope does not have yet.
 *
 * A use is refused by our words, where it is written or at the launch (refuse.h). High-level Matmul is in lib/matmul_intf.h.
 */
#ifndef TOPROPE_ASCENDC_ADV_NOT_YET_H
#define TOPROPE_ASCENDC_ADV_NOT_YET_H

#include <toprope/ascendc/refuse.h>
#include <toprope/ascendc/tensor.h>

namespace AscendC {

/* Mathematics. */
TR_NOT_YET(Acos)
TR_NOT_YET(Acosh)
TR_NOT_YET(Asin)
TR_NOT_YET(Asinh)
TR_NOT_YET(Atan)
TR_NOT_YET(Atanh)
TR_NOT_YET(Ceil)
TR_NOT_YET(ClampMax)
TR_NOT_YET(ClampMin)
TR_NOT_YET(Cos)
TR_NOT_YET(Cosh)
TR_NOT_YET(CumSum)
TR_NOT_YET(Digamma)
TR_NOT_YET(Erf)
TR_NOT_YET(Erfc)
TR_NOT_YET(Floor)
TR_NOT_YET(Fmod)
TR_NOT_YET(Frac)
TR_NOT_YET(Lgamma)
TR_NOT_YET(Log)
TR_NOT_YET(Log2)
TR_NOT_YET(Log10)
TR_NOT_YET(Power)
TR_NOT_YET(Round)
TR_NOT_YET(Sign)
TR_NOT_YET(Sin)
TR_NOT_YET(Sinh)
TR_NOT_YET(Tan)
TR_NOT_YET(Tanh)
TR_NOT_YET(Trunc)
TR_NOT_YET(Xor)

/* Activations. */
TR_NOT_YET(GeGLU)
TR_NOT_YET(Gelu)
TR_NOT_YET(FasterGelu)
TR_NOT_YET(FasterGeluV2)
TR_NOT_YET(LogSoftMax)
TR_NOT_YET(ReGlu)
TR_NOT_YET(Sigmoid)
TR_NOT_YET(Silu)
TR_NOT_YET(SimpleSoftMax)
TR_NOT_YET(SoftmaxFlash)
TR_NOT_YET(SoftmaxFlashV2)
TR_NOT_YET(SoftmaxFlashV3)
TR_NOT_YET(SoftmaxGrad)
TR_NOT_YET(SoftmaxGradFront)
TR_NOT_YET(SwiGLU)
TR_NOT_YET(Swish)

/* Norms, quantisation, random numbers, order. */
TR_NOT_YET(BatchNorm)
TR_NOT_YET(DeepNorm)
TR_NOT_YET(GroupNorm)
TR_NOT_YET(LayerNorm)
TR_NOT_YET(LayerNormGrad)
TR_NOT_YET(LayerNormGradBeta)
TR_NOT_YET(Normalize)
TR_NOT_YET(RmsNorm)
TR_NOT_YET(WelfordFinalize)
TR_NOT_YET(WelfordUpdate)
TR_NOT_YET(AscendAntiQuant)
TR_NOT_YET(AscendDequant)
TR_NOT_YET(DropOut)
TR_NOT_YET(TopK)

/* Forms of names that the basic API has too: Exp in several steps, Axpy with room for temporary data. */
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
TR_API void Exp(const LocalTensor<T>&, const LocalTensor<T>&, const LocalTensor<uint8_t>&, const uint32_t) {
  TR_REQUIRE(sizeof(T) == 0, "Exp with taylorExpandLevel: is not in toprope yet (docs/ascendc-support.md lists what is)");
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
TR_API void Exp(const LocalTensor<T>&, const LocalTensor<T>&, const uint32_t) {
  TR_REQUIRE(sizeof(T) == 0, "Exp with taylorExpandLevel: is not in toprope yet (docs/ascendc-support.md lists what is)");
}
template <typename T, typename U, bool isReuseSource = false>
TR_API void Axpy(const LocalTensor<T>&, const LocalTensor<U>&, const U, const LocalTensor<uint8_t>&, const uint32_t) {
  TR_REQUIRE(sizeof(T) == 0, "Axpy with sharedTmpBuffer: is not in toprope yet (docs/ascendc-support.md lists what is)");
}

}  // namespace AscendC

#endif
