#include <etch/math/power.hpp>

#include "math/elementary.hpp"
#include "math/ulps.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>

using namespace etch;
using namespace ulps;

TEST_CASE_TEMPLATE("roots are within 2 ulp, sqrt is correctly rounded", T, float, double) {
  within<T>(0.5000001, ours::sqrt, exact::sqrt, 0, 4);
  within<T>(1.6, ours::rsqrt, exact::rsqrt, 0, 4);
  within<T>(0.8, ours::cbrt, exact::cbrt, -64, 64);
  within<T>(0.8, ours::cbrt, exact::cbrt, -1, 1);
}

TEST_CASE_TEMPLATE("hypot is within 2 ulp, without overflow or underflow on the way", T, float, double) {
  within<T>(1.1, ours::hypot, exact::hypot, -2, 2, -2, 2);
  samples<T> some;
  worst_case found;
  for (int i = 0; i < 20000; ++i) {  // of like magnitude, whatever that is
    T const a = some.any(), b = a * some.between(T(0.1), T(4));
    found.add(distance<T>(math::hypot(a, b), exact::hypot(a, b)), a, b);
  }
  CAPTURE(static_cast<double>(found.at));
  CHECK(found.error <= 1.1);
}

TEST_CASE_TEMPLATE("pow is within 2 ulp, for large exponents and bases near 1 too", T, float, double) {
  // The truth has 64 bits: where the logarithm of the result is large, long double itself is
  // off by some of its last places.
  within<T>(0.8, ours::pow, exact::pow, 0, 3, -5, 5);
  within<T>(0.8, ours::pow, exact::pow, 0.5, 2, -900, 900);
  within<T>(0.8, ours::pow, exact::pow, 0.999, 1.001, -70000, 70000);
  within<T>(0.8, ours::pow, exact::pow, 0, 30, -30, 30);
}

TEST_CASE_TEMPLATE("pow of whole exponents, also of negative bases", T, float, double) {
  samples<T> some;
  worst_case found;
  for (int n = -40; n <= 40; ++n)
    for (int i = 0; i < 200; ++i) {
      T const a = some.between(T(-9), T(9));
      found.add(distance<T>(math::pow(at_run_time(a), static_cast<T>(n)), exact::pow(a, n)), a, n);
    }
  CAPTURE(static_cast<double>(found.at));
  CAPTURE(static_cast<double>(found.beside));
  CHECK(found.error <= 0.8);
  // Numbers that T holds exactly have no error: whole numbers, and the inverses of powers of two.
  for (int n = -3; n < 10; ++n)
    for (int a = -9; a <= 9; ++a)
      if (n >= 0 || std::has_single_bit(static_cast<unsigned>(std::abs(a))))
        CHECK(math::pow(static_cast<T>(a), static_cast<T>(n)) ==
              static_cast<T>(std::pow(static_cast<long double>(a), n)));
}

TEST_CASE_TEMPLATE("pow at special operands is the C library's, to the sign of zero", T, float, double) {
  for (T const a : special_points<T>())
    for (T const b : special_points<T>()) {
      T const got = math::pow(at_run_time(a), at_run_time(b)), want = std::pow(at_run_time(a), at_run_time(b));
      CAPTURE(static_cast<double>(a));
      CAPTURE(static_cast<double>(b));
      CAPTURE(static_cast<double>(got));
      CHECK(std::isnan(got) == std::isnan(want));
      CHECK(std::isinf(got) == std::isinf(want));
      if (!std::isnan(want)) CHECK(std::signbit(got) == std::signbit(want));
    }
}

TEST_CASE_TEMPLATE("roots at the special values", T, float, double) {
  check_known<T>(ours::sqrt, {{0, 0},
                              {-T(0), -T(0)},
                              {inf<T>, inf<T>},
                              {-1, undefined<T>},
                              {-smallest<T>, undefined<T>},
                              {-inf<T>, undefined<T>},
                              {undefined<T>, undefined<T>}});
  check_known<T>(ours::rsqrt, {{0, inf<T>},
                               {-T(0), -inf<T>},
                               {inf<T>, 0},
                               {4, T(0.5)},
                               {-1, undefined<T>},
                               {-smallest<T>, undefined<T>},
                               {-inf<T>, undefined<T>},
                               {undefined<T>, undefined<T>}});
  check_known<T>(
      ours::cbrt,
      {{0, 0}, {-T(0), -T(0)}, {27, 3}, {-8, -2}, {inf<T>, inf<T>}, {-inf<T>, -inf<T>}, {undefined<T>, undefined<T>}});
  CHECK(math::hypot(at_run_time(T(3)), T(-4)) == 5);
  CHECK(exactly(math::hypot(at_run_time(-T(0)), T(0)), T(0)));
  CHECK(math::hypot(at_run_time(top<T>), T(1)) == top<T>);
  CHECK(math::hypot(at_run_time(-inf<T>), T(1)) == inf<T>);
  CHECK(math::hypot(at_run_time(smallest<T>), T(0)) == smallest<T>);
  CHECK(std::isnan(math::hypot(at_run_time(inf<T>), undefined<T>)));
}

TEST_CASE_TEMPLATE("constants are as right as run time", T, float, double) {
  constexpr auto positive = [] {
    return std::array{1e-44, 1e-30, 1e-9, 0.05, 0.5, 0.999, 1.0, 1.3, 2.0, 2.5, 7.7, 20.0, 1e30};
  };
  CHECK(of_constants<T>(ours::sqrt, positive, exact::sqrt) <= 0.5000001);
  CHECK(of_constants<T>(ours::rsqrt, positive, exact::rsqrt) <= 1.6);
  CHECK(of_constants<T>(ours::cbrt, positive, exact::cbrt) <= 0.8);
  constexpr auto to_the_fourth = [](auto x) { return math::pow(x, decltype(x)(0.4)); };
  CHECK(of_constants<T>(to_the_fourth, positive,
                        [](long double x) { return std::pow(x, static_cast<long double>(T(0.4))); }) <= 0.8);
  constexpr auto beside_one = [](auto x) { return math::hypot(x, decltype(x)(-1)); };
  CHECK(of_constants<T>(beside_one, positive, [](long double x) { return std::hypot(x, 1.0L); }) <= 1.1);
}

namespace {

template <class T>
constexpr bool special_constants =
    math::sqrt(inf<T>) == inf<T> && math::rsqrt(T(0)) == inf<T> && math::rsqrt(inf<T>) == 0 &&
    math::cbrt(T(-27)) == -3 && math::cbrt(inf<T>) == inf<T> && math::hypot(T(0), T(0)) == 0 &&
    math::hypot(inf<T>, T(1)) == inf<T> && math::hypot(top<T>, T(0)) == top<T> && math::pow(T(0), T(0)) == 1 &&
    math::pow(T(0), T(-1)) == inf<T> && math::pow(T(-2), T(3)) == -8 && math::pow(top<T>, T(2)) == inf<T> &&
    math::pow(T(2), top<T>) == inf<T> && math::pow(T(2), -inf<T>) == 0 && math::pow(undefined<T>, T(0)) == 1 &&
    math::pow(T(1), undefined<T>) == 1;
static_assert(special_constants<float> && special_constants<double>);

template <class T>
constexpr bool undefined_constants = [] {
  for (T const y : {math::sqrt(T(-1)), math::sqrt(undefined<T>), math::rsqrt(T(-1)), math::rsqrt(undefined<T>),
                    math::cbrt(undefined<T>), math::hypot(undefined<T>, T(1)), math::hypot(inf<T>, undefined<T>),
                    math::pow(T(-1), T(0.5)), math::pow(undefined<T>, T(1)), math::pow(T(2), undefined<T>)})
    if (y == y) return false;
  return true;
}();
static_assert(undefined_constants<float> && undefined_constants<double>);

}  // namespace
