#include "sparse_checks.hpp"

#include <etch/op/linalg/factor.hpp>
#include <etch/transform/scan.hpp>

using sparse_checks::check_hessian;
using sparse_checks::fill;

TEST_CASE("loops, maps, and blocks that count as dense") {
  etch::tensor<double, 2, 5> points;
  etch::tensor<double, 8> x;
  fill(points), fill(x);
  check_hessian([](auto xs) { return sum(etch::map([](auto p) { return exp(p(0) * p(1)); }, xs)); }, 20, 2, points);
  check_hessian([](auto xs) { return etch::sum_map([](auto p) { return exp(p(0) * p(1)); }, xs); }, 20, 2, points);
  // Each step adds the square of what it sees to what it got: only squares are curved.
  check_hessian([](auto xs) { return etch::scan([](auto s, auto v) { return s + v * v * v; }, xs(0) * 0.5, xs); }, 8, 1,
                x);
  // Each step multiplies: all pairs.
  check_hessian([](auto xs) { return etch::scan([](auto s, auto v) { return s * v; }, xs(0) * 0.5, xs); }, 57, 8, x);
  etch::tensor<double, 3, 3> m;
  fill(m);
  for (int i = 0; i < 3; ++i) m(i, i) += 3;
  check_hessian([](auto a) { return etch::logdet(a); }, 81, 9, m);
}
