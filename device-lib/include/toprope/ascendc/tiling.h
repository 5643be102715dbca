/* Tiling data in kernels: GET_TILING_DATA and its family, TILING_KEY_IS.
 *
 * A tiling structure lies in GM as the host wrote it; these macros copy it, or a part of it, into a local variable. REGISTER_TILING_DEFAULT, in the
 * kernel before them, says which structure GET_TILING_DATA means. The tiling key is what ICPU_SET_TILING_KEY set, else 0.
 *
 * Not modelled: structures per tiling key (REGISTER_TILING_FOR_TILINGKEY), structures that host macros (BEGIN_TILING_DATA_DEF) define.
 */
#ifndef TOPROPE_ASCENDC_TILING_H
#define TOPROPE_ASCENDC_TILING_H

#include <string.h>
#include <toprope/core_access.h>

#include <type_traits>

namespace toprope __attribute__((visibility("hidden"))) {

inline uint64_t tiling_key = 0;

/* Where a macro's source is: a pointer, or the thing itself. */
template <class T>
TR_API const void* tiling_place(const T& source) {
  if constexpr (std::is_pointer<T>::value)
    return source;
  else
    return &source;
}

/* A copy of what lies in GM. */
template <class T>
TR_API T tiling_copy(const void* gm) {
  static_assert(std::is_trivially_copyable<T>::value, "tiling data must be trivially copyable");
  TrCore* core = this_core();
  core->scalar_access(core, reinterpret_cast<uint64_t>(gm), sizeof(T), TR_SCALAR_LOAD);
  T copy;
  memcpy(static_cast<void*>(&copy), gm, sizeof(T));
  return copy;
}

}  // namespace toprope

#define REGISTER_TILING_DEFAULT(tiling_struct) using tr_default_tiling [[maybe_unused]] = tiling_struct
#define REGISTER_NONE_TILING
#define GET_TILING_DATA(tiling_data, tiling_arg) GET_TILING_DATA_WITH_STRUCT(tr_default_tiling, tiling_data, tiling_arg)
#define GET_TILING_DATA_WITH_STRUCT(tiling_struct, tiling_data, tiling_arg) const tiling_struct tiling_data = ::toprope::tiling_copy<tiling_struct>(tiling_arg)
#define GET_TILING_DATA_MEMBER(tiling_struct, member, tiling_data, tiling_arg)                     \
  const auto tiling_data = ::toprope::tiling_copy<std::decay_t<decltype(tiling_struct::member)>>( \
      &reinterpret_cast<const tiling_struct*>(tiling_arg)->member)
#define GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, dst_ptr, tiling_ptr) \
  const tiling_struct* dst_ptr = reinterpret_cast<const tiling_struct*>(tiling_ptr)
#define COPY_TILING_WITH_STRUCT(tiling_struct, src_ptr, dst_ptr)                            \
  const tiling_struct tr_copy_of_##dst_ptr = ::toprope::tiling_copy<tiling_struct>(::toprope::tiling_place(src_ptr)); \
  const tiling_struct* dst_ptr = &tr_copy_of_##dst_ptr
#define COPY_TILING_WITH_ARRAY(arr_type, arr_count, src_ptr, dst_ptr)                 \
  struct tr_array_of_##dst_ptr {                                                      \
    arr_type values[arr_count];                                                       \
  };                                                                                  \
  const tr_array_of_##dst_ptr tr_copy_of_##dst_ptr = ::toprope::tiling_copy<tr_array_of_##dst_ptr>(::toprope::tiling_place(src_ptr)); \
  const arr_type(*dst_ptr)[arr_count] = &tr_copy_of_##dst_ptr.values
#define TILING_KEY_IS(key) (::toprope::tiling_key == static_cast<uint64_t>(key))

#endif
