/* Layout, Shape, Stride, Coord and TensorTrait: descriptions of how a tensor lies in memory, for interfaces that ask for them.
 *
 * A Shape, a Stride and a Coord are tuples of numbers known at run time (size_t) or at compile time (Std::Int), possibly nested. Tensors over a
 * TensorTrait do not exist here yet: a LocalTensor or GlobalTensor of one does not compile.
 */
#ifndef TOPROPE_ASCENDC_LAYOUT_H
#define TOPROPE_ASCENDC_LAYOUT_H

#include <toprope/ascendc/std.h>
#include <toprope/ascendc/tensor.h>

namespace AscendC {

template <typename... Shapes>
using Shape = Std::tuple<Shapes...>;
template <typename... Strides>
using Stride = Std::tuple<Strides...>;
template <typename... Coords>
using Coord = Std::tuple<Coords...>;

template <typename... Ts>
constexpr Shape<Ts...> MakeShape(const Ts&... t) {
  return {t...};
}
template <typename... Ts>
constexpr Stride<Ts...> MakeStride(const Ts&... t) {
  return {t...};
}
template <typename... Ts>
constexpr Coord<Ts...> MakeCoord(const Ts&... t) {
  return {t...};
}

}  // namespace AscendC

namespace toprope {

template <class T>
struct is_tuple : std::false_type {};
template <class... T>
struct is_tuple<std::tuple<T...>> : std::true_type {};

/* Number at a coordinate: a tuple of coordinates against tuples of sizes and strides; one number against a tuple counts through it, first
 * dimension fastest. */
template <class C, class Sh, class St>
constexpr size_t index_of(const C& coord, const Sh& shape, const St& stride);

template <class C, class Sh, class St, size_t... I>
constexpr size_t index_of_tuple(const C& coord, const Sh& shape, const St& stride, std::index_sequence<I...>) {
  return (size_t(0) + ... + index_of(std::get<I>(coord), std::get<I>(shape), std::get<I>(stride)));
}
template <class T>
constexpr size_t size_of_shape(const T& shape) {
  if constexpr (is_tuple<T>::value)
    return std::apply([](const auto&... part) { return (size_t(1) * ... * size_of_shape(part)); }, shape);
  else
    return static_cast<size_t>(shape);
}
template <class Sh, class St, size_t... I>
constexpr size_t index_of_number(size_t number, const Sh& shape, const St& stride, std::index_sequence<I...>) {
  size_t rest = number, index = 0;
  const auto step = [&](const auto& s, const auto& d, bool last) {
    const size_t size = size_of_shape(s), here = last ? rest : rest % size;
    index += index_of(here, s, d);
    rest = rest / size;
  };
  (step(std::get<I>(shape), std::get<I>(stride), I + 1 == sizeof...(I)), ...);
  return index;
}
template <class C, class Sh, class St>
constexpr size_t index_of(const C& coord, const Sh& shape, const St& stride) {
  if constexpr (is_tuple<C>::value) {
    static_assert(is_tuple<Sh>::value && is_tuple<St>::value && std::tuple_size<C>::value == std::tuple_size<Sh>::value &&
                      std::tuple_size<C>::value == std::tuple_size<St>::value,
                  "Crd2Idx: coordinate, shape and stride have different forms");
    return index_of_tuple(coord, shape, stride, std::make_index_sequence<std::tuple_size<C>::value>());
  } else if constexpr (is_tuple<Sh>::value) {
    return index_of_number(static_cast<size_t>(coord), shape, stride, std::make_index_sequence<std::tuple_size<Sh>::value>());
  } else {
    return static_cast<size_t>(coord) * static_cast<size_t>(stride);
  }
}

/* Part of a tuple: all of it, or an element, or an element of that… */
template <class T>
constexpr auto part_of(const T& whole) {
  return whole;
}
template <size_t First, size_t... Rest, class T>
constexpr auto part_of(const T& whole) {
  return part_of<Rest...>(std::get<First>(whole));
}

}  // namespace toprope

namespace AscendC {

template <typename ShapeType, typename StrideType>
struct Layout {
  constexpr Layout(const ShapeType& shapeIn = {}, const StrideType& strideIn = {}) : shape_(shapeIn), stride_(strideIn) {}
  constexpr decltype(auto) layout() { return *this; }
  constexpr decltype(auto) layout() const { return *this; }
  constexpr decltype(auto) GetShape() { return (shape_); }
  constexpr decltype(auto) GetShape() const { return (shape_); }
  constexpr decltype(auto) GetStride() { return (stride_); }
  constexpr decltype(auto) GetStride() const { return (stride_); }
  template <size_t First, size_t... I>
  constexpr auto GetShape() const {
    return ::toprope::part_of<First, I...>(shape_);
  }
  template <size_t First, size_t... I>
  constexpr auto GetStride() const {
    return ::toprope::part_of<First, I...>(stride_);
  }
  template <typename CoordType>
  constexpr auto operator()(const CoordType& coord) const {
    return ::toprope::index_of(coord, shape_, stride_);
  }

  ShapeType shape_;
  StrideType stride_;
};

template <typename ShapeType, typename StrideType>
constexpr auto MakeLayout(const ShapeType& shape, const StrideType& stride) {
  static_assert(::toprope::is_tuple<ShapeType>::value && ::toprope::is_tuple<StrideType>::value, "MakeLayout: Shape or Stride is not a tuple");
  return Layout<ShapeType, StrideType>(shape, stride);
}
template <typename T>
struct is_layout : Std::false_type {};
template <typename ShapeType, typename StrideType>
struct is_layout<Layout<ShapeType, StrideType>> : Std::true_type {};
template <typename T>
constexpr bool is_layout_v = is_layout<T>::value;

/* Index of a coordinate. */
template <typename CoordType, typename ShapeType, typename StrideType>
constexpr auto Crd2Idx(const CoordType& coord, const Layout<ShapeType, StrideType>& layout) {
  return layout(coord);
}
template <typename CoordType, typename ShapeType, typename StrideType>
constexpr auto Crd2Idx(const CoordType& coord, const ShapeType& shape, const StrideType& stride) {
  return ::toprope::index_of(coord, shape, stride);
}

/* Type, position and layout of a tensor in one type. */
template <typename T, TPosition pos = TPosition::GM, typename LayoutType = Layout<Shape<>, Stride<>>>
struct TensorTrait {
  using LiteType = T;
  using LiteLayoutType = LayoutType;
  static constexpr TPosition tPos = pos;
  constexpr TensorTrait(const LayoutType& t = {}) : layout_(t) {}
  constexpr LayoutType& GetLayout() { return layout_; }
  constexpr const LayoutType& GetLayout() const { return layout_; }
  constexpr void SetLayout(const LayoutType& t) { layout_ = t; }

 private:
  LayoutType layout_;
};
template <typename T, TPosition pos, typename LayoutType>
constexpr auto MakeTensorTrait(const LayoutType& t) {
  static_assert(is_layout_v<LayoutType>, "MakeTensorTrait: the argument is not a Layout");
  return TensorTrait<T, pos, LayoutType>(t);
}
template <typename T>
struct is_tensorTrait : Std::false_type {};
template <typename T, TPosition pos, typename LayoutType>
struct is_tensorTrait<TensorTrait<T, pos, LayoutType>> : Std::true_type {};
template <typename T>
constexpr bool is_tensorTrait_v = is_tensorTrait<T>::value;

}  // namespace AscendC

#endif
