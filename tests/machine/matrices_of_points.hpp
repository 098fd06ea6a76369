// Matrices for each of several points, far from singular, and what is expected of programs that solve with them.
#pragma once

#include <etch/etch.hpp>

#include "machine/in_lanes.hpp"
#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <cmath>

namespace matrices_of_points {

using namespace etch;
using values::filled_with;

using real = long double;
template <int N>
using square_of = Eigen::Matrix<real, N, N>;
template <int N>
using column_of = Eigen::Matrix<real, N, 1>;

/// Matrices far from singular, of which one in three needs another pivot at once.
template <class T, int N, int Points>
tensor<T, N, N, Points> matrices(int seed) {
  auto a = filled_with<tensor<T, N, N, Points>>(seed);
  for (int p = 0; p < Points; ++p) {
    for (int i = 0; i < N; ++i) a((i + p) % N, i, p) += T(2);
    if (N > 1 && p % 3 == 0) a(0, 0, p) = 0;
  }
  return a;
}
template <int N>
square_of<N> square_at(auto const& a, int p) {
  square_of<N> m;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) m(i, j) = static_cast<real>(a(i, j, p));
  return m;
}
template <class T>
constexpr double bound = sizeof(T) == 4 ? 1e-4 : 1e-11;
template <class T>
bool is_near(T made, real truth) {
  return std::abs(static_cast<double>(real(made) - truth)) <= bound<T> * (1 + std::abs(static_cast<double>(truth)));
}

}  // namespace matrices_of_points
