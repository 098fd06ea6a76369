// matrix_expr: what etch::matrix<T, R, C> and etch::vector<T, N> are while T is traced. As an Eigen matrix it can be
// declared, filled, and hold constants before anything else is known.
#pragma once

#include <etch/op/eigen/assign.hpp>

#include <Eigen/Core>

ETCH_NAMESPACE_BEGIN

template <scalar T, int... Dims>
struct matrix_expr;

namespace detail {

/// The matrix_expr of an element type and a shape: one column is a vector.
template <class T, int Rows, int Cols>
constexpr auto make_matrix_expr() {
  if constexpr (Cols == 1) return matrix_expr<T, Rows>();
  else return matrix_expr<T, Rows, Cols>();
}

/// Entry (i, j) of a constant that belongs to no graph.
template <static_handle X>
constexpr double entry_of_constant(X const& x, std::ptrdiff_t i, std::ptrdiff_t j) {
  if constexpr (requires { typename X::known_entries; }) return x.known_entry(i, j);
  else return x.id != identity_id || i == j ? x.immediate : 0;
}

/// A constant matrix as a term of `g`: in each column a part for every run of entries with the same bits.
constexpr term listed_constant(graph& g, element type, shape const& s, auto entry) {
  sequence<term> columns, parts;
  shape const whole = make_shape(s[0], s[1]);
  shape column = whole;
  column[1] = 1;
  for (int j = 0; j < s[1]; ++j) {
    parts.clear();
    for (int begin = 0, end = 0; begin < s[0]; begin = end) {
      double const value = entry(begin, j);
      while (end < s[0] && attribute_of(entry(end, j)) == attribute_of(value)) ++end;
      shape run = column;
      run[0] = end - begin;
      parts.push_back(embed(fit(constant(g, type, value), run), column, region(0, begin)));
    }
    columns.push_back(embed(sum_of(parts), whole, region(1, j)));
  }
  return fit(sum_of(columns), s);
}

}  // namespace detail

/// A matrix or vector of traced scalars. Constants of at most 64 entries are held as numbers until
/// they meet what belongs to a graph.
template <scalar T, int... Dims>
struct matrix_expr : eigen_methods<matrix_expr<T, Dims...>, expr<T, Dims...>> {
  using handle_type = expr<T, Dims...>;
  using known_entries =
      fixed<double, (handle_type::extent.size() <= 64 ? static_cast<std::size_t>(handle_type::extent.size()) : 1)>;
  static constexpr int rows_ = handle_type::extent[0], count = static_cast<int>(handle_type::extent.size());

  known_entries entries{};

  constexpr matrix_expr() = default;
  constexpr matrix_expr(handle_type const& value) : eigen_methods<matrix_expr, handle_type>(value) {}
  template <static_handle V>
    requires(!std::is_base_of_v<handle_type, V> && same_extents(V::extent, handle_type::extent))
  constexpr matrix_expr(V const& value) : matrix_expr(detail::value_as<handle_type>(value)) {}
  /// The entries of a vector.
  template <class First, class Second, class... More>
    requires(sizeof...(More) + 2 == count && (rows_ == 1 || rows_ == count))
  constexpr matrix_expr(First const& first, Second const& second, More const&... more) {
    int at = 0;
    auto const put = [&](auto const& each) {
      detail::write_block(*this, rows_ == 1 ? 0 : at, rows_ == 1 ? at : 0, detail::value_as<expr<T>>(each));
      ++at;
    };
    put(first), put(second);
    (put(more), ...);
  }

  /// Whether it is a constant that belongs to no graph yet.
  constexpr bool is_known() const { return this->owner == nullptr; }
  constexpr double known_entry(std::ptrdiff_t i, std::ptrdiff_t j) const {
    if (this->id == listed_id) return entries.entry[static_cast<std::size_t>(i + j * rows_)];
    return this->id != identity_id || i == j ? this->immediate : 0;
  }
  /// The constant with the entries `entry(i, j)`.
  static constexpr matrix_expr known(auto entry) {
    matrix_expr made;
    if (static_cast<int>(made.entries.size()) < count) error::constants_belong_to_no_graph();
    made.id = listed_id;
    for (int k = 0; k < count; ++k)
      made.entries.entry[k] = static_cast<double>(static_cast<T>(entry(k % rows_, k / rows_)));
    return made;
  }
  /// Writes a constant into a constant; false where one of them is none.
  template <static_handle V>
  constexpr bool write_known(std::ptrdiff_t row, std::ptrdiff_t column, V const& part) {
    if (!is_known() || part.owner != nullptr) return false;
    if constexpr (!requires { typename V::known_entries; })
      if (part.id == listed_id) return false;
    matrix_expr const before = *this;
    *this = known([&](std::ptrdiff_t i, std::ptrdiff_t j) {
      bool const is_inside = i >= row && i < row + V::extent[0] && j >= column && j < column + V::extent[1];
      return is_inside ? detail::entry_of_constant(part, i - row, j - column) : before.known_entry(i, j);
    });
    return true;
  }
  constexpr term term_in(graph& g) const {
    return detail::listed_constant(g, element_of<T>, handle_type::extent,
                                   [&](int i, int j) { return known_entry(i, j); });
  }
  template <scalar To>
  constexpr auto in_type() const {
    using made = matrix_expr<To, Dims...>;
    if (is_known() && this->id == listed_id) return made::known([&](auto i, auto j) { return known_entry(i, j); });
    return made(etch::cast<To>(static_cast<handle_type const&>(*this)));
  }

  constexpr matrix_expr matrix() const { return *this; }
  constexpr auto transpose() const {
    constexpr int rows = handle_type::extent[1], cols = rows_;
    using made = decltype(detail::make_matrix_expr<T, rows, cols>());
    if (is_known()) return made::known([&](auto i, auto j) { return known_entry(j, i); });
    return made(static_cast<handle_type const&>(*this).transpose());
  }
  constexpr auto adjoint() const { return transpose(); }
  template <int Rows, int Cols>
  constexpr auto block_of_known(std::ptrdiff_t row, std::ptrdiff_t column) const {
    using made = decltype(detail::make_matrix_expr<T, Rows, Cols>());
    if (is_known() && row >= 0 && column >= 0 && row + Rows <= rows_ && column + Cols <= handle_type::extent[1])
      return made::known([&](auto i, auto j) { return known_entry(i + row, j + column); });
    return made(detail::block_of<Rows, Cols>(static_cast<handle_type const&>(*this), row, column));
  }
};

// Arithmetic of constants; of anything else as usual.

namespace detail {
template <scalar T, int... Dims>
constexpr matrix_expr<T, Dims...> scaled(matrix_expr<T, Dims...> const& x, double by) {
  if (x.is_known() && x.id == listed_id)
    return matrix_expr<T, Dims...>::known([&](auto i, auto j) { return x.known_entry(i, j) * by; });
  return make_expr<T, make_shape(Dims...)>(nullptr, x.id, x.immediate * by);
}
}  // namespace detail

template <scalar T, int... Dims>
constexpr matrix_expr<T, Dims...> operator+(matrix_expr<T, Dims...> const& a, matrix_expr<T, Dims...> const& b) {
  if (a.is_known() && b.is_known())
    return matrix_expr<T, Dims...>::known([&](auto i, auto j) { return a.known_entry(i, j) + b.known_entry(i, j); });
  return combine<op::add>(a, b);
}
template <scalar T, int... Dims>
constexpr matrix_expr<T, Dims...> operator-(matrix_expr<T, Dims...> const& a, matrix_expr<T, Dims...> const& b) {
  if (a.is_known() && b.is_known())
    return matrix_expr<T, Dims...>::known([&](auto i, auto j) { return a.known_entry(i, j) - b.known_entry(i, j); });
  return combine<op::sub>(a, b);
}
template <scalar T, int... Dims>
constexpr matrix_expr<T, Dims...> operator-(matrix_expr<T, Dims...> const& x) {
  if (x.is_known()) return detail::scaled(x, -1);
  return apply<op::neg>(x);
}
template <scalar S, scalar T, int... Dims>
constexpr matrix_expr<T, Dims...> operator*(S const& s, matrix_expr<T, Dims...> const& x) {
  if (x.is_known()) return detail::scaled(x, static_cast<double>(s));
  return cwise_product(s, x);
}
template <scalar S, scalar T, int... Dims>
constexpr matrix_expr<T, Dims...> operator*(matrix_expr<T, Dims...> const& x, S const& s) {
  return s * x;
}
template <scalar S, scalar T, int... Dims>
constexpr matrix_expr<T, Dims...> operator/(matrix_expr<T, Dims...> const& x, S const& s) {
  if (x.is_known())
    return matrix_expr<T, Dims...>::known([&](auto i, auto j) { return x.known_entry(i, j) / static_cast<double>(s); });
  return combine<op::div>(x, s);
}
template <scalar T, int... D, int... E>
  requires(matrix_expr<T, D...>::extent[1] == matrix_expr<T, E...>::extent[0])
constexpr auto operator*(matrix_expr<T, D...> const& a, matrix_expr<T, E...> const& b) {
  constexpr int rows = matrix_expr<T, D...>::extent[0], inner = matrix_expr<T, D...>::extent[1],
                cols = matrix_expr<T, E...>::extent[1];
  using made = decltype(detail::make_matrix_expr<T, rows, cols>());
  if (!a.is_known() || !b.is_known()) return made(detail::value_as<typename made::handle_type>(matmul(a, b)));
  return made::known([&](auto i, auto j) {
    double sum = 0;
    for (int k = 0; k < inner; ++k) sum += a.known_entry(i, k) * b.known_entry(k, j);
    return sum;
  });
}

namespace detail {
template <static_handle X>
constexpr auto declared_like() {
  if constexpr (X::elementwise_product) return X();
  else return make_matrix_expr<typename X::scalar_type, X::extent[0], X::extent[1]>();
}
}  // namespace detail

template <class X, class Base>
constexpr auto eigen_methods<X, Base>::Constant(double value) {
  using made = decltype(detail::declared_like<X>());
  return make_handle<made>(nullptr, -1, value);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::Zero() {
  return Constant(0);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::Ones() {
  return Constant(1);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::Identity() {
  using made = decltype(detail::declared_like<X>());
  if constexpr (X::extent.rank == 2 && X::extent[0] == X::extent[1]) return make_handle<made>(nullptr, identity_id, 1);
  else return made::known([](auto i, auto j) { return i == j ? 1 : 0; });
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::Unit(index at) {
  if constexpr (!detail::is_vector<X>) error::not_a_vector<X>();
  if (at < 0 || at >= X::extent.size())
    error::slice_out_of_range(X::extent, 0, static_cast<int>(at), static_cast<int>(at));
  return decltype(detail::declared_like<X>())::known([&](auto i, auto j) { return i + j == at ? 1 : 0; });
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::UnitX() {
  return Unit(0);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::UnitY() {
  return Unit(1);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::UnitZ() {
  return Unit(2);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::UnitW() {
  return Unit(3);
}

namespace detail {
template <class T, int Rows, int Cols>
struct matrix_type {
  using type = decltype(make_matrix_expr<typename T::scalar_type, Rows, Cols>());
};
template <scalar T, int Rows, int Cols>
struct matrix_type<T, Rows, Cols> {
  using type = Eigen::Matrix<T, Rows, Cols>;
};
}  // namespace detail

/// Eigen's matrix of numbers, and a matrix with its methods where `T` is a traced scalar: `expr<T>` or
/// `symbol<T>`, `var<T>` or `taped<T>`.
template <class T, int Rows, int Cols>
using matrix = typename detail::matrix_type<T, Rows, Cols>::type;
/// The `matrix` of one column.
template <class T, int Rows>
using vector = matrix<T, Rows, 1>;

ETCH_NAMESPACE_END
