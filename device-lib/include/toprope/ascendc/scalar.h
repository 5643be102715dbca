/* What the scalar unit computes: bits of a word, conversions of single numbers. No instruction of a pipe: plain C++. */
#ifndef TOPROPE_ASCENDC_SCALAR_H
#define TOPROPE_ASCENDC_SCALAR_H

#include <math.h>
#include <toprope/ascendc/checks.h>

namespace AscendC {

/* How many bits are countValue. */
template <int countValue>
TR_API int64_t GetBitCount(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1, "GetBitCount: countValue is 0 or 1");
  return __builtin_popcountll(countValue == 1 ? valueIn : ~valueIn);
}
template <int countValue>
TR_API int64_t ScalarGetCountOfValue(uint64_t valueIn) {
  return GetBitCount<countValue>(valueIn);
}
/* Zeros above the highest 1; 64 of 0. */
TR_API int64_t CountLeadingZero(uint64_t valueIn) { return valueIn == 0 ? 64 : __builtin_clzll(valueIn); }
TR_API int64_t ScalarCountLeadingZero(uint64_t valueIn) { return CountLeadingZero(valueIn); }
/* Bits below the sign bit that equal it, down to the first that does not; -1 if all do. */
TR_API int64_t CountBitsCntSameAsSignBit(int64_t valueIn) {
  const uint64_t differ = static_cast<uint64_t>(valueIn ^ (valueIn >> 63));
  return differ == 0 ? -1 : __builtin_clzll(differ) - 1;
}
/* Place of the lowest bit that is countValue; -1 if none is. */
template <int countValue>
TR_API int64_t GetSFFValue(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1, "GetSFFValue: countValue is 0 or 1");
  const uint64_t bits = countValue == 1 ? valueIn : ~valueIn;
  return bits == 0 ? -1 : __builtin_ctzll(bits);
}
template <int countValue>
TR_API int64_t ScalarGetSFFValue(uint64_t valueIn) {
  return GetSFFValue<countValue>(valueIn);
}

}  // namespace AscendC

namespace toprope {

/* The half next to `value` whose last significand bit is 1, unless `value` is one itself. */
inline half to_half_odd(float value) {
  half nearest(value);
  const float back = static_cast<float>(nearest);
  if (value != value || back == value || (nearest.bits & 1) != 0) return nearest;
  nearest.bits = static_cast<uint16_t>(nearest.bits + ((fabsf(back) > fabsf(value)) ? -1 : 1));
  return nearest;
}
/* A whole number in the range of int32_t; NaN is 0. */
inline int32_t to_int32(float whole) {
  if (whole != whole) return 0;
  return whole >= 2147483648.0f ? INT32_MAX : whole <= -2147483648.0f ? INT32_MIN : static_cast<int32_t>(whole);
}

}  // namespace toprope

namespace AscendC {

/* A float as half (CAST_ODD) or int32_t (CAST_ROUND, CAST_CEIL, CAST_FLOOR, CAST_RINT). */
template <typename T, typename U, RoundMode roundMode>
TR_API U Cast(T valueIn) {
  constexpr bool to_half = std::is_same<U, half>::value && roundMode == RoundMode::CAST_ODD;
  constexpr bool to_int = std::is_same<U, int32_t>::value && (roundMode == RoundMode::CAST_ROUND || roundMode == RoundMode::CAST_CEIL ||
                                                              roundMode == RoundMode::CAST_FLOOR || roundMode == RoundMode::CAST_RINT);
  static_assert(std::is_same<T, float>::value && (to_half || to_int),
                "Cast of a scalar: float to half with CAST_ODD, float to int32_t with CAST_ROUND, CAST_CEIL, CAST_FLOOR or CAST_RINT");
  if constexpr (to_half)
    return ::toprope::to_half_odd(valueIn);
  else if constexpr (to_int)
    return ::toprope::to_int32(roundMode == RoundMode::CAST_ROUND   ? roundf(valueIn)
                               : roundMode == RoundMode::CAST_CEIL  ? ceilf(valueIn)
                               : roundMode == RoundMode::CAST_FLOOR ? floorf(valueIn)
                                                                    : rintf(valueIn));
  else
    return U();
}
template <typename T, typename U, RoundMode roundMode>
TR_API U ScalarCast(T valueIn) {
  return Cast<T, U, roundMode>(valueIn);
}
TR_API bfloat16_t Cast(const float& fVal) { return bfloat16_t(fVal); }
TR_API float Cast(const bfloat16_t& bVal) { return static_cast<float>(bVal); }
TR_API bfloat16_t ToBfloat16(const float& fVal) { return bfloat16_t(fVal); }
TR_API float ToFloat(const bfloat16_t& bVal) { return static_cast<float>(bVal); }

}  // namespace AscendC

#endif
