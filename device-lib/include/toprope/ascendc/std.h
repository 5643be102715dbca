/* AscendC::Std: the parts of the standard library that kernels use under that name. */
#ifndef TOPROPE_ASCENDC_STD_H
#define TOPROPE_ASCENDC_STD_H

#include <toprope/ascendc/checks.h>

#include <tuple>
#include <type_traits>
#include <utility>

namespace AscendC {

/* The older names of these two, outside of Std. */
template <bool condition, typename T, typename F>
struct Conditional : std::conditional<condition, T, F> {};
template <typename T, typename U>
struct IsSameType : std::is_same<T, U> {};

namespace Std {

using std::add_const;
using std::add_const_t;
using std::add_cv;
using std::add_cv_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::add_volatile_t;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::declval;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::forward;
using std::get;
using std::index_sequence;
using std::index_sequence_for;
using std::integer_sequence;
using std::integral_constant;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_class;
using std::is_class_v;
using std::is_const;
using std::is_const_v;
using std::is_constructible;
using std::is_convertible;
using std::is_convertible_v;
using std::is_enum;
using std::is_function;
using std::is_function_v;
using std::is_integral;
using std::is_integral_v;
using std::is_lvalue_reference;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_rvalue_reference;
using std::is_same;
using std::is_same_v;
using std::is_signed;
using std::is_union;
using std::is_unsigned;
using std::is_void;
using std::is_void_v;
using std::is_volatile;
using std::make_index_sequence;
using std::make_integer_sequence;
using std::make_tuple;
using std::move;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_extent;
using std::remove_extent_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::tie;
using std::true_type;
using std::tuple;
using std::tuple_cat;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;
using std::void_t;

/* half counts as floating point. */
template <typename T>
struct is_floating_point
    : std::integral_constant<bool, std::is_floating_point<T>::value || ::toprope::one_of<std::remove_cv_t<T>, half>> {};
template <typename T>
constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <typename T>
struct remove_cvref {
  using type = std::remove_cv_t<std::remove_reference_t<T>>;
};
template <typename T>
using remove_cvref_t = typename remove_cvref<T>::type;

template <typename T>
constexpr T max(const T a, const T b) {
  return a > b ? a : b;
}
template <typename T>
constexpr T min(const T a, const T b) {
  return a < b ? a : b;
}
template <typename T, typename U>
constexpr auto divide(const T& num1, const U& num2) {
  return num1 / num2;
}
template <typename T, typename U>
constexpr auto ceil_division(const T& num1, const U& num2) {
  return (num1 + num2 - 1) / num2;
}
template <typename T, typename U>
constexpr auto ceil_align(const T& num1, const U& num2) {
  return ceil_division(num1, num2) * num2;
}
template <typename T>
constexpr T abs(const T src) {
  return src < 0 ? -src : src;
}
template <typename T>
TR_API T sqrt(const T src) {
  return static_cast<T>(__builtin_sqrt(static_cast<double>(src)));
}

/* A number known at compile time. */
template <size_t value>
using Int = std::integral_constant<size_t, value>;
template <bool value>
using bool_constant = std::integral_constant<bool, value>;

}  // namespace Std
}  // namespace AscendC

#endif
