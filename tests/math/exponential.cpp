#include <etch/math/exponential.hpp>

#include "math/elementary.hpp"
#include "math/ulps.hpp"

using namespace etch;
using namespace ulps;

TEST_CASE_TEMPLATE("exp, exp2 and expm1 are within 2 ulp, down into subnormal and up to the last finite results", T,
                   float, double) {
  T const end = sizeof(T) == 4 ? T(104) : T(746), end2 = sizeof(T) == 4 ? T(150) : T(1075);
  within<T>(1.1, ours::exp, exact::exp, -end, end);
  within<T>(1.1, ours::exp, exact::exp, -1, 1);
  within<T>(1.1, ours::exp, exact::exp, static_cast<double>(-end), static_cast<double>(-end) * 0.83);
  within<T>(1.1, ours::exp2, exact::exp2, -end2, end2);
  within<T>(1.1, ours::exp2, exact::exp2, -1, 1);
  within<T>(1.3, ours::expm1, exact::expm1, -end, end);
  within<T>(1.3, ours::expm1, exact::expm1, -2, 2);
  within<T>(1.3, ours::expm1, exact::expm1, -0.1, 0.1);
}

TEST_CASE_TEMPLATE("exponentials at the special values", T, float, double) {
  T const last = sizeof(T) == 4 ? T(88.72283) : T(709.782712893383), over = sizeof(T) == 4 ? T(88.73) : T(709.79);
  check_known<T>(ours::exp, {{0, 1},
                             {-T(0), 1},
                             {smallest<T>, 1},
                             {inf<T>, inf<T>},
                             {top<T>, inf<T>},
                             {over, inf<T>},
                             {-inf<T>, 0},
                             {-top<T>, 0},
                             {undefined<T>, undefined<T>}});
  CHECK(std::isfinite(math::exp(at_run_time(last))));
  T const last2 = limits<T>::max_exponent;
  check_known<T>(ours::exp2, {{0, 1},
                              {1, 2},
                              {-3, T(0.125)},
                              {last2, inf<T>},
                              {last2 - 1, std::ldexp(T(1), limits<T>::max_exponent - 1)},
                              {inf<T>, inf<T>},
                              {-inf<T>, 0},
                              {T(limits<T>::min_exponent - limits<T>::digits), smallest<T>},
                              {undefined<T>, undefined<T>}});
  check_known<T>(ours::expm1, {{0, 0},
                               {-T(0), -T(0)},
                               {smallest<T>, smallest<T>},
                               {-smallest<T>, -smallest<T>},
                               {inf<T>, inf<T>},
                               {over, inf<T>},
                               {-inf<T>, -1},
                               {-top<T>, -1},
                               {undefined<T>, undefined<T>}});
}

// Constant evaluation runs the same formulas; only contraction to fma may move it by an ulp.
TEST_CASE_TEMPLATE("constant exponentials are as right as run time", T, float, double) {
  constexpr auto either = [] {
    return std::array{-1e30, -300.0, -40.0, -2.5, -0.69, -0.3,    -1e-3, -1e-30, 0.0,
                      1e-9,  0.05,   0.5,   0.9,  1.0,   3.14159, 20.0,  80.0};
  };
  CHECK(of_constants<T>(ours::exp, either, exact::exp) <= 1.3);
  CHECK(of_constants<T>(ours::exp2, either, exact::exp2) <= 1.3);
  CHECK(of_constants<T>(ours::expm1, either, exact::expm1) <= 1.3);
}

/// Special values are constants too: no arithmetic on NaN, and no overflow that a compiler refuses.
template <class T>
constexpr bool special_constants =
    math::exp(T(0)) == 1 && math::exp(-inf<T>) == 0 && math::exp(-top<T>) == 0 && math::exp(top<T>) == inf<T> &&
    math::exp2(top<T>) == inf<T> && math::expm1(top<T>) == inf<T> && math::expm1(-inf<T>) == -1;
static_assert(special_constants<float> && special_constants<double>);

template <class T>
constexpr bool undefined_constants = [] {
  for (T const y : {math::exp(undefined<T>), math::exp2(undefined<T>), math::expm1(undefined<T>)})
    if (y == y) return false;
  return true;
}();
static_assert(undefined_constants<float> && undefined_constants<double>);
