/* `__ubuf__ T name[N];` in a kernel: memory of UB, where a host compiler would take the stack.
 *
 * The launch rewriter turns the declaration into an owner and a reference to its array (toolchain/src/launch/ubuf.rs). Arrays are given out from
 * the start of UB, one behind the other at multiples of 32 bytes, and given back at the end of their scope. A kernel that also has a TPipe or a
 * LocalMemAllocator would get the same bytes twice, as nothing tells one of the other: it keeps to one of them.
 */
#ifndef TOPROPE_UB_ARRAY_H
#define TOPROPE_UB_ARRAY_H

#include <toprope/core_access.h>

namespace toprope {

/* Word of TrCore::kernel_side that counts the bytes given out. */
constexpr unsigned UB_ARRAY_BYTES = 4;
constexpr uint64_t UB_BYTES = 192 * 1024;

template <class Array>
class UbArray {
 public:
  TR_API explicit UbArray(const char* name) : core_(this_core()) {
    const uint64_t offset = core_->kernel_side[UB_ARRAY_BYTES];
    core_->kernel_side[UB_ARRAY_BYTES] = offset + BYTES;
    core_->annotate(core_, TR_NOTE_BUFFER, name, TR_SPACE_UB, offset, BYTES, reinterpret_cast<uint64_t>(this));
    if (TR_UNLIKELY(offset + BYTES > UB_BYTES)) tr_refuse(core_, TR_REFUSE_CAPACITY, name, TR_SPACE_UB, offset + BYTES, UB_BYTES);
    array_ = reinterpret_cast<Array*>(core_->region + (static_cast<uint64_t>(TR_SPACE_UB) << TR_SPACE_SHIFT) + offset);
  }
  TR_API ~UbArray() { core_->kernel_side[UB_ARRAY_BYTES] -= BYTES; }
  UbArray(const UbArray&) = delete;
  UbArray& operator=(const UbArray&) = delete;
  TR_API Array& Get() const { return *array_; }

 private:
  static constexpr uint64_t BYTES = (sizeof(Array) + 31) / 32 * 32;
  TrCore* core_;
  Array* array_;
};

}  // namespace toprope

#endif
