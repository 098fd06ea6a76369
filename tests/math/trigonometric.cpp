#include <etch/math/trigonometric.hpp>

#include "math/elementary.hpp"
#include "math/ulps.hpp"

using namespace etch;
using namespace ulps;

TEST_CASE_TEMPLATE("sin, cos and tan are within 2 ulp, at large arguments too", T, float, double) {
  for (double const width : {0.1, 4.0, 100.0, 8192.0, 524288.0, 1e10}) {
    CAPTURE(width);
    within<T>(1.1, ours::sin, exact::sin, -width, width);
    within<T>(1.1, ours::cos, exact::cos, -width, width);
    within<T>(1.1, ours::tan, exact::tan, -width, width);
  }
}

TEST_CASE_TEMPLATE("sin, cos and tan are within 2 ulp beside their zeros and poles", T, float, double) {
  worst_case sine, cosine, tangent;
  for (int n = -300000; n <= 300000; n += (n > -5000 && n < 5000 ? 1 : 7)) {
    T const x = at_run_time(static_cast<T>(n * 1.57079632679489661923L));
    auto const wide = static_cast<long double>(x);
    sine.add(distance<T>(math::sin(x), std::sin(wide)), wide);
    cosine.add(distance<T>(math::cos(x), std::cos(wide)), wide);
    tangent.add(distance<T>(math::tan(x), std::tan(wide)), wide);
  }
  for (worst_case const& found : {sine, cosine, tangent}) {
    CAPTURE(static_cast<double>(found.at));
    CHECK(found.error <= 1.1);
  }
}

TEST_CASE_TEMPLATE("inverse functions are within 2 ulp, near the ends of their domains too", T, float, double) {
  for (double const width : {0.1, 1.0}) {
    within<T>(0.8, ours::asin, exact::asin, -width, width);
    within<T>(0.8, ours::acos, exact::acos, -width, width);
    within<T>(sizeof(T) == 4 ? 1.5 : 0.8, ours::atan, exact::atan, -width, width);
  }
  within<T>(0.8, ours::asin, exact::asin, 0.99, 1);
  within<T>(0.8, ours::acos, exact::acos, 0.99, 1);
  within<T>(0.8, ours::acos, exact::acos, -1, -0.99);
  within<T>(sizeof(T) == 4 ? 1.5 : 0.8, ours::atan, exact::atan, -30, 30);
}

TEST_CASE_TEMPLATE("atan2 is within 2 ulp in all quadrants, whatever the magnitudes", T, float, double) {
  constexpr double bound = sizeof(T) == 4 ? 1.5 : 1.1;
  within<T>(bound, ours::atan2, exact::atan2, -2, 2, -2, 2);
  samples<T> some;
  worst_case found;
  for (int i = 0; i < 20000; ++i) {  // of like magnitude, whatever that is
    T const a = some.any(), b = a * some.between(T(-4), T(4));
    found.add(distance<T>(math::atan2(a, b), exact::atan2(a, b)), a, b);
  }
  CAPTURE(static_cast<double>(found.at));
  CAPTURE(static_cast<double>(found.beside));
  CHECK(found.error <= bound);
}

TEST_CASE_TEMPLATE("circular functions at the special values", T, float, double) {
  T const half_pi = static_cast<T>(1.57079632679489661923L), pi = static_cast<T>(3.14159265358979323846L),
          beyond = std::nextafter(T(1), T(2));
  std::vector<known<T>> const undefined_at_infinity{
      {inf<T>, undefined<T>}, {-inf<T>, undefined<T>}, {undefined<T>, undefined<T>}};
  std::vector<known<T>> const odd{{0, 0}, {-T(0), -T(0)}, {smallest<T>, smallest<T>}, {-smallest<T>, -smallest<T>}};
  for (auto const f : {+[](T x) { return math::sin(x); }, +[](T x) { return math::tan(x); }})
    check_known<T>(f, odd), check_known<T>(f, undefined_at_infinity);
  for (auto const f : {+[](T x) { return math::asin(x); }, +[](T x) { return math::atan(x); }}) check_known<T>(f, odd);
  check_known<T>(ours::cos, undefined_at_infinity);
  check_known<T>(ours::cos, {{0, 1}, {-T(0), 1}, {smallest<T>, 1}});
  check_known<T>(ours::asin, {{1, half_pi},
                              {-1, -half_pi},
                              {beyond, undefined<T>},
                              {-beyond, undefined<T>},
                              {inf<T>, undefined<T>},
                              {undefined<T>, undefined<T>}});
  check_known<T>(ours::acos, {{1, 0},
                              {-1, pi},
                              {0, half_pi},
                              {-T(0), half_pi},
                              {beyond, undefined<T>},
                              {-beyond, undefined<T>},
                              {-inf<T>, undefined<T>},
                              {undefined<T>, undefined<T>}});
  check_known<T>(ours::atan, {{inf<T>, half_pi}, {-inf<T>, -half_pi}, {top<T>, half_pi}, {undefined<T>, undefined<T>}});
}

TEST_CASE_TEMPLATE("atan2 at special operands is the C library's, to the sign of zero", T, float, double) {
  for (T const a : special_points<T>())
    for (T const b : special_points<T>()) {
      T const got = math::atan2(at_run_time(a), at_run_time(b)),
              want = static_cast<T>(std::atan2(static_cast<long double>(a), static_cast<long double>(b)));
      CAPTURE(static_cast<double>(a));
      CAPTURE(static_cast<double>(b));
      CAPTURE(static_cast<double>(got));
      CHECK(std::isnan(got) == std::isnan(want));
      if (!std::isnan(want)) CHECK(std::signbit(got) == std::signbit(want));
    }
}

TEST_CASE_TEMPLATE("constants are as right as run time", T, float, double) {
  constexpr auto either = [] { return std::array{-0.999, -0.7, -0.3, -1e-3, -1e-30, 0.0, 1e-9, 0.05, 0.5, 0.9, 1.0}; };
  constexpr auto wider = [] {
    return std::array{-1e6, -8191.0, -100.0, -3.14159, -1.5, 1.57, 2.5, 4.0, 47.0, 8193.0, 524287.0};
  };
  for (double const error :
       {of_constants<T>(ours::sin, either, exact::sin), of_constants<T>(ours::cos, either, exact::cos),
        of_constants<T>(ours::tan, either, exact::tan), of_constants<T>(ours::sin, wider, exact::sin),
        of_constants<T>(ours::cos, wider, exact::cos), of_constants<T>(ours::tan, wider, exact::tan),
        of_constants<T>(ours::asin, either, exact::asin), of_constants<T>(ours::acos, either, exact::acos),
        of_constants<T>(ours::atan, either, exact::atan), of_constants<T>(ours::atan, wider, exact::atan)})
    CHECK(error <= 1.1);
  constexpr auto of_third_quadrant = [](auto x) { return math::atan2(-x, decltype(x)(-2)); };
  CHECK(of_constants<T>(of_third_quadrant, either, [](long double x) { return std::atan2(-x, -2.0L); }) <= 1.1);
}

TEST_CASE_TEMPLATE("constants of any size are reduced with as many bits of pi as they need", T, float, double) {
  // 16367173 * 2^72 and 6381956970095103 * 2^797 are the float and the double nearest to a multiple of pi/2
  // (J.-M. Muller, Elementary functions).
  constexpr auto large = [] {
    if constexpr (sizeof(T) == 4) return std::array{8193.0, 1e10, -1e20, 1e30, -3.4e38, 16367173 * 0x1p72};
    else
      return std::array{524289.0,
                        1e10,
                        -1e22,
                        1e300,
                        -1.7e308,
                        6381956970095103 * 0x1p797,
                        0x1p1023,
                        0x1.fffffffffffffp+1023,
                        9007199254740993.0};
  };
  CHECK(of_constants<T>(ours::sin, large, exact::sin) <= 1.1);
  CHECK(of_constants<T>(ours::cos, large, exact::cos) <= 1.1);
  CHECK(of_constants<T>(ours::tan, large, exact::tan) <= 1.1);
}

namespace {

template <class T>
constexpr bool special_constants =
    math::sin(T(0)) == 0 && math::cos(T(0)) == 1 &&
    math::atan(inf<T>) > T(1.57) && math::atan2(T(0), T(-1)) > T(3.14) && math::atan2(T(0), T(0)) == 0 &&
    math::atan2(inf<T>, inf<T>)<T(0.79) && math::asin(T(1))> T(1.57) && math::acos(T(1)) == 0 &&
    math::atan2(top<T>, smallest<T>) > T(1.57);
static_assert(special_constants<float> && special_constants<double>);

template <class T>
constexpr bool undefined_constants = [] {
  for (T const y : {math::sin(inf<T>), math::cos(-inf<T>), math::tan(inf<T>), math::sin(undefined<T>),
                    math::cos(undefined<T>), math::tan(undefined<T>), math::asin(T(2)), math::acos(T(-2)),
                    math::asin(undefined<T>), math::acos(undefined<T>), math::atan(undefined<T>),
                    math::atan2(undefined<T>, T(1)), math::atan2(inf<T>, undefined<T>)})
    if (y == y) return false;
  return true;
}();
static_assert(undefined_constants<float> && undefined_constants<double>);

}  // namespace
