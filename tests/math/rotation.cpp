#include <etch/math/rotation.hpp>

#include "math/registers.hpp"
#include "math/ulps.hpp"

using namespace etch;
using namespace ulps;

namespace {

/// The series of c_k; for large s its terms cancel, and closed forms serve.
long double known_stumpff(int k, long double s) {
  if (std::abs(s) > 30) {
    long double const r = std::sqrt(std::abs(s));
    long double c0 = s > 0 ? std::cos(r) : std::cosh(r), c1 = s > 0 ? std::sin(r) / r : std::sinh(r) / r, f = 1;
    long double const h = s > 0 ? std::sin(r / 2) : std::sinh(r / 2);
    if (k == 0) return c0;
    if (k == 1) return c1;
    long double c = k % 2 != 0 ? c1 : 2 * h * h / std::abs(s);
    for (int j = k % 2 != 0 ? 1 : 2; j < k; j += 2) {
      f = 1;
      for (int i = 2; i <= j; ++i) f *= i;
      c = (1 / f - c) / s;
    }
    return c;
  }
  long double term = 1, sum = 0;
  for (int i = 2; i <= k; ++i) term /= i;
  for (int n = 0; n < 60; ++n) {
    sum += term;
    term *= -s / ((2.0L * n + k + 1) * (2.0L * n + k + 2));
  }
  return sum;
}
/// By the trapezium rule in t, where x = √s tan(t).
long double known_ratio(int k, long double s, long double w) {
  if (s == 0) return std::pow(w, 1 - 2 * k) / (2 * k - 1);
  long double const r = std::sqrt(s), size = s + w * w, z = s / size;
  if (z < 0.3L && w > 0) {
    long double sum = 0, term = 1;
    for (int j = 0; j < 120; ++j) sum += term, term *= z * (2.0L * (k + j)) / (2.0L * (k + j) + 1);
    return sum * w / ((2 * k - 1) * std::pow(size, k));
  }
  long double b = std::atan2(r, w) / r;
  for (int j = 1; j < k; ++j) b = ((2 * j - 1) * b - w / std::pow(size, j)) / (2 * j * s);
  return b;
}

}  // namespace

TEST_CASE_TEMPLATE("Stumpff's functions", T, float, double) {
  for (int k = 0; k <= 12; ++k)
    for (double s :
         {0.0, 1e-300, 1e-20, 1e-8, 1e-4, 0.1,  0.5,  0.6,  0.61, 1.0,  1.7,   1.9,  2.5,  3.5,  3.7,  5.9,  6.1,  8.9,
          9.1, 9.8,    12.0,  13.0, 20.0, 25.0, 33.0, 39.0, 45.0, 60.0, -1e-8, -0.5, -0.7, -1.9, -3.7, -9.0, -20.0}) {
      CAPTURE(k);
      CAPTURE(s);
      auto const far = distance<T>(math::stumpff(T(k), T(s)), known_stumpff(k, static_cast<long double>(T(s))));
      CHECK(far <= (k < 2 ? 2 : 4));
    }
  CHECK(std::isnan(math::stumpff(T(1), undefined<T>)));
  CHECK(std::isnan(math::stumpff(T(31), T(1))));
  CHECK(std::isnan(math::stumpff(T(1), inf<T>)));
}

TEST_CASE_TEMPLATE("the ratio of an angle to its sine", T, float, double) {
  for (int k = 1; k <= 6; ++k)
    for (double s : {0.0, 1e-300, 1e-30, 1e-16, 1e-8, 1e-4, 0.01, 0.06, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0})
      for (double w : {1.0, 0.999, 0.9, 0.5, 0.1, 1e-4, 1e-9, 0.0, -0.1, -0.7}) {
        T const of_s = T(s), of_w = T(w);
        if (of_s + of_w * of_w < T(0.05) || (of_s == 0 && w <= 0)) continue;
        CAPTURE(k);
        CAPTURE(s);
        CAPTURE(w);
        long double const known = known_ratio(k, of_s, of_w);
        if (!(std::abs(known) < 1e30L)) continue;
        auto const far = distance<T>(math::angle_ratio(T(k), of_s, of_w), known);
        CHECK(far <= (k < 2 ? 2 : k < 6 ? 4 : 8));
      }
  CHECK(math::angle_ratio(T(1), T(0), T(-1)) == inf<T>);
  CHECK(math::angle_ratio(T(1), T(0), T(0)) == inf<T>);
  CHECK(std::isnan(math::angle_ratio(T(1), undefined<T>, T(1))));
  CHECK(std::isnan(math::angle_ratio(T(0), T(1), T(1))));
}

TEST_CASE_TEMPLATE("registers give what scalars give", T, float, double) {
  std::vector<T> s;
  samples<T> some;
  for (int i = 0; i < 300; ++i) s.push_back(some.between(0, 1)), s.push_back(some.between(-3, 40));
  for (int k = 0; k < 6; ++k) {
    CHECK(lanes_from_scalar<T>([k](auto v) { return math::stumpff(decltype(v)(T(k)), v); }, s) <= 2);
    CHECK(lanes_from_scalar<T>(
              [k](auto v) { return math::angle_ratio(decltype(v)(T(k + 1)), v * v, decltype(v)(T(0.7))); }, s) <= 2);
  }
}

// As constants too.
static_assert(math::stumpff(1.0, 0.0) == 1 && math::stumpff(2.0, 0.0) == 0.5 && math::stumpff(0.0, 0.0) == 1);
static_assert(math::stumpff(1.0, 4.0) == 0.45464871341284084 && math::stumpff(3.0f, 0.0f) == 1 / 6.0f);
static_assert(math::angle_ratio(1.0, 0.0, 1.0) == 1 && math::angle_ratio(1.0, 1.0, 0.0) == 1.5707963267948966);
static_assert(math::angle_ratio(1.0, 0.0, -1.0) == math::infinity<double>);
