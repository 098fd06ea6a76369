#include <etch/math/hyperbolic.hpp>

#include "math/elementary.hpp"
#include "math/ulps.hpp"

using namespace etch;
using namespace ulps;

TEST_CASE_TEMPLATE("sinh, cosh and tanh are within 2 ulp, up to the last finite results", T, float, double) {
  for (double const width : {0.1, 1.1, 4.0, 25.0, sizeof(T) == 4 ? 89.5 : 710.5}) {
    CAPTURE(width);
    within<T>(1.1, ours::sinh, exact::sinh, -width, width);
    within<T>(1.1, ours::cosh, exact::cosh, -width, width);
    within<T>(1.5, ours::tanh, exact::tanh, -width, width);
  }
  double const end = sizeof(T) == 4 ? 89.4159862326 : 710.47586007394;
  within<T>(1.1, ours::sinh, exact::sinh, 0.99 * end, end);
  within<T>(1.1, ours::cosh, exact::cosh, 0.99 * end, end);
}

TEST_CASE_TEMPLATE("inverse functions are within 2 ulp, near 0, 1 and for large arguments too", T, float, double) {
  for (double const width : {0.1, 1.0, 30.0, 1e10}) {
    CAPTURE(width);
    within<T>(0.8, ours::asinh, exact::asinh, -width, width);
    within<T>(0.8, ours::acosh, exact::acosh, 1, 1 + width);
    within<T>(0.8, ours::atanh, exact::atanh, -std::min(width, 1.0), std::min(width, 1.0));
  }
  within<T>(0.8, ours::acosh, exact::acosh, 1, 1.001);
  within<T>(0.8, ours::atanh, exact::atanh, 0.999, 1);
}

TEST_CASE_TEMPLATE("hyperbolic functions at the special values", T, float, double) {
  T const below = std::nextafter(T(1), T(0)), beyond = std::nextafter(T(1), T(2));
  for (auto const f : {+[](T x) { return math::sinh(x); }, +[](T x) { return math::tanh(x); },
                       +[](T x) { return math::asinh(x); }, +[](T x) { return math::atanh(x); }})
    check_known<T>(f, {{0, 0},
                       {-T(0), -T(0)},
                       {smallest<T>, smallest<T>},
                       {-smallest<T>, -smallest<T>},
                       {undefined<T>, undefined<T>},
                       {-undefined<T>, undefined<T>}});
  check_known<T>(ours::sinh, {{inf<T>, inf<T>}, {-inf<T>, -inf<T>}, {top<T>, inf<T>}, {-top<T>, -inf<T>}});
  check_known<T>(ours::cosh, {{0, 1},
                              {-T(0), 1},
                              {smallest<T>, 1},
                              {inf<T>, inf<T>},
                              {-inf<T>, inf<T>},
                              {-top<T>, inf<T>},
                              {undefined<T>, undefined<T>}});
  check_known<T>(ours::tanh, {{inf<T>, 1}, {-inf<T>, -1}, {top<T>, 1}, {-top<T>, -1}});
  check_known<T>(ours::asinh, {{inf<T>, inf<T>}, {-inf<T>, -inf<T>}});
  check_known<T>(ours::acosh, {{1, 0},
                               {inf<T>, inf<T>},
                               {below, undefined<T>},
                               {0, undefined<T>},
                               {-2, undefined<T>},
                               {-inf<T>, undefined<T>},
                               {undefined<T>, undefined<T>}});
  check_known<T>(ours::atanh,
                 {{1, inf<T>}, {-1, -inf<T>}, {beyond, undefined<T>}, {-beyond, undefined<T>}, {inf<T>, undefined<T>}});
}

TEST_CASE_TEMPLATE("constants are as right as run time", T, float, double) {
  constexpr auto either = [] {
    return std::array{-80.0, -20.0, -0.999, -0.7, -0.3, -1e-3, -1e-30, 0.0, 1e-9, 0.05, 0.5, 0.9, 1.0, 3.0, 40.0};
  };
  constexpr auto inside = [] { return std::array{-0.999, -0.7, -0.3, -1e-3, -1e-30, 0.0, 1e-9, 0.05, 0.5, 0.9}; };
  constexpr auto above = [] { return std::array{1.0, 1.0001, 1.5, 3.0, 100.0, 1e10, 1e30}; };
  CHECK(of_constants<T>(ours::sinh, either, exact::sinh) <= 1.1);
  CHECK(of_constants<T>(ours::cosh, either, exact::cosh) <= 1.1);
  CHECK(of_constants<T>(ours::tanh, either, exact::tanh) <= 1.5);
  CHECK(of_constants<T>(ours::asinh, either, exact::asinh) <= 0.8);
  CHECK(of_constants<T>(ours::acosh, above, exact::acosh) <= 0.8);
  CHECK(of_constants<T>(ours::atanh, inside, exact::atanh) <= 0.8);
}

namespace {

template <class T>
constexpr bool special_constants = math::sinh(inf<T>) == inf<T> && math::sinh(-top<T>) == -inf<T> &&
                                   math::cosh(top<T>) == inf<T> && math::tanh(top<T>) == 1 &&
                                   math::tanh(-inf<T>) == -1 && math::tanh(T(47)) == 1 &&
                                   math::asinh(inf<T>) == inf<T> &&
                                   math::asinh(top<T>) > T(88) && math::acosh(T(1)) == 0 &&
                                   math::acosh(inf<T>) == inf<T>&& math::acosh(top<T>) > T(88) &&
                                   math::atanh(T(1)) == inf<T>&& math::atanh(T(-1)) == -inf<T>;
static_assert(special_constants<float> && special_constants<double>);

template <class T>
constexpr bool undefined_constants = [] {
  for (T const y :
       {math::sinh(undefined<T>), math::cosh(undefined<T>), math::tanh(undefined<T>), math::asinh(undefined<T>),
        math::acosh(undefined<T>), math::acosh(T(0)), math::atanh(undefined<T>), math::atanh(T(2))})
    if (y == y) return false;
  return true;
}();
static_assert(undefined_constants<float> && undefined_constants<double>);

}  // namespace
