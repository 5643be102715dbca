/* AscendC::Std: the parts of the standard library that kernels use under that name. */
#ifndef TOPROPE_ASCENDC_STD_H
#define TOPROPE_ASCENDC_STD_H

#include <toprope/core_access.h>

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>

namespace AscendC {
namespace Std {

using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::forward;
using std::get;
using std::integral_constant;
using std::integer_sequence;
using std::index_sequence;
using std::is_array;
using std::is_base_of;
using std::is_class;
using std::is_const;
using std::is_const_v;
using std::is_constructible;
using std::is_convertible;
using std::is_convertible_v;
using std::is_enum;
using std::is_floating_point;
using std::is_function;
using std::is_integral;
using std::is_integral_v;
using std::is_lvalue_reference;
using std::is_pointer;
using std::is_reference;
using std::is_same;
using std::is_same_v;
using std::is_signed;
using std::is_unsigned;
using std::is_void;
using std::is_volatile;
using std::make_index_sequence;
using std::make_tuple;
using std::max;
using std::min;
using std::move;
using std::remove_const;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_reference;
using std::remove_reference_t;
using std::true_type;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
using std::void_t;

template <bool value>
using bool_constant = std::integral_constant<bool, value>;

}  // namespace Std
}  // namespace AscendC

#endif
