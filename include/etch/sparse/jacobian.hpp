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
  static constexpr auto values(X const& x, More const&... more) {
    return std::tuple(entries(more...)(x));
  }
};

/// How the entries of a Jacobian are found: in groups of columns or of rows.
template <class Pattern>
struct jacobian_colours {
  static constexpr stored_colouring<Pattern::columns> of_columns{
      sparse::colour_columns(Pattern::by_columns.view(Pattern::rows), Pattern::orders)};
  static constexpr stored_colouring<Pattern::rows> of_rows{
      sparse::colour_columns(Pattern::by_rows.view(Pattern::columns), Pattern::orders)};
  static constexpr bool by_rows = of_rows.count < of_columns.count;
  static constexpr auto const& colours = []() -> auto const& {
    if constexpr (by_rows) return of_rows;
    else return of_columns;
  }();
  /// By entry of the matrix, its place in the compressed one.
  static constexpr auto places = [] {
    fixed<int, Pattern::nonzeros> at;
    for (int j = 0; j < Pattern::columns; ++j)
      for (int k = Pattern::by_columns.start.entry[j]; k < Pattern::by_columns.start.entry[j + 1]; ++k) {
        int const row = Pattern::by_columns.index.entry[k];
        at.entry[k] =
            by_rows ? j + Pattern::columns * of_rows.of.entry[row] : row + Pattern::rows * of_columns.of.entry[j];
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
