// Parts of matrices: trace and triangles.
#pragma once

#include <etch/op/reduce.hpp>
#include <etch/op/reshape.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// `x` where column - row - k is not positive (`lower`) or not negative, else 0.
constexpr term triangle(term x, int k, bool lower) {
  graph& g = *x.owner;
  term const row = iota(g, x->type, 0, x.extent()[0]) + static_cast<double>(k),
             column = iota(g, x->type, 1, x.extent()[1]);
  term const outside = lower ? less_than(row, column) : less_than(column, row);
  return emit<op::select>(0, outside, constant(g, x->type, 0), x);
}

template <int K, bool Lower, static_handle X>
constexpr auto triangle_of(X const& x) {
  if constexpr (X::extent.rank > 2) {
    error::not_a_matrix<X>();
    return instead_of<typename X::scalar_type, X::extent>(x);
  } else {
    return computed<X::extent>(x, [](term t) { return triangle(t, K, Lower); });
  }
}

}  // namespace detail

/// The lower triangle of a matrix, up to the `K`-th diagonal above the main one; zero elsewhere.
template <int K = 0, static_handle X>
constexpr auto tril(X const& x) {
  return detail::triangle_of<K, true>(x);
}
/// The upper triangle of a matrix, from the `K`-th diagonal above the main one on; zero elsewhere.
template <int K = 0, static_handle X>
constexpr auto triu(X const& x) {
  return detail::triangle_of<K, false>(x);
}
/// The sum of a matrix's diagonal.
template <static_handle X>
constexpr auto trace(X const& x) {
  return sum(diagonal(x));
}

ETCH_NAMESPACE_END
