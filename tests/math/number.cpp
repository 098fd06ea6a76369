#include <etch/math/number.hpp>
#include <etch/math/wide.hpp>

#include "math/ulps.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

using namespace etch;
using namespace ulps;

namespace {

using quad =
    boost::multiprecision::cpp_bin_float_quad;  // 113 bits hold any product of doubles, and the sums asked for here

/// The error-free operations, on `T`, must give these.
template <class T>
void check_exact(T a, T b) {
  CAPTURE(static_cast<double>(a));
  CAPTURE(static_cast<double>(b));
  auto const [s, e] = math::two_sum(a, b);
  CHECK(s == a + b);
  CHECK(quad(s) + quad(e) == quad(a) + quad(b));
  auto const [larger, rest] = std::abs(a) >= std::abs(b) ? math::fast_two_sum(a, b) : math::fast_two_sum(b, a);
  CHECK(quad(larger) + quad(rest) == quad(a) + quad(b));
  auto const [p, low] = math::two_product(a, b);
  CHECK(quad(p) + quad(low) == quad(a) * quad(b));
}

}  // namespace

TEST_CASE_TEMPLATE("the measure of these tests counts neighbours, also where numbers are subnormal or overflow", T,
                   float, double) {
  CHECK(distance(T(1), 1.0L) == 0);
  CHECK(distance(std::nextafter(T(1), T(2)), 1.0L) == 1);
  CHECK(distance(std::nextafter(T(-8), T(-9)), -8.0L) == 1);
  CHECK(distance(T(0), static_cast<long double>(limits<T>::denorm_min())) == 1);
  CHECK(distance(limits<T>::min(), static_cast<long double>(limits<T>::min() - limits<T>::denorm_min())) == 1);
  CHECK(distance(limits<T>::infinity(), static_cast<long double>(limits<T>::max())) == 1);
  CHECK(distance(limits<T>::max(), static_cast<long double>(limits<T>::infinity())) == 1);
  CHECK(distance(limits<T>::infinity(), static_cast<long double>(limits<T>::infinity())) == 0);
  CHECK(distance(limits<T>::quiet_NaN(), 0.0L) > 3);
  CHECK(distance(T(0), static_cast<long double>(limits<T>::quiet_NaN())) > 3);
  CHECK(distance(limits<T>::infinity(), 1.0L) > 3);
  CHECK(exactly(T(0), T(0)));
  CHECK_FALSE(exactly(T(0), -T(0)));
}

TEST_CASE_TEMPLATE("sums and products in two words are exact, whatever the compiler contracts", T, float, double) {
  samples<T> some;
  for (int i = 0; i < 2000; ++i) {
    auto const next = [&] { return std::ldexp(some.between(T(-1), T(1)), static_cast<int>(some.random() % 40) - 20); };
    T const a = at_run_time(next()), b = at_run_time(next()), c = at_run_time(next());
    check_exact(a, b);
    // The product is rounded before it enters the sum, although the target may have an
    // instruction that does not round it.
    T const rounded = at_run_time(a * b);
    auto const [s, e] = math::two_sum(a * b, c);
    CHECK(quad(s) + quad(e) == quad(rounded) + quad(c));
  }
}

TEST_CASE_TEMPLATE("arithmetic in two words has about twice the digits", T, float, double) {
  samples<T> some;
  quad const unit = ldexp(quad(1), -2 * limits<T>::digits + 4);
  auto const value = [](math::wide<T> x) { return quad(x.high) + quad(x.low); };
  auto const close = [&](math::wide<T> got, quad want) { return abs(value(got) - want) <= unit * abs(want); };
  for (int i = 0; i < 2000; ++i) {
    auto const next = [&] {
      return math::fast_two_sum(some.between(T(1), T(4)), some.between(T(-1), T(1)) * limits<T>::epsilon() / 4);
    };
    math::wide<T> const a = next(), b = next();
    CHECK(close(a + b, value(a) + value(b)));
    CHECK(close(a + b.high, value(a) + quad(b.high)));
    CHECK(close(a * b, value(a) * value(b)));
    CHECK(close(a * b.high, value(a) * quad(b.high)));
    CHECK(close(a / b, value(a) / value(b)));
    CHECK(close(root(a), sqrt(value(a))));
    CHECK(value(-a) == -value(a));
  }
}

TEST_CASE_TEMPLATE("rounding is the C library's, to the sign of zero", T, float, double) {
  samples<T> some;
  auto const look = [](T x) {
    CAPTURE(static_cast<double>(x));
    CHECK(exactly<T>(math::floor(x), std::floor(x)));
    CHECK(exactly<T>(math::ceil(x), std::ceil(x)));
    CHECK(exactly<T>(math::trunc(x), std::trunc(x)));
    CHECK(exactly<T>(math::round(x), std::round(x)));
    CHECK(exactly<T>(math::abs(x), std::abs(x)));
  };
  for (T x : special_points<T>()) look(at_run_time(x));
  for (int i = 0; i < 2000; ++i) look(some.any()), look(some.between(T(-9), T(9)));
  for (T x = -9; x < 9; x += T(0.25)) look(x), look(std::nextafter(x, T(-99))), look(std::nextafter(x, T(99)));
  for (T x : {T(1) / limits<T>::epsilon(), T(0.5) / limits<T>::epsilon()})
    for (int i = -6; i <= 6; ++i) look(x + static_cast<T>(i) / 2), look(-x + static_cast<T>(i) / 2);
}

TEST_CASE_TEMPLATE("signs are copied and taken, of zeros and NaN too", T, float, double) {
  for (T const x : special_points<T>())
    for (T const s : special_points<T>())
      CHECK(exactly<T>(math::copysign(at_run_time(x), at_run_time(s)), std::copysign(x, s)));
  T const infinity = limits<T>::infinity();
  check_known<T>([](T x) { return math::sign(x); }, {{T(0), T(0)},
                                                     {-T(0), -T(0)},
                                                     {T(3), T(1)},
                                                     {-limits<T>::denorm_min(), T(-1)},
                                                     {infinity, T(1)},
                                                     {-infinity, T(-1)},
                                                     {limits<T>::quiet_NaN(), limits<T>::quiet_NaN()}});
}

TEST_CASE_TEMPLATE("the larger and the smaller of two numbers, NaN if either is", T, float, double) {
  for (T const a : special_points<T>())
    for (T const b : special_points<T>()) {
      bool const undefined = std::isnan(a) || std::isnan(b);
      T const larger = math::max(at_run_time(a), at_run_time(b)), smaller = math::min(at_run_time(a), at_run_time(b));
      CHECK((undefined ? std::isnan(larger) : larger == std::max(a, b)));
      CHECK((undefined ? std::isnan(smaller) : smaller == std::min(a, b)));
    }
  constexpr T nan = limits<T>::quiet_NaN(), top = limits<T>::max();
  static_assert(math::max(top, top) == top && math::min(-top, -top) == -top, "no sum of constants overflows");
  static_assert(math::max(T(1), nan) != math::max(T(1), nan) && math::min(nan, T(1)) != math::min(nan, T(1)));
}

TEST_CASE_TEMPLATE("relu, choose and indicator at the special values", T, float, double) {
  T const infinity = limits<T>::infinity(), smallest = limits<T>::denorm_min(), nan = limits<T>::quiet_NaN();
  CHECK(math::relu(at_run_time(-T(0))) == 0);
  check_known<T>([](T x) { return math::relu(x); },
                 {{-smallest, T(0)}, {smallest, smallest}, {-infinity, T(0)}, {infinity, infinity}, {nan, nan}});
  CHECK(math::choose(T(0), T(1), T(2)) == 2);
  CHECK(math::choose(-T(0), T(1), T(2)) == 2);
  CHECK(math::choose(smallest, T(1), T(2)) == 1);
  CHECK(math::choose(T(1), T(5), nan) == 5);
  CHECK(math::choose(nan, T(5), T(6)) == 5);
  CHECK(math::indicator(true, T(9)) == 1);
  CHECK(math::indicator(false, nan) == 0);
}

TEST_CASE("a double is rounded to float also where it overflows, in constants too") {
  static_assert(math::to_float(1e300) == math::infinity<float> && math::to_float(-1e300) == -math::infinity<float>);
  constexpr double top = 0x1.fffffep+127, middle = 0x1.ffffffp+127;
  static_assert(math::to_float(top) == math::largest<float> && math::to_float(middle) == math::infinity<float>);
  static_assert(math::to_float(0x1.fffffefffffffp+127) == math::largest<float>);
  for (double x : {top, middle, 0x1.fffffefffffffp+127, -middle, 1e-50, 0.1, -3.0})
    CHECK(exactly(math::to_float(at_run_time(x)), static_cast<float>(at_run_time(x))));
  CHECK(std::isnan(math::to_float(limits<double>::quiet_NaN())));
}

TEST_CASE_TEMPLATE("square roots of constants are rounded once, at both ends of the range too", T, float, double) {
  // The root of the largest number lies just below the middle between two neighbours; rounded to
  // 64 bits first, it is the middle.
  constexpr T smallest = math::root(limits<T>::denorm_min()), least = math::root(limits<T>::min()),
              two = math::root(T(2)), large = math::root(limits<T>::max() / 4), largest = math::root(limits<T>::max());
  CHECK(smallest == std::sqrt(limits<T>::denorm_min()));
  CHECK(least == std::sqrt(limits<T>::min()));
  CHECK(two == std::sqrt(T(2)));
  CHECK(large == std::sqrt(limits<T>::max() / 4));
  CHECK(largest == std::sqrt(limits<T>::max()));
}

TEST_CASE_TEMPLATE("rounding and signs of constants", T, float, double) {
  static_assert(math::floor(T(-2.5)) == -3 && math::ceil(T(2.5)) == 3 && math::round(T(2.5)) == 3 &&
                math::round(T(-2.5)) == -3);
  static_assert(math::trunc(T(-2.7)) == -2 && math::abs(T(-2)) == 2 && math::copysign(T(2), T(-1)) == -2 &&
                math::sign(T(-7)) == -1);
  static_assert(math::floor(limits<T>::max()) == limits<T>::max() &&
                math::round(limits<T>::infinity()) == limits<T>::infinity());
  constexpr T nan = limits<T>::quiet_NaN();
  static_assert(math::floor(nan) != math::floor(nan) && math::round(nan) != math::round(nan) &&
                math::sign(nan) != math::sign(nan));
}
