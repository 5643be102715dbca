/* Checks before packing, and which data types an API takes.
 *
 * A field that silently loses its high bits is a real bug class: public signatures take uint8_t and uint16_t, so a wide value is cut at the
 * call. Here these parameters and struct members are Narrow<uint8_t> and the like, which keep the value the kernel wrote until it is checked
 * against the width of the hardware field.
 */
#ifndef TOPROPE_ASCENDC_CHECKS_H
#define TOPROPE_ASCENDC_CHECKS_H

#include <toprope/ascendc/enums.h>
#include <toprope/ascendc/half.h>
#include <toprope/core_access.h>

#include <limits>
#include <type_traits>

namespace toprope {

/* A parameter whose public type is the unsigned T: remembers what was given, reads as T. */
template <class T>
class Narrow {
 public:
  Narrow() = default;
  template <class A, std::enable_if_t<std::is_arithmetic<A>::value || std::is_enum<A>::value, int> = 0>
  constexpr Narrow(A given) : given_(static_cast<uint64_t>(given)) {}
  /* From a field of another width. What is too wide for this one is seen when this one is checked; what was too wide for a narrower one is
   * cut on the card before it comes here, so that is an error now. */
  template <class O, std::enable_if_t<!std::is_same<O, T>::value, int> = 0>
  constexpr Narrow(const Narrow<O>& other) : given_(sizeof(O) < sizeof(T) ? other.uncut() : other.wide()) {}
  constexpr operator T() const { return static_cast<T>(given_); }
  /* As given; a negative value is huge. */
  constexpr uint64_t wide() const { return given_; }
  /* As given, which must fit T. */
  constexpr uint64_t uncut() const {
    if (TR_UNLIKELY(given_ > std::numeric_limits<T>::max())) refuse_cut(given_);
    return given_;
  }
  Narrow& operator+=(uint64_t more) { return given_ += more, *this; }
  Narrow& operator-=(uint64_t less) { return given_ -= less, *this; }
  Narrow& operator*=(uint64_t factor) { return given_ *= factor, *this; }
  Narrow& operator++() { return ++given_, *this; }
  Narrow& operator--() { return --given_, *this; }
  T operator++(int) { return static_cast<T>(given_++); }
  T operator--(int) { return static_cast<T>(given_--); }

 private:
  static void refuse_cut(uint64_t given) {
    if (TrCore* core = ::tr_core())
      tr_refuse(core, TR_REFUSE_FIELD_RANGE, "assignment to a wider field", ~0u, given, std::numeric_limits<T>::max());
  }

  uint64_t given_;
};
using U8 = Narrow<uint8_t>;
using U16 = Narrow<uint16_t>;
using U32 = Narrow<uint32_t>;

/* Whether T is one of List. */
template <class T, class... List>
constexpr bool one_of = (std::is_same<T, List>::value || ...);

/* Every data type there is on the hardware or in C++. */
template <class T>
constexpr bool is_data_type = one_of<T, bool, AscendC::int4b_t, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float,
                                     int64_t, uint64_t, double>;

/* The entry of a type → instruction list. */
template <class T, uint32_t Op>
struct entry {
  using type = T;
  static constexpr uint32_t op = Op;
};

/* The instruction that a list names for T; TR_OP_COUNT if there is none. */
template <class T, class... Entries>
constexpr uint32_t op_for() {
  uint32_t found = TR_OP_COUNT;
  ((found = std::is_same<T, typename Entries::type>::value ? Entries::op : found), ...);
  return found;
}

/* The bits of a scalar operand, zero-extended. */
template <class T>
TR_API uint64_t scalar_bits(T value) {
  static_assert(sizeof(T) <= 8, "a scalar has at most 64 bits");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof(T));
  return bits;
}

/* A count of elements; negative means a bug in the kernel. */
TR_API uint64_t checked_count(TrCore* core, const char* api, int64_t count) {
  if (TR_UNLIKELY(count < 0)) tr_refuse(core, TR_REFUSE_OUT_OF_RANGE, api, 0, static_cast<uint64_t>(count), INT32_MAX);
  return static_cast<uint64_t>(count);
}

/* An API or form that toprope does not model. */
TR_API void unsupported(const char* what) { tr_refuse(this_core(), TR_REFUSE_UNSUPPORTED, what); }

}  // namespace toprope

#endif
