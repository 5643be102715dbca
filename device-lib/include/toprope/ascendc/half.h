/* half, bfloat16_t and int4b_t, usable in host and device code.
 *
 * half and bfloat16_t hold bits and compute in float: an operation rounds once, to nearest even, as the scalar unit does. Conversions
 * between arithmetic types and these are implicit, as they are for the built-in types of the AI Core compiler.
 */
#ifndef TOPROPE_ASCENDC_HALF_H
#define TOPROPE_ASCENDC_HALF_H

#include <stdint.h>
#include <string.h>

#include <limits>
#include <type_traits>

#if defined(__has_builtin)
#if __has_builtin(__builtin_bit_cast)
#define TR_HAS_BIT_CAST 1
#endif
#endif

namespace toprope {

/* Conversions of half and bfloat16_t are constant expressions where the compiler can reinterpret bits in one (g++ 11, clang++ 9). */
#ifdef TR_HAS_BIT_CAST
#define TR_BITS_CONSTEXPR constexpr
template <class To, class From>
constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}
#else
#define TR_BITS_CONSTEXPR inline
template <class To, class From>
inline To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast between types of different size");
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}
#endif

/* A float format of 16 bits: widths of exponent and fraction. */
template <int ExponentBits, int FractionBits>
struct small_float {
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr uint16_t infinity = ((1u << ExponentBits) - 1) << FractionBits;
  static constexpr uint16_t quiet_nan = infinity | (1u << (FractionBits - 1));

  /* Rounds to nearest, ties to even. A float is exactly a double, so there is one rounding for both. */
  static TR_BITS_CONSTEXPR uint16_t from(double value) {
    const uint64_t bits = bit_cast<uint64_t>(value);
    const uint16_t sign = static_cast<uint16_t>(bits >> 48) & 0x8000u;
    const int exponent = static_cast<int>((bits >> 52) & 0x7ff);
    const uint64_t fraction = bits & 0xfffffffffffffull;
    if (exponent == 0x7ff) return fraction != 0 ? static_cast<uint16_t>(sign | quiet_nan) : static_cast<uint16_t>(sign | infinity);
    const int e = exponent - 1023 + bias; /* biased exponent of the result before rounding */
    if (e >= (1 << ExponentBits) - 1) return static_cast<uint16_t>(sign | infinity);
    if (e < -FractionBits || exponent == 0) return sign; /* below half of the smallest subnormal (a double subnormal is, too) */
    const uint64_t significand = fraction | (1ull << 52);
    const int shift = 52 - FractionBits + (e >= 1 ? 0 : 1 - e);
    const uint64_t kept = significand >> shift;
    const uint64_t rest = significand & ((1ull << shift) - 1);
    const uint64_t tie = 1ull << (shift - 1);
    const uint64_t rounded = kept + (rest > tie || (rest == tie && (kept & 1)) ? 1 : 0);
    /* The hidden bit adds one to the exponent field, a carry out of the fraction does the right thing. */
    const uint64_t biased = e >= 1 ? (static_cast<uint64_t>(e - 1) << FractionBits) : 0;
    return static_cast<uint16_t>(sign | (biased + rounded));
  }

  static TR_BITS_CONSTEXPR float to_float(uint16_t bits) {
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
    const uint32_t magnitude = bits & 0x7fffu;
    if (magnitude >= infinity) return bit_cast<float>(sign | 0x7f800000u | ((magnitude & (infinity ^ 0x7fffu)) << (23 - FractionBits)));
    if ((magnitude & infinity) == 0) { /* zero or subnormal: fraction * 2^(1 - bias - FractionBits), exact in float */
      const float unit = bit_cast<float>(static_cast<uint32_t>(127 + 1 - bias - FractionBits + (ExponentBits == 8 ? 32 : 0)) << 23);
      const float scale = ExponentBits == 8 ? bit_cast<float>(static_cast<uint32_t>(127 - 32) << 23) : 1.0f;
      const float value = static_cast<float>(magnitude) * unit * scale;
      return sign != 0 ? -value : value;
    }
    return bit_cast<float>(sign | ((magnitude << (23 - FractionBits)) + (static_cast<uint32_t>(127 - bias) << 23)));
  }
};

template <class T>
constexpr bool is_number = std::is_arithmetic<T>::value;

}  // namespace toprope

/* A 16-bit float type `Name` with `Format`. Operators with a built-in type follow its rule: float and double win, integers do not. */
#define TR_SMALL_FLOAT(Name, Format)                                                                                                \
  struct Name {                                                                                                                     \
    uint16_t bits;                                                                                                                  \
    Name() = default;                                                                                                               \
    template <class T, std::enable_if_t<::toprope::is_number<T>, int> = 0>                                                          \
    TR_BITS_CONSTEXPR Name(T value) : bits(Format::from(static_cast<double>(value))) {}                                             \
    TR_BITS_CONSTEXPR operator float() const { return Format::to_float(bits); }                                                     \
    static constexpr Name from_bits(uint16_t bits) { return Name(bits, 0); }                                                        \
    TR_BITS_CONSTEXPR Name& operator+=(Name b) { return *this = Name(float(*this) + float(b)); }                                    \
    TR_BITS_CONSTEXPR Name& operator-=(Name b) { return *this = Name(float(*this) - float(b)); }                                    \
    TR_BITS_CONSTEXPR Name& operator*=(Name b) { return *this = Name(float(*this) * float(b)); }                                    \
    TR_BITS_CONSTEXPR Name& operator/=(Name b) { return *this = Name(float(*this) / float(b)); }                                    \
    TR_BITS_CONSTEXPR Name& operator++() { return *this += Name(1); }                                                               \
    TR_BITS_CONSTEXPR Name& operator--() { return *this -= Name(1); }                                                               \
    constexpr Name operator+() const { return *this; }                                                                              \
    constexpr Name operator-() const { return from_bits(bits ^ 0x8000u); }                                                          \
                                                                                                                                    \
   private:                                                                                                                         \
    constexpr Name(uint16_t raw, int) : bits(raw) {}                                                                                \
  };                                                                                                                                \
  static_assert(sizeof(Name) == 2 && std::is_trivial<Name>::value, "a plain 16-bit value");                                         \
  TR_SMALL_FLOAT_OPERATOR(Name, +)                                                                                                  \
  TR_SMALL_FLOAT_OPERATOR(Name, -)                                                                                                  \
  TR_SMALL_FLOAT_OPERATOR(Name, *)                                                                                                  \
  TR_SMALL_FLOAT_OPERATOR(Name, /)                                                                                                  \
  TR_SMALL_FLOAT_COMPARE(Name, ==)                                                                                                  \
  TR_SMALL_FLOAT_COMPARE(Name, !=)                                                                                                  \
  TR_SMALL_FLOAT_COMPARE(Name, <)                                                                                                   \
  TR_SMALL_FLOAT_COMPARE(Name, <=)                                                                                                  \
  TR_SMALL_FLOAT_COMPARE(Name, >)                                                                                                   \
  TR_SMALL_FLOAT_COMPARE(Name, >=)

#define TR_SMALL_FLOAT_OPERATOR(Name, op)                                                                                           \
  TR_BITS_CONSTEXPR Name operator op(Name a, Name b) { return Name(float(a) op float(b)); }                                         \
  template <class T, std::enable_if_t<::toprope::is_number<T>, int> = 0>                                                            \
  TR_BITS_CONSTEXPR auto operator op(Name a, T b) {                                                                                 \
    if constexpr (std::is_floating_point<T>::value) return float(a) op b;                                                           \
    else return Name(float(a) op float(Name(b)));                                                                                   \
  }                                                                                                                                 \
  template <class T, std::enable_if_t<::toprope::is_number<T>, int> = 0>                                                            \
  TR_BITS_CONSTEXPR auto operator op(T a, Name b) {                                                                                 \
    if constexpr (std::is_floating_point<T>::value) return a op float(b);                                                           \
    else return Name(float(Name(a)) op float(b));                                                                                   \
  }

#define TR_SMALL_FLOAT_COMPARE(Name, op)                                                                                            \
  TR_BITS_CONSTEXPR bool operator op(Name a, Name b) { return float(a) op float(b); }                                               \
  template <class T, std::enable_if_t<::toprope::is_number<T>, int> = 0>                                                            \
  TR_BITS_CONSTEXPR bool operator op(Name a, T b) {                                                                                 \
    return float(a) op b;                                                                                                           \
  }                                                                                                                                 \
  template <class T, std::enable_if_t<::toprope::is_number<T>, int> = 0>                                                            \
  TR_BITS_CONSTEXPR bool operator op(T a, Name b) {                                                                                 \
    return a op float(b);                                                                                                           \
  }

namespace toprope {
using half_format = small_float<5, 10>;
using bfloat16_format = small_float<8, 7>;
}  // namespace toprope

TR_SMALL_FLOAT(half, ::toprope::half_format)
TR_SMALL_FLOAT(bfloat16_t, ::toprope::bfloat16_format)

namespace std {
template <>
struct numeric_limits<half> : numeric_limits<float> {
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int min_exponent = -13;
  static constexpr int min_exponent10 = -4;
  static constexpr int max_exponent = 16;
  static constexpr int max_exponent10 = 4;
  static constexpr half min() noexcept { return half::from_bits(0x0400); }
  static constexpr half max() noexcept { return half::from_bits(0x7bff); }
  static constexpr half lowest() noexcept { return half::from_bits(0xfbff); }
  static constexpr half epsilon() noexcept { return half::from_bits(0x1400); }
  static constexpr half round_error() noexcept { return half::from_bits(0x3800); }
  static constexpr half infinity() noexcept { return half::from_bits(0x7c00); }
  static constexpr half quiet_NaN() noexcept { return half::from_bits(0x7e00); }
  static constexpr half signaling_NaN() noexcept { return half::from_bits(0x7d00); }
  static constexpr half denorm_min() noexcept { return half::from_bits(0x0001); }
};
template <>
struct numeric_limits<bfloat16_t> : numeric_limits<float> {
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr bfloat16_t min() noexcept { return bfloat16_t::from_bits(0x0080); }
  static constexpr bfloat16_t max() noexcept { return bfloat16_t::from_bits(0x7f7f); }
  static constexpr bfloat16_t lowest() noexcept { return bfloat16_t::from_bits(0xff7f); }
  static constexpr bfloat16_t epsilon() noexcept { return bfloat16_t::from_bits(0x3c00); }
  static constexpr bfloat16_t round_error() noexcept { return bfloat16_t::from_bits(0x3f00); }
  static constexpr bfloat16_t infinity() noexcept { return bfloat16_t::from_bits(0x7f80); }
  static constexpr bfloat16_t quiet_NaN() noexcept { return bfloat16_t::from_bits(0x7fc0); }
  static constexpr bfloat16_t signaling_NaN() noexcept { return bfloat16_t::from_bits(0x7fa0); }
  static constexpr bfloat16_t denorm_min() noexcept { return bfloat16_t::from_bits(0x0001); }
};
}  // namespace std

namespace AscendC {

/* A signed 4-bit integer. One value takes a byte here; in a tensor two of them share one, the first in the low half. */
struct int4b_t {
  uint8_t storage;
  int4b_t() = default;
  template <class T, std::enable_if_t<::toprope::is_number<T>, int> = 0>
  constexpr int4b_t(T value) : storage(static_cast<uint8_t>(static_cast<int>(value) & 0xf)) {}
  constexpr operator int() const { return static_cast<int>((storage & 0xf) ^ 8) - 8; }
};
static_assert(sizeof(int4b_t) == 1 && std::is_trivial<int4b_t>::value, "a plain byte");

/* Bits of one element in a tensor. */
template <class T>
constexpr uint32_t element_bits = std::is_same<T, int4b_t>::value ? 4 : 8 * sizeof(T);
template <class T>
struct SizeOfBits {
  static constexpr uint32_t value = element_bits<T>;
};

using ::bfloat16_t;
using ::half;

}  // namespace AscendC

using AscendC::int4b_t;

#endif
