// sparse_hessian: the Hessian of a function as a sparse matrix, symmetric to the last bit.
#pragma once

#include <etch/sparse/sparse_program.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// The Hessian of f by the entries of its first argument.
template <class F>
struct hessian_rule {
  template <class X, class V, class... More>
  static constexpr auto along(X const& x, V const& v, More const&... more) {
    return as_vector(hvp(F{})(x, more..., direction_at(x, v)));
  }
  template <class X, class V, class... More>
  static constexpr auto back(X const& x, V const& v, More const&... more) {
    return along(x, v, more...);  // symmetric
  }
  template <class X, class... More>
  static consteval int rows() {
    return entries_in<decltype(variables_of(std::declval<X const&>()))>();
  }
  template <class X, class... More>
  static constexpr auto whole(X const& x, More const&... more) {
    auto const [value, gradient, matrix] = value_gradient_hessian<F>{}(x, more...);
    return std::tuple(value, as_vector(gradient), matrix);
  }
  template <class X, class... More>
  static constexpr auto values(X const& x, More const&... more) {
    auto const [value, gradient] = value_and_grad(F{})(x, more...);
    return std::tuple(value, as_vector(gradient));
  }
};

/// How the entries of a Hessian are found: each in its column or in its row.
template <class Pattern>
struct hessian_colours {
  static constexpr bool by_rows = false;
  static constexpr auto view = Pattern::by_columns.view(Pattern::rows);
  static constexpr stored_colouring<Pattern::columns> colours{sparse::colour_symmetric(view, orders_to_try(view))};
  static constexpr auto places = [] {
    fixed<int, Pattern::nonzeros> at;
    sparse::colouring c{{}, colours.count};
    for (int each : colours.of) c.of.push_back(each);
    auto const found = sparse::places_of(view, c);
    for (int k = 0; k < Pattern::nonzeros; ++k)
      at.entry[k] = found.entry[k].row + Pattern::rows * found.entry[k].colour;
    return at;
  }();
};

}  // namespace detail

/// A program for the Hessian of the scalar `f` by its first argument as a sparse matrix, [n, n], symmetric to the last
/// bit. As for `sparse_jacobian`; `p.value()` and `p.gradient()` are those of the last call. Docs: sparse.md.
template <class F, class X, class... More>
auto sparse_hessian(F, X const&, More const&...) {
  return detail::sparse_program<detail::hessian_rule, detail::hessian_colours, wrt<0>, F, X, More...>();
}

ETCH_NAMESPACE_END
