// expr: what a lambda sees while it is traced. Its type carries the element type and the shape, nothing else.
#pragma once

#include <etch/core/eigen_methods.hpp>
#include <etch/base/error.hpp>
#include <etch/core/misuse_error.hpp>
#include <etch/graph/term.hpp>

#include <concepts>
#include <type_traits>

ETCH_NAMESPACE_BEGIN

/// The index, instead of -1, of a constant without an owner that is `immediate` times the identity matrix.
inline constexpr int identity_id = -2;
/// That of a constant whose entries differ, which the handle's own type holds (op/eigen/matrix_expr.hpp).
inline constexpr int listed_id = -4;

namespace error {
template <class X>
constexpr auto branch_on_a_traced_value() {
  static_assert(
      never<X>,
      "etch: a run-time branch on a traced value: the program is drawn before values exist; "
      "use select(mask, a, b), cond(p, f, g, x), while_loop<Max>(p, f, x), or the tape, and there etch::value(x)");
  return mistake{};
}
template <class X, class V>
constexpr auto part_is_assigned() {
  static_assert(never<X, V>,
                "etch: the result of a function cannot be assigned to; entries, blocks, rows and columns of a value "
                "that has a name can, "
                "such as y(0), y.head<2>(), y.row(1)");
  return mistake{};
}
}  // namespace error

template <scalar T, int... Dims>
struct array_expr;
template <scalar T, int... Dims>
struct expr;
namespace detail {
/// The number of entries that count; in op/reduce.hpp.
template <scalar T, int... Dims>
constexpr auto number_that_counts(expr<T, Dims...> const& x);
}  // namespace detail

/// A scalar knows of which value it is an entry, if that has a name: `y(0) = 1` makes `y` another value. A copy that
/// has a name of its own is a scalar like any other, as Eigen's is.
template <scalar T>
struct entry_place : by_argument::lookup {
  by_argument::lookup* whole = nullptr;
  void (*write)(by_argument::lookup& whole, std::ptrdiff_t i, std::ptrdiff_t j, expr<T> const& entry) = nullptr;
  int row_of_entry = 0, column_of_entry = 0;
};
/// `place = value`; in op/eigen/part_expr.hpp.
template <scalar T, class V>
constexpr void write_entry(expr<T> const& place, V const& value);

/// Handle of a graph node of static shape. Without an owner it is a constant (every entry `immediate`) that belongs to
/// no graph yet and joins the one it meets; so a default-constructed expr is zero, as a tensor is.
template <scalar T, int... Dims>
struct expr
    : eigen_methods<expr<T, Dims...>, std::conditional_t<sizeof...(Dims) == 0, entry_place<T>, by_argument::lookup>> {
  using scalar_type = T;
  static constexpr shape extent = make_shape(Dims...);
  static constexpr bool elementwise_product = false;  ///< whether `*` between tensors is element-wise

  using Scalar = expr<T>;
  static constexpr int RowsAtCompileTime = extent[0], ColsAtCompileTime = extent[1],
                       SizeAtCompileTime = static_cast<int>(extent.size());

  graph* owner = nullptr;
  int id = -1;
  double immediate = 0;

  constexpr expr() = default;
  constexpr expr(expr const&) = default;
  constexpr expr(graph* where, int which) : owner(where), id(which) {}
  /// The constant `value`; scalars convert implicitly, so that `expr<T> s = 0` starts a sum.
  template <scalar S>
  constexpr explicit(sizeof...(Dims) != 0) expr(S value) : immediate(static_cast<double>(value)) {}

  /// The result of a function is no place to assign to, unless it is an entry of a value that has a name.
  constexpr expr& operator=(expr const&) & = default;
  template <class V>
  constexpr void operator=(V const& value) && {
    if constexpr (sizeof...(Dims) == 0) write_entry(*this, value);
    else error::part_is_assigned<expr, V>();
  }
  template <class V>
  constexpr void operator+=(V const& value) && {
    if constexpr (sizeof...(Dims) == 0) write_entry(*this, *this + value);
    else error::part_is_assigned<expr, V>();
  }
  template <class V>
  constexpr void operator-=(V const& value) && {
    if constexpr (sizeof...(Dims) == 0) write_entry(*this, *this - value);
    else error::part_is_assigned<expr, V>();
  }
  template <class V>
  constexpr void operator*=(V const& value) && {
    if constexpr (sizeof...(Dims) == 0) write_entry(*this, *this * value);
    else error::part_is_assigned<expr, V>();
  }
  template <class V>
  constexpr void operator/=(V const& value) && {
    if constexpr (sizeof...(Dims) == 0) write_entry(*this, *this / value);
    else error::part_is_assigned<expr, V>();
  }

  /// A truth value exists only where the program runs.
  template <std::same_as<bool> Truth>
  constexpr explicit operator Truth() const {
    error::branch_on_a_traced_value<expr>();
    if (owner != nullptr) owner->mistaken = true;
    return {};
  }

  /// A number exists only where the program runs.
  template <scalar Number>
    requires(sizeof...(Dims) == 0 && !std::same_as<Number, bool>)
  constexpr explicit operator Number() const {
    error::number_is_wanted<expr, Number>();
    if (owner != nullptr) owner->mistaken = true;
    return {};
  }

  static constexpr std::ptrdiff_t rows() {
    if constexpr (extent.is_counted(0)) error::extent_is_known_at_run_time<expr>();
    return RowsAtCompileTime;
  }
  static constexpr std::ptrdiff_t cols() {
    if constexpr (extent.is_counted(1)) error::extent_is_known_at_run_time<expr>();
    return ColsAtCompileTime;
  }
  static constexpr std::ptrdiff_t size() {
    if constexpr (extent.counted != 0) error::extent_is_known_at_run_time<expr>();
    return SizeAtCompileTime;
  }
  /// How many entries count along the axis of which that is known at run time, as a traced scalar; else a number: the
  /// entries along the last axis.
  constexpr auto count() const
    requires(extent.rank > 0)
  {
    if constexpr (extent.counted != 0) return detail::number_that_counts(*this);
    else return static_cast<double>(extent[extent.rank - 1]);
  }

  /// This value with `*` meaning the element-wise product, as in Eigen. A scalar stays one: it scales matrices too.
  constexpr auto array() const {
    if constexpr (extent.rank == 0) return *this;
    else return array_expr<T, Dims...>(*this);
  }
  /// This value with `*` meaning the matrix product.
  constexpr expr matrix() const { return *this; }
};

/// An expr for which `*` is element-wise.
template <scalar T, int... Dims>
struct array_expr : eigen_methods<array_expr<T, Dims...>, expr<T, Dims...>> {
  static constexpr bool elementwise_product = true;

  using eigen_methods<array_expr, expr<T, Dims...>>::eigen_methods;
  constexpr array_expr() = default;
};

/// A handle with a static shape: expr, array_expr, or something derived from them.
template <class X>
concept static_handle = requires(X const& x) {
  typename X::scalar_type;
  { X::extent } -> std::convertible_to<shape>;
  { x.owner } -> std::convertible_to<graph*>;
};

/// A scalar of a tape, or a statement of such scalars that has not been recorded yet (`tape/statement.hpp`).
template <class X>
concept tape_scalar = requires { typename X::tape_scalar_type; };

/// Anything that operations apply to.
template <class X>
concept handle = std::same_as<X, term> || static_handle<X> || tape_scalar<X>;

/// The statement `Op(x...)` of scalars of a tape and numbers.
template <class Op, class... X>
constexpr auto state(X const&... x);

/// The expr (or, if `Elementwise`, the array_expr) of an element type and a shape; a scalar is no array. A function,
/// because g++ 12 crashes on an alias template with a dependent shape.
template <class T, shape Extent, bool Elementwise = false>
constexpr auto make_expr(graph* owner, int id, double immediate = 0) {
  auto const make = [&]<int... Axis>(std::integer_sequence<int, Axis...>) {
    using base = expr<T, Extent.dimension(Axis)...>;
    std::conditional_t<(Elementwise && Extent.rank > 0), array_expr<T, Extent.dimension(Axis)...>, base> made(
        base(owner, id));
    made.immediate = immediate;
    return made;
  };
  return make(std::make_integer_sequence<int, Extent.rank>{});
}

/// Makes a handle of a known type: `X` itself, which may be derived from an expr.
template <static_handle X>
constexpr X make_handle(graph* owner, int id, double immediate = 0) {
  return X(make_expr<typename X::scalar_type, X::extent, X::elementwise_product>(owner, id, immediate));
}

/// The type that `make_expr` gives.
template <class T, shape Extent, bool Elementwise>
struct expr_type {
  using type = decltype(make_expr<T, Extent, Elementwise>(nullptr, -1));
};

ETCH_NAMESPACE_END
