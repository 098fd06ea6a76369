// sparse_checks: a sparse matrix of derivatives against the dense one.
#pragma once

#include <etch/sparse/hessian.hpp>
#include <etch/sparse/jacobian.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace sparse_checks {

/// Entries that differ from 0 and from each other.
template <class X>
void fill(X& x, double shift = 0) {
  int i = 0;
  etch::argument<X>::visit(x, [&]<class T>(T* data, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) data[k] = static_cast<T>(0.4 + shift + 0.17 * std::sin(1.0 + 2.0 * i++));
  });
}

/// The largest difference of the entries, in units of the largest entry.
double distance(auto const& sparse, auto const& dense) {
  double worst = 0, scale = 1;
  for (int i = 0; i < dense.extent[0]; ++i)
    for (int j = 0; j < dense.extent[1]; ++j) {
      double const a = static_cast<double>(sparse.coeff(i, j)), b = static_cast<double>(dense(i, j));
      worst = std::max(worst, std::isnan(a) == std::isnan(b) ? std::abs(a - b) : 1e30);
      scale = std::max(scale, std::abs(b));
    }
  return worst / scale;
}

/// The program `p` computes `dense`, with so many entries and colours.
template <class P, class Dense, class... X>
void check(P& p, Dense const& dense, int nonzeros, int colours, X const&... x) {
  auto const& sparse = p(x...);
  CHECK(sparse.isCompressed());
  CHECK(sparse.rows() == Dense::extent[0]);
  CHECK(sparse.cols() == Dense::extent[1]);
  CHECK(sparse.nonZeros() == P::facts.nonzeros);
  CHECK(P::facts.nonzeros == nonzeros);
  CHECK(P::facts.colours == colours);
  using T = typename std::remove_cvref_t<decltype(sparse)>::Scalar;
  CHECK(distance(sparse, dense) < (sizeof(T) == 4 ? 1e-5 : 1e-13));
}

template <class F, class X, class... More>
void check_jacobian(F const& f, int nonzeros, int colours, X const& x, More const&... more) {
  auto p = etch::sparse_jacobian(f, x, more...);
  check(p, etch::jacobian(f)(x, more...), nonzeros, colours, x, more...);
}
template <class F, class X, class... More>
void check_hessian(F const& f, int nonzeros, int colours, X const& x, More const&... more) {
  auto p = etch::sparse_hessian(f, x, more...);
  check(p, etch::hessian(f)(x, more...), nonzeros, colours, x, more...);
  bool symmetric = true;
  for (int i = 0; i < p.matrix().rows(); ++i)
    for (int j = 0; j < i; ++j) symmetric = symmetric && p.matrix().coeff(i, j) == p.matrix().coeff(j, i);
  CHECK(symmetric);
}

}  // namespace sparse_checks
