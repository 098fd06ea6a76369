#include "sparse_checks.hpp"

#include <etch/transform/scan.hpp>
#include <etch/transform/vmap.hpp>

using sparse_checks::check_jacobian;
using sparse_checks::fill;

TEST_CASE("loops and maps") {
  etch::tensor<double, 2, 6> points;
  etch::tensor<double, 6> x;
  fill(points), fill(x);
  check_jacobian([](auto xs) { return etch::map([](auto p) { return sin(p(0)) * p(1); }, xs); }, 12, 1, points);
  check_jacobian([](auto xs) { return etch::vmap([](auto p) { return p * sum(p); })(xs); }, 24, 2, points);
  // A state of two numbers whose first entry sees all inputs so far, whose second one only its own start.
  check_jacobian(
      [](auto xs) {
        auto const step = [](auto carry, auto each) {
          auto const next = carry * 0.5 + each * each;
          return etch::step{next, next};
        };
        return etch::scan(step, xs(0), xs).y;
      },
      21, 6, x);
}
