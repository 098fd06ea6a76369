// expr: what a lambda sees while it is traced. Its type carries the element type and the shape, nothing else.
#pragma once

#include <etch/core/term.hpp>

#include <type_traits>

namespace etch::inline ETCH_ABI {

/// The index, instead of -1, of a constant without an owner that is `immediate` times the identity matrix.
inline constexpr int identity_id = -2;

/// Handle of a graph node of static shape. Without an owner it is a constant (every entry `immediate`) that belongs to no graph yet
/// and joins the one it meets; so a default-constructed expr is zero, as a tensor is.
template <scalar T, int... Dims>
struct expr {
  using scalar_type = T;
  static constexpr shape extent = make_shape(Dims...);
  static constexpr bool elementwise_product = false;  ///< whether `*` between tensors is element-wise

  graph* owner = nullptr;
  int id = -1;
  double immediate = 0;

  constexpr expr() = default;
  constexpr expr(graph* where, int which) : owner(where), id(which) {}
  /// The constant `value`; scalars convert implicitly, so that `expr<T> s = 0` starts a sum.
  template <scalar S>
  constexpr explicit(sizeof...(Dims) != 0) expr(S value) : immediate(static_cast<double>(value)) {}

  /// The same value with `*` meaning the element-wise product, as in Eigen.
  constexpr auto array() const;
  /// The same value with `*` meaning the matrix product.
  constexpr expr matrix() const { return *this; }
};

/// An expr for which `*` is element-wise.
template <scalar T, int... Dims>
struct array_expr : expr<T, Dims...> {
  static constexpr bool elementwise_product = true;

  constexpr array_expr() = default;
  using expr<T, Dims...>::expr;
  constexpr array_expr(expr<T, Dims...> const& of) : expr<T, Dims...>(of) {}
};

template <scalar T, int... Dims>
constexpr auto expr<T, Dims...>::array() const {
  return array_expr<T, Dims...>(*this);
}

/// A handle with a static shape: expr, array_expr, or something derived from them.
template <class X>
concept static_handle = requires(X const& x) {
  typename X::scalar_type;
  { X::extent } -> std::convertible_to<shape>;
  { x.owner } -> std::convertible_to<graph*>;
};

/// Anything that stands for a value of a graph.
template <class X>
concept handle = std::same_as<X, term> || static_handle<X>;

/// The expr (or, if `Elementwise`, the array_expr) of an element type and a shape; a function, because g++ 12 crashes on an alias
/// template with a dependent shape.
template <class T, shape Extent, bool Elementwise = false>
constexpr auto make_expr(graph* owner, int id, double immediate = 0) {
  auto const make = [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
    using base = expr<T, Extent[Axis]...>;
    std::conditional_t<Elementwise, array_expr<T, Extent[Axis]...>, base> made(base(owner, id));
    made.immediate = immediate;
    return made;
  };
  return make(std::make_integer_sequence<int, Extent.rank>{});
}

/// The type that `make_expr` gives.
template <class T, shape Extent, bool Elementwise>
struct expr_type {
  using type = decltype(make_expr<T, Extent, Elementwise>(nullptr, -1));
};

}  // namespace etch::inline ETCH_ABI
