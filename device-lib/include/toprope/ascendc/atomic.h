/* Atomics of copies to GM, and the register of atomic scalar stores.
 *
 * SetAtomicAdd, SetAtomicMax and SetAtomicMin turn every later copy to GM of this core (from UB, L1 and L0C) into a read-modify-write, until
 * DisableDmaAtomic. Operation and type are two fields of CTRL; SetAtomicType changes the type alone.
 *
 * Not on dav-2201: the scalar atomics AtomicAdd, AtomicMax, AtomicMin, AtomicCas and AtomicExch; they do not compile.
 */
#ifndef TOPROPE_ASCENDC_ATOMIC_H
#define TOPROPE_ASCENDC_ATOMIC_H

#include <toprope/ascendc/mask.h>

namespace toprope {

/* Writes bits [lo, lo + width) of CTRL. */
TR_API void set_ctrl_bits(TrCore* core, uint32_t lo, uint32_t width, uint64_t value) {
  const uint64_t mask = ((1ull << width) - 1) << lo;
  tr_issue(core, TR_OP_SET_CTRL, (core->read_spr(core, TR_SPR_CTRL) & ~mask) | (value << lo & mask));
}

/* Number of T as the type of an atomic; 0: none. */
template <class T>
constexpr uint64_t atomic_type = std::is_same<T, float>::value        ? 1
                                 : std::is_same<T, half>::value       ? 2
                                 : std::is_same<T, int16_t>::value    ? 3
                                 : std::is_same<T, int32_t>::value    ? 4
                                 : std::is_same<T, int8_t>::value     ? 5
                                 : std::is_same<T, bfloat16_t>::value ? 6
                                                                      : 0;
/* Numbers of the operations. */
enum atomic_operation : uint64_t { ATOMIC_ADD = 0, ATOMIC_MAX = 1, ATOMIC_MIN = 2 };
constexpr uint32_t ATOMIC_FIELDS_WIDTH = 5; /* type 3 bits, operation 2 bits */

template <class T>
TR_API void set_atomic(uint64_t operation) {
  set_ctrl_bits(this_core(), TR_CTRL_ATOMIC_TYPE_LO, ATOMIC_FIELDS_WIDTH, atomic_type<T> | operation << 3);
}

}  // namespace toprope

namespace AscendC {

/* Ends DMA atomics: later copies to GM store. */
TR_API void DisableDmaAtomic() {
  TrCore* core = ::toprope::this_core();
  for (uint64_t bit = TR_CTRL_ATOMIC_TYPE_LO; bit < TR_CTRL_ATOMIC_TYPE_LO + 3; ++bit) tr_issue(core, TR_OP_SBITSET0, bit);
}
TR_API void SetAtomicNone() { DisableDmaAtomic(); }

#define TR_ATOMIC_TYPE(Api) \
  static_assert(::toprope::atomic_type<T> != 0, #Api ": this data type is not supported on dav-2201; supported: int8_t, int16_t, half, bfloat16_t, int32_t, float")

template <typename T>
TR_API void SetAtomicType() {
  TR_ATOMIC_TYPE(SetAtomicType);
  ::toprope::set_ctrl_bits(::toprope::this_core(), TR_CTRL_ATOMIC_TYPE_LO, 3, ::toprope::atomic_type<T>);
}
template <typename T>
TR_API void SetAtomicAdd() {
  TR_ATOMIC_TYPE(SetAtomicAdd);
  ::toprope::set_atomic<T>(::toprope::ATOMIC_ADD);
}
template <typename T>
TR_API void SetAtomicMax() {
  TR_ATOMIC_TYPE(SetAtomicMax);
  ::toprope::set_atomic<T>(::toprope::ATOMIC_MAX);
}
template <typename T>
TR_API void SetAtomicMin() {
  TR_ATOMIC_TYPE(SetAtomicMin);
  ::toprope::set_atomic<T>(::toprope::ATOMIC_MIN);
}
#undef TR_ATOMIC_TYPE

/* The register of atomic scalar stores. No instruction of this model looks at it. */
template <AtomicDtype type, AtomicOp op>
TR_API void SetStoreAtomicConfig() {
  static_assert(type >= AtomicDtype::ATOMIC_NONE && type <= AtomicDtype::ATOMIC_BF16, "SetStoreAtomicConfig: type is ATOMIC_NONE to ATOMIC_BF16");
  static_assert(op == AtomicOp::ATOMIC_SUM, "SetStoreAtomicConfig: the only operation is ATOMIC_SUM");
  tr_issue(::toprope::this_core(), TR_OP_SET_ST_ATOMIC_CFG, static_cast<uint64_t>(type) | static_cast<uint64_t>(op) << 3);
}
TR_API int64_t GetStoreAtomicConfig() {
  TrCore* core = ::toprope::this_core();
  return static_cast<int64_t>(core->read_spr(core, TR_SPR_ST_ATOMIC_CFG));
}
TR_API void GetStoreAtomicConfig(uint16_t& atomicType, uint16_t& atomicOp) {
  const int64_t config = GetStoreAtomicConfig();
  atomicType = static_cast<uint16_t>(config & 7);
  atomicOp = static_cast<uint16_t>(config >> 3 & 3);
}

#define TR_NO_SCALAR_ATOMIC(Api)                                                                                                              \
  template <typename T, typename... Args>                                                                                                     \
  TR_API T Api(T*, Args...) {                                                                                                                 \
    static_assert(sizeof(T) == 0, #Api ": not available on dav-2201 (Ascend 950 only); use SetAtomicAdd, SetAtomicMax or SetAtomicMin and a copy"); \
    return T();                                                                                                                               \
  }
TR_NO_SCALAR_ATOMIC(AtomicAdd)
TR_NO_SCALAR_ATOMIC(AtomicMax)
TR_NO_SCALAR_ATOMIC(AtomicMin)
TR_NO_SCALAR_ATOMIC(AtomicCas)
TR_NO_SCALAR_ATOMIC(AtomicExch)
#undef TR_NO_SCALAR_ATOMIC

}  // namespace AscendC

/* The compiler intrinsics of the same meaning. */
TR_API void set_atomic_none() { AscendC::DisableDmaAtomic(); }

#endif
