#include <etch/math/special.hpp>

#include "math/registers.hpp"
#include "math/ulps.hpp"

using namespace etch;
using namespace ulps;

TEST_CASE_TEMPLATE("erf and erfc are within 2 ulp", T, float, double) {
  for (double const width : {0.1, 0.6, 3.0, 30.0}) {
    CAPTURE(width);
    within<T>(1.3, [](T x) { return math::erf(x); }, [](long double x) { return std::erf(x); }, -width, width);
    within<T>(1.3, [](T x) { return math::erfc(x); }, [](long double x) { return std::erfc(x); }, -width, width);
  }
}

TEST_CASE_TEMPLATE("a bell curve keeps its digits far out", T, float, double) {
  for (T const c : {T(1), T(0.5), T(0.3)})
    for (T x = 0; x * x * c < T(80); x += T(0.173)) {
      auto const wide = static_cast<long double>(x);
      CHECK(distance<T>(math::gaussian(x, c), std::exp(-static_cast<long double>(c) * wide * wide)) <= 1);
    }
  CHECK(math::gaussian(inf<T>, T(1)) == 0);
  CHECK(math::gaussian(T(1e30), T(1)) == 0);
  CHECK(math::gaussian(T(30), T(-1)) == static_cast<T>(std::exp(900.0)));
  CHECK(std::isnan(math::gaussian(undefined<T>, T(1))));
  CHECK(std::isnan(math::gaussian(T(1), undefined<T>)));
}

TEST_CASE_TEMPLATE("the error function at the special values", T, float, double) {
  check_known<T>([](T x) { return math::erf(x); }, {{0, 0},
                                                    {-T(0), -T(0)},
                                                    {smallest<T>, smallest<T>},
                                                    {inf<T>, 1},
                                                    {-inf<T>, -1},
                                                    {top<T>, 1},
                                                    {undefined<T>, undefined<T>}});
  check_known<T>(
      [](T x) { return math::erfc(x); },
      {{0, 1}, {-T(0), 1}, {inf<T>, 0}, {-inf<T>, 2}, {top<T>, 0}, {-top<T>, 2}, {undefined<T>, undefined<T>}});
}

TEST_CASE_TEMPLATE("registers give what scalars give", T, float, double) {
  std::vector<T> x = special_points<T>();
  samples<T> some;
  for (int i = 0; i < 500; ++i) x.push_back(some.any()), x.push_back(some.between(-12, 12));
  CHECK(lanes_from_scalar<T>([](auto v) { return math::erf(v); }, x) <= 1);
  CHECK(lanes_from_scalar<T>([](auto v) { return math::erfc(v); }, x) <= 1);
}

// As constants too, at the ends of the range and beyond it.
static_assert(math::erf(0.5) == 0.5204998778130465 && math::erf(-1e300) == -1 && math::erf(inf<double>) == 1);
static_assert(math::erfc(3.0) == 2.209049699858544e-05 && math::erfc(1e300) == 0 && math::erfc(-inf<double>) == 2);
static_assert(math::erf(0.5f) == 0.5204999f);
