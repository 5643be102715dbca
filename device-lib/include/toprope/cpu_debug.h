/* The names of CANN's CPU debugging: GmAlloc, GmFree, SetKernelMode, ICPU_RUN_KF, ICPU_SET_TILING_KEY.
 *
 * There they run a kernel as a host process; here the kernel runs on the embedded NPU like any other launch, and the call waits for it. Memory
 * of GmAlloc is device memory, which host code may read and write in place.
 */
#ifndef TOPROPE_CPU_DEBUG_H
#define TOPROPE_CPU_DEBUG_H

#include <acl/acl_rt.h>
#include <toprope/ascendc/tiling.h>
#include <toprope/launch.h>

/* Cores that a kernel without __vector__, __cube__ or __mix__ runs on. */
enum class KernelMode { MIX_MODE = 0, AIC_MODE, AIV_MODE };

namespace toprope __attribute__((visibility("hidden"))) {

struct cpu_debug_state {
  KernelMode mode = KernelMode::MIX_MODE;
};
inline cpu_debug_state cpu_debug;

/* Programs for CPU debugging need not set a device. */
inline void use_some_device() {
  aclrtContext context = nullptr;
  if (aclrtGetCurrentContext(&context) != ACL_SUCCESS || context == nullptr) aclrtSetDevice(0);
}

inline void* gm_alloc(size_t size) {
  use_some_device();
  void* memory = nullptr;
  const aclError error = aclrtMalloc(&memory, size == 0 ? 1 : size, ACL_MEM_MALLOC_HUGE_FIRST);
  if (error != ACL_SUCCESS) {
    fprintf(stderr, "toprope: GmAlloc(%zu) failed with %d\n", size, static_cast<int>(error));
    return nullptr;
  }
  aclrtMemset(memory, size, 0, size);
  return memory;
}

template <class... P, class... A>
aclError run_kernel_here(const char* text, void (*function)(P...), uint32_t blocks, A&&... values) {
  static_assert(sizeof...(P) == sizeof...(A), "ICPU_RUN_KF: the kernel takes another number of arguments");
  use_some_device();
  kernel_node* node = find_kernel(reinterpret_cast<const void*>(function));
  if (node != nullptr && node->kernel.kernel_type == TR_KERNEL_AUTO && cpu_debug.mode != KernelMode::MIX_MODE)
    node->kernel.kernel_type = cpu_debug.mode == KernelMode::AIC_MODE ? TR_KERNEL_AIC_ONLY : TR_KERNEL_AIV_ONLY;
  const aclError error = launch_kernel<P...>(function, text, launch_config(blocks, 0).waiting(), static_cast<P>(values)...);
  if (error != ACL_SUCCESS) fprintf(stderr, "toprope: ICPU_RUN_KF(%s) failed with %d\n", text, static_cast<int>(error));
  return error;
}

}  // namespace toprope

namespace AscendC {

using ::KernelMode;
inline void* GmAlloc(size_t size) { return ::toprope::gm_alloc(size); }
inline void GmFree(void* ptr) { aclrtFree(ptr); }
inline void SetKernelMode(KernelMode mode) { ::toprope::cpu_debug.mode = mode; }

}  // namespace AscendC

#define ICPU_RUN_KF(func, numBlocks, ...) ::toprope::run_kernel_here(#func, func, numBlocks, ##__VA_ARGS__)
#define ICPU_SET_TILING_KEY(tilingKey) (::toprope::tiling_key = (tilingKey))

#endif
