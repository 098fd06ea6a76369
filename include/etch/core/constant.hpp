// constant: a value that follows from constants alone. It belongs to no graph yet, and joins the one it
// meets, in the element type it meets.
#pragma once

#include <etch/core/expr.hpp>
#include <etch/graph/packed_graph.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class Constant, class Value>
constexpr auto constant_is_assigned_a_value() {
  static_assert(never<Constant, Value>,
                "etch: a constant is assigned a traced value: declare it with the type that it takes later, as in "
                "decltype(x) s = zeros<3>()");
  return mistake{};
}
}  // namespace error

/// The index of a constant that is neither the same number everywhere nor a multiple of the
/// identity: its `recipe` says what it is.
inline constexpr int recipe_id = -3;

/// The entries of a constant, without their number: `immediate` everywhere (-1), `immediate` times
/// the identity (`identity_id`), or the last node of a recipe: how many nodes there are, then the
/// nodes as in a packed graph (`recipe_id`).
struct constant_content {
  int id = -1;
  double immediate = 0;
  fixed<std::uint64_t, 128> recipe{};
};

/// A constant. Its element type `T` is `undetermined` unless a cast has said what it is. Operations on constants alone
/// give constants, which cost a kilobyte to copy; a `constexpr` one may stand outside the loss.
template <class T, bool Elementwise, int... Dims>
struct constant_expr : eigen_methods<constant_expr<T, Elementwise, Dims...>>, constant_content {
  using scalar_type = T;
  static constexpr shape extent = make_shape(Dims...);
  static constexpr bool elementwise_product = Elementwise;
  static constexpr bool untyped = std::same_as<T, undetermined>;
  static constexpr graph* owner = nullptr;

  using Scalar = constant_expr<T, false>;
  static constexpr int RowsAtCompileTime = extent[0], ColsAtCompileTime = extent[1],
                       SizeAtCompileTime = static_cast<int>(extent.size());

  constexpr constant_expr() = default;
  constexpr constant_expr(constant_content const& content) : constant_content(content) {}
  constexpr constant_expr(int kind, double value) : constant_content{kind, value} {}

  template <static_handle V>
    requires(!std::derived_from<V, constant_content>)
  constexpr void operator=(V const&) {
    error::constant_is_assigned_a_value<constant_expr, V>();
  }

  static constexpr std::ptrdiff_t rows() { return RowsAtCompileTime; }
  static constexpr std::ptrdiff_t cols() { return ColsAtCompileTime; }
  static constexpr std::ptrdiff_t size() { return SizeAtCompileTime; }

  constexpr auto array() const { return constant_expr<T, (extent.rank > 0), Dims...>(*this); }
  constexpr auto matrix() const { return constant_expr<T, false, Dims...>(*this); }

  /// A value declared with its type may begin as a constant. It has no room for a recipe.
  template <scalar U>
    requires(untyped || std::same_as<T, U>)
  constexpr operator expr<U, Dims...>() const {
    if (id == recipe_id) error::constant_has_no_element_type();
    return make_expr<U, extent>(nullptr, id, immediate);
  }
  /// A scalar is a number, where it is known as one.
  template <scalar U>
    requires(extent.rank == 0)
  constexpr operator U() const {
    if (id == recipe_id) error::constant_has_no_element_type();
    return static_cast<U>(immediate);
  }
};

/// Whether `X` is a constant that belongs to no graph, as its type says. (An `expr` without an owner is one as well.)
template <class X>
concept constant_handle = static_handle<X> && std::derived_from<X, constant_content>;

/// The handle of a constant.
template <class T, shape Extent, bool Elementwise>
constexpr auto make_constant(constant_content const& content) {
  return [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
    return constant_expr<T, (Elementwise && Extent.rank > 0), Extent.dimension(Axis)...>(content);
  }(std::make_integer_sequence<int, Extent.rank>{});
}

ETCH_NAMESPACE_END
