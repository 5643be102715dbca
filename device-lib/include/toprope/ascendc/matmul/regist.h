/* REGIST_MATMUL_OBJ of kernels that run on cube cores only: pairs of an object and its tiling. */
#ifndef TOPROPE_ASCENDC_MATMUL_REGIST_H
#define TOPROPE_ASCENDC_MATMUL_REGIST_H

#include <toprope/ascendc/matmul/impl.h>

namespace toprope __attribute__((visibility("hidden"))) {

TR_API void init_objects(AscendC::TPipe*) {}
/* One object without a tiling: Init comes later. */
template <class Object>
TR_API void init_objects(AscendC::TPipe*, Object&) {}
template <class Object, class Tiling, class... Rest>
TR_API void init_objects(AscendC::TPipe* pipe, Object& object, Tiling* tiling, Rest&&... rest) {
  object.Init(tiling, pipe);
  init_objects(pipe, rest...);
}
template <class Object, class... Rest>
TR_API void init_objects(AscendC::TPipe* pipe, Object& object, const TCubeTiling& tiling, Rest&&... rest) {
  object.Init(&tiling, pipe);
  init_objects(pipe, rest...);
}

}  // namespace toprope

/* A kernel without a core qualifier runs on cube cores then. */
#define TR_REGIST_ON_CUBE(tpipe, workspace, ...)       \
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);      \
  do {                                                 \
    static_cast<void>(workspace);                      \
    ::toprope::init_objects(tpipe, __VA_ARGS__);       \
  } while (false)

#endif
