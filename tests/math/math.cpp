#include <etch/math/math.hpp>

#include "math/ulps.hpp"

namespace math = etch::math;
using namespace ulps;

// One include gives every family; each has a test file of its own.
static_assert(math::floor(2.5) == 2 && math::exp(0.0) == 1 && math::sqrt(4.0) == 2 && math::sin(0.0) == 0 &&
              math::tanh(0.0) == 0);

namespace {
constexpr auto sigmoid = [](auto x) { return math::sigmoid(x); };
}  // namespace

TEST_CASE_TEMPLATE("sigmoid is within 2 ulp, also where it is subnormal", T, float, double) {
  double const width = sizeof(T) == 4 ? 103 : 745;
  auto const exact = [](long double x) { return 1 / (1 + std::exp(-x)); };
  within<T>(2, sigmoid, exact, -width, width);
  within<T>(2, sigmoid, exact, -20, 20);
  constexpr auto either = [] { return std::array{-80.0, -20.0, -0.7, -1e-3, 0.0, 1e-9, 0.5, 3.0, 40.0}; };
  CHECK(of_constants<T>(sigmoid, either, exact) <= 2);
}

TEST_CASE_TEMPLATE("sigmoid at the special values", T, float, double) {
  check_known<T>(sigmoid, {{0, T(0.5)},
                           {-T(0), T(0.5)},
                           {inf<T>, 1},
                           {-inf<T>, 0},
                           {top<T>, 1},
                           {-top<T>, 0},
                           {undefined<T>, undefined<T>}});
  static_assert(math::sigmoid(top<T>) == 1 && math::sigmoid(-top<T>) == 0 && math::sigmoid(-inf<T>) == 0);
}
