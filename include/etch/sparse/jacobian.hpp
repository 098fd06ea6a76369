// sparse_jacobian: the Jacobian of a function as a sparse matrix, by groups of columns or of rows.
#pragma once

#include <etch/sparse/sparse_program.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// The Jacobian of the entries of f's result by those of its first argument.
template <class F>
struct jacobian_rule {
  template <class... More>
  static constexpr auto entries(More const&... more) {
    return [&](auto const& x) { return as_vector(F{}(x, more...)); };
  }
  template <class X, class V, class... More>
  static constexpr auto along(X const& x, V const& v, More const&... more) {
    return std::get<1>(jvp(entries(more...))(x, direction_at(x, v)));
  }
  template <class X, class U, class... More>
  static constexpr auto back(X const& x, U const& u, More const&... more) {
    return as_vector(std::get<1>(vjp(entries(more...))(x, u)));
  }
  template <class X, class... More>
  static consteval int rows() {
    return entries_in<decltype(as_vector(F{}(std::declval<X const&>(), std::declval<More const&>()...)))>();
  }
  template <class X, class... More>
  static constexpr auto whole(X const& x, More const&... more) {
    return std::tuple(entries(more...)(x), jacobian(entries(more...))(x));
  }
  template <class X, class... More>
  static constexpr auto values(X const& x, More const&... more) {
    return std::tuple(entries(more...)(x));
  }
};

/// How the entries of a Jacobian are found: in groups of columns or of rows. Where one of them needs more than the
/// other has, it is not looked for.
template <class Pattern>
struct jacobian_colours {
  static constexpr auto columns = Pattern::by_columns.view(Pattern::rows),
                        rows = Pattern::by_rows.view(Pattern::columns);
  static constexpr int columns_at_least = sparse::detail::most_in_a_column(rows),
                       rows_at_least = sparse::detail::most_in_a_column(columns);
  template <bool Rows>
  static constexpr auto of = [] {
    constexpr auto const& lines = Rows ? rows : columns;
    constexpr auto const& crossing = Rows ? columns : rows;
    return stored_colouring<lines.columns>(sparse::colour_columns(lines, orders_to_try(crossing)));
  }();
  static constexpr bool by_rows = [] {
    if constexpr (columns_at_least <= rows_at_least) {
      if constexpr (rows_at_least >= of<false>.count) return false;
      else return of<true>.count < of<false>.count;
    } else {
      if constexpr (columns_at_least > of<true>.count) return true;
      else return of<true>.count < of<false>.count;
    }
  }();
  static constexpr auto const& colours = of<by_rows>;
  /// By entry of the matrix, its place in the compressed one.
  static constexpr auto places = [] {
    fixed<int, Pattern::nonzeros> at;
    for (int j = 0; j < Pattern::columns; ++j)
      for (int k = Pattern::by_columns.start.entry[j]; k < Pattern::by_columns.start.entry[j + 1]; ++k) {
        int const row = Pattern::by_columns.index.entry[k];
        at.entry[k] =
            by_rows ? j + Pattern::columns * colours.of.entry[row] : row + Pattern::rows * colours.of.entry[j];
      }
    return at;
  }();
};
}  // namespace detail

/// A program for the Jacobian of `f` by its first argument as a sparse matrix: [m, n], the entries of f's result by
/// those of x, both in storage order and leaf by leaf. `p(x, more...)` is an `Eigen::SparseMatrix<T> const&` whose
/// structure the compiler has found and which never changes; `decltype(p)::facts.nonzeros` and `.colours` are
/// constants. Arguments give types only. Docs: sparse.md.
template <class F, class X, class... More>
auto sparse_jacobian(F, X const&, More const&...) {
  return detail::sparse_program<detail::jacobian_rule, detail::jacobian_colours, wrt<>, F, X, More...>();
}

ETCH_NAMESPACE_END
