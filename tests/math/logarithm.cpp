#include <etch/math/logarithm.hpp>

#include "math/elementary.hpp"
#include "math/ulps.hpp"

using namespace etch;
using namespace ulps;

TEST_CASE_TEMPLATE("logarithms are within 2 ulp, near 1 and for subnormal arguments too", T, float, double) {
  auto const check = [](double bound, auto f, auto exact) {
    within<T>(bound, f, exact, 0, 4);
    within<T>(bound, f, exact, 0.9, 1.1);
    within<T>(bound, f, exact, 0.5, 1.5);
  };
  check(1, ours::log, exact::log);
  check(0.6, ours::log2, exact::log2);
  check(0.6, ours::log10, exact::log10);
  within<T>(1, ours::log1p, exact::log1p, -1, 1);
  within<T>(1, ours::log1p, exact::log1p, -0.1, 0.1);
  within<T>(1, ours::log1p, exact::log1p, -0.5, 3);
}

TEST_CASE_TEMPLATE("logaddexp is within 2 ulp where nothing cancels, and nearly exact where it does", T, float,
                   double) {
  samples<T> some;
  worst_case positive, negative;
  auto const look = [&](T a, T b) {
    T const got = math::logaddexp(at_run_time(a), at_run_time(b));
    long double const m = static_cast<long double>(std::max(a, b)), want = exact::logaddexp(a, b);
    if (m >= 0) positive.add(distance<T>(got, want), a, b);
    else negative.add(distance<T>(got, want) > 1.1 ? static_cast<double>(std::abs((got - want) / m)) : 0, a, b);
  };
  for (int i = 0; i < 10000; ++i) {
    look(some.any(), some.any()), look(some.any(), some.between(-700, 700)),
        look(some.between(-3, 3), some.between(-3, 3));
    T const a = some.between(-30, 0);  // along the curve e^a + e^b = 1, where the logarithm is 0
    look(a, static_cast<T>(std::log1p(-std::exp(static_cast<double>(a)))));
  }
  CAPTURE(static_cast<double>(positive.at));
  CAPTURE(static_cast<double>(positive.beside));
  CHECK(positive.error <= 1.1);
  CAPTURE(static_cast<double>(negative.at));
  CAPTURE(static_cast<double>(negative.beside));
  CHECK(negative.error <= (sizeof(T) == 4 ? 0x1p-48 : 0x1p-55));
}

TEST_CASE_TEMPLATE("xlogy is within 2 ulp", T, float, double) {
  within<T>(1.6, ours::xlogy, exact::xlogy, -2, 2, 0, 4);
  within<T>(1.6, ours::xlogy, exact::xlogy, -2, 2, 0.9, 1.1);
}

TEST_CASE_TEMPLATE("logarithms at the special values", T, float, double) {
  for (auto const f :
       {+[](T x) { return math::log(x); }, +[](T x) { return math::log2(x); }, +[](T x) { return math::log10(x); }})
    check_known<T>(f, {{1, 0},
                       {0, -inf<T>},
                       {-T(0), -inf<T>},
                       {inf<T>, inf<T>},
                       {-1, undefined<T>},
                       {-smallest<T>, undefined<T>},
                       {-top<T>, undefined<T>},
                       {-inf<T>, undefined<T>},
                       {undefined<T>, undefined<T>},
                       {-undefined<T>, undefined<T>}});
  check_known<T>(ours::log1p, {{0, 0},
                               {-T(0), -T(0)},
                               {smallest<T>, smallest<T>},
                               {-1, -inf<T>},
                               {std::nextafter(T(-1), T(-2)), undefined<T>},
                               {-inf<T>, undefined<T>},
                               {inf<T>, inf<T>},
                               {undefined<T>, undefined<T>}});
  for (int n = limits<T>::min_exponent - limits<T>::digits; n < limits<T>::max_exponent; ++n)
    CHECK(math::log2(at_run_time(std::ldexp(T(1), n))) == static_cast<T>(n));
  for (T x = 10, n = 1; n < (sizeof(T) == 4 ? 11 : 23); x *= 10, ++n) CHECK(math::log10(at_run_time(x)) == n);
}

TEST_CASE_TEMPLATE("logaddexp and xlogy at the special values", T, float, double) {
  T const ln2 = static_cast<T>(0.693147180559945309417L);
  CHECK(math::logaddexp(at_run_time(T(0)), T(0)) == ln2);
  for (T const a : special_points<T>()) {
    T const x = at_run_time(a);
    CHECK((std::isnan(a) ? std::isnan(math::logaddexp(x, -inf<T>)) : math::logaddexp(x, -inf<T>) == a));
    CHECK((std::isnan(a) ? std::isnan(math::logaddexp(-inf<T>, x)) : math::logaddexp(-inf<T>, x) == a));
    CHECK(exactly(math::logaddexp(x, inf<T>), std::isnan(a) ? a : inf<T>));
    CHECK(std::isnan(math::logaddexp(x, undefined<T>)));
    CHECK(exactly(math::xlogy(T(0), x), std::isnan(a) ? a : T(0)));
    CHECK(std::isnan(math::xlogy(undefined<T>, x)));
    CHECK(std::isnan(math::xlogy(x, undefined<T>)));
  }
  CHECK(math::logaddexp(at_run_time(top<T>), top<T>) == top<T>);
  CHECK(math::logaddexp(at_run_time(-top<T>), top<T>) == top<T>);
  CHECK(math::xlogy(at_run_time(T(2)), T(0)) == -inf<T>);
  CHECK(math::xlogy(at_run_time(T(-2)), inf<T>) == -inf<T>);
  CHECK(math::xlogy(at_run_time(inf<T>), T(3)) == inf<T>);
  CHECK(std::isnan(math::xlogy(at_run_time(T(2)), T(-1))));
}

// Constant evaluation runs the same formulas; only contraction to fma may move it by an ulp.
TEST_CASE_TEMPLATE("constant logarithms are as right as run time", T, float, double) {
  constexpr auto positive = [] {
    return std::array{1e-30, 1e-9, 0.05, 0.5, 0.69, 0.9, 0.999, 1.0, 1.3, 2.5, 7.7, 20.0, 1e30};
  };
  constexpr auto above_minus_one = [] {
    return std::array{-1.0, -0.999, -0.5, -1e-9, 0.0, 1e-30, 0.05, 0.5, 1.3, 20.0, 1e30};
  };
  CHECK(of_constants<T>(ours::log, positive, exact::log) <= 1.3);
  CHECK(of_constants<T>(ours::log2, positive, exact::log2) <= 0.6);
  CHECK(of_constants<T>(ours::log10, positive, exact::log10) <= 0.6);
  CHECK(of_constants<T>(ours::log1p, above_minus_one, exact::log1p) <= 1.3);
}

/// Special values are constants too: no arithmetic on NaN, and no overflow that a compiler refuses.
template <class T>
constexpr bool special_constants =
    math::log(T(0)) == -inf<T> && math::log(inf<T>) == inf<T> && math::log(top<T>) < inf<T> && math::log2(T(8)) == 3 &&
    math::log10(T(0)) == -inf<T> && math::log1p(T(-1)) == -inf<T> && math::log1p(inf<T>) == inf<T> &&
    math::logaddexp(top<T>, top<T>) == top<T> && math::logaddexp(-top<T>, top<T>) == top<T> &&
    math::logaddexp(-inf<T>, -inf<T>) == -inf<T> && math::logaddexp(inf<T>, -inf<T>) == inf<T> &&
    math::xlogy(T(0), T(0)) == 0 && math::xlogy(T(0), inf<T>) == 0 && math::xlogy(T(3), T(0)) == -inf<T>;
static_assert(special_constants<float> && special_constants<double>);

template <class T>
constexpr bool undefined_constants = [] {
  for (T const y :
       {math::log(undefined<T>), math::log(T(-1)), math::log2(T(-1)), math::log10(-top<T>), math::log1p(undefined<T>),
        math::log1p(T(-2)), math::logaddexp(undefined<T>, T(1)), math::logaddexp(inf<T>, undefined<T>),
        math::xlogy(undefined<T>, T(0)), math::xlogy(T(0), undefined<T>), math::xlogy(T(1), T(-1))})
    if (y == y) return false;
  return true;
}();
static_assert(undefined_constants<float> && undefined_constants<double>);
