// Elements of groups for tests: tangent vectors at, near and far from the angles 0 and pi.
#pragma once

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

namespace elements {

using namespace etch;

template <class G>
inline constexpr int dimension = static_cast<int>(G::tangent::count);

/// Tangent vectors of length-one axes times each angle, with a translation before where there is one.
template <class G>
std::vector<typename G::tangent> tangents(std::vector<double> const& angles) {
  using V = typename G::tangent;
  using T = typename V::scalar_type;
  constexpr int n = dimension<G>, turning = n == 1 || n == 3 ? (requires(G g) { g.translation(); } ? 1 : n) : 3;
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  std::vector<V> all;
  for (double angle : angles) {
    V v;
    double length = 0;
    for (int i = 0; i < n; ++i) {
      double const x = normal(engine);
      v[static_cast<std::size_t>(i)] = static_cast<T>(x);
      if (i >= n - turning) length += x * x;
    }
    for (int i = n - turning; i < n; ++i) {
      T& x = v[static_cast<std::size_t>(i)];
      x = static_cast<T>(x * angle / std::sqrt(length));
    }
    all.push_back(v);
  }
  return all;
}
inline std::vector<double> const all_angles{
    0, 1e-300, 1e-100, 1e-20, 1e-9, 1e-8, 1e-4, 0.01, 0.3, 1, 1.5707963, 2, 3, 3.1, 3.141592653589793 - 1e-6};

template <class V>
double distance(V const& a, V const& b) {
  double far = 0;
  for (std::size_t i = 0; i < V::count; ++i) far = std::max(far, std::abs(static_cast<double>(a[i] - b[i])));
  return far;
}
template <class G>
double distance_of_elements(G const& a, G const& b) {
  double far = 0;
  visit_leaves([&](auto x, auto y) { far = std::max(far, std::abs(static_cast<double>(x - y))); }, a, b);
  return far;
}
/// As rotations and motions: both quaternions of one rotation count as equal.
template <class G>
double distance_of_matrices(G const& a, G const& b) {
  return distance(a.matrix(), b.matrix());
}

}  // namespace elements
