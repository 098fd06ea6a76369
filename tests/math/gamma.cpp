#include <etch/math/gamma.hpp>

#include "math/registers.hpp"
#include "math/ulps.hpp"

using namespace etch;
using namespace ulps;

namespace {

constexpr long double pi = 3.141592653589793238462643383279502884L, euler = 0.577215664901532860606512090082402431L,
                      ln2 = 0.693147180559945309417232121458176568L, apery = 1.202056903159594285399738161511449991L;

}  // namespace

TEST_CASE_TEMPLATE("lgamma is within 2 ulp of its value right of 0, near its zeros too", T, float, double) {
  auto const ours = [](T x) { return math::lgamma(math::abs(x)); };
  auto const exact = [](long double x) { return std::lgamma(std::abs(x)); };
  for (double const width : {1e-3, 0.4, 0.999}) {
    CAPTURE(width);
    within<T>(1.1, ours, exact, 1 - width, 1 + width);
    within<T>(1.1, ours, exact, 2 - width, 2 + width);
  }
  within<T>(1.1, ours, exact, 3, 10);
  within<T>(1.1, ours, exact, 10, 1e6);
}

TEST_CASE_TEMPLATE("lgamma left of 0 is within an ulp of the terms that cancel at its zeros", T, float, double) {
  samples<T> some;
  for (int i = 0; i < 20000; ++i) {
    T const x = some.between(-60, 0);
    if (x == std::floor(x)) continue;
    auto const wide = static_cast<long double>(x);
    T const terms = static_cast<T>(std::max(std::abs(std::lgamma(wide)), std::abs(std::lgamma(-wide))));
    CAPTURE(static_cast<double>(x));
    CHECK(std::abs(static_cast<long double>(math::lgamma(x)) - std::lgamma(wide)) <=
          static_cast<long double>(terms * limits<T>::epsilon()));
  }
}

TEST_CASE_TEMPLATE("digamma at the points where Gauss' theorem gives it", T, float, double) {
  auto const near = [](T got, long double want) {
    CAPTURE(static_cast<double>(want));
    CHECK(distance<T>(got, want) <= 1);
  };
  near(math::digamma(T(1)), -euler);
  near(math::digamma(T(0.5)), -euler - 2 * ln2);
  near(math::digamma(T(0.25)), -euler - pi / 2 - 3 * ln2);
  near(math::digamma(T(0.75)), -euler + pi / 2 - 3 * ln2);
  near(math::digamma(T(-0.5)), -euler - 2 * ln2 + 2);
  near(math::digamma(T(-0.25)), -euler + pi / 2 - 3 * ln2 + 4);
  long double harmonic = 0;
  for (int n = 1; n < 40; ++n) {
    near(math::digamma(T(n)), harmonic - euler);
    harmonic += 1.0L / n;
  }
  // ψ(x0 + d) = ψ'(x0) d + ψ''(x0) d²/2 about the zero.
  for (double d : {1e-3, 1e-5, -1e-4}) {
    T const x = static_cast<T>(1.4616321449683623413L + d);
    long double const from_zero = static_cast<long double>(x) - 1.4616321449683623412626595423257L;
    long double const want = from_zero * (0.96767224544762117043L - from_zero * 0.44276316898359210609L);
    double const rounding = 2 * static_cast<double>(limits<T>::epsilon()),
                 neglected = static_cast<double>(from_zero * from_zero);
    CHECK(std::abs(static_cast<double>(static_cast<long double>(math::digamma(x)) / want - 1)) < rounding + neglected);
  }
}

TEST_CASE_TEMPLATE("Hurwitz' zeta function at the points known in closed form", T, float, double) {
  auto const near = [](T s, T x, long double want) {
    CAPTURE(static_cast<double>(s));
    CAPTURE(static_cast<double>(x));
    CHECK(distance<T>(math::zeta(s, x), want) <= 1);
  };
  near(2, 1, pi * pi / 6);
  near(2, T(0.5), pi * pi / 2);
  near(2, T(0.25), pi * pi + 8 * 0.915965594177219015054603514932384111L);
  near(3, 1, apery);
  near(3, T(0.5), 7 * apery);
  near(4, 1, pi * pi * pi * pi / 90);
  near(4, T(0.5), pi * pi * pi * pi / 6);
  near(6, 1, std::pow(pi, 6.0L) / 945);
  near(2, T(-0.5), pi * pi / 2 + 4);
  near(3, T(-0.5), 7 * apery - 8);
  near(2, T(-2.5), pi * pi / 2 + 4 + 4 / 9.0L + 4 / 25.0L);
  for (T const s : {T(2), T(3), T(5), T(9), T(16)})
    for (T const x : {T(0.125), T(0.75), T(3), T(10.5), T(1000)})  // the sum, all but its first term
      near(s, x,
           std::pow(1 / static_cast<long double>(x), static_cast<long double>(s)) +
               static_cast<long double>(math::zeta<double>(s, x + 1)));
}

TEST_CASE_TEMPLATE("the gamma function's relatives at the special values", T, float, double) {
  check_known<T>([](T x) { return math::lgamma(x); }, {{1, 0},
                                                       {2, 0},
                                                       {0, inf<T>},
                                                       {-T(0), inf<T>},
                                                       {-1, inf<T>},
                                                       {-1000, inf<T>},
                                                       {-top<T>, inf<T>},
                                                       {inf<T>, inf<T>},
                                                       {-inf<T>, inf<T>},
                                                       {top<T>, inf<T>},
                                                       {undefined<T>, undefined<T>}});
  check_known<T>([](T x) { return math::digamma(x); }, {{0, -inf<T>},
                                                        {-T(0), inf<T>},
                                                        {smallest<T>, -inf<T>},
                                                        {-smallest<T>, inf<T>},
                                                        {-1, undefined<T>},
                                                        {-1000, undefined<T>},
                                                        {-top<T>, undefined<T>},
                                                        {-inf<T>, undefined<T>},
                                                        {inf<T>, inf<T>},
                                                        {undefined<T>, undefined<T>}});
  for (T const s : {T(2), T(3)})
    check_known<T>([s](T x) { return math::zeta(s, x); }, {{0, inf<T>},
                                                           {-T(0), s == 2 ? inf<T> : -inf<T>},
                                                           {smallest<T>, inf<T>},
                                                           {-1, undefined<T>},
                                                           {-top<T>, undefined<T>},
                                                           {-inf<T>, undefined<T>},
                                                           {inf<T>, 0},
                                                           {undefined<T>, undefined<T>}});
  CHECK(math::zeta(T(1), T(3)) == inf<T>);
  CHECK(std::isnan(math::zeta(T(2.5), T(3))));
  CHECK(std::isnan(math::zeta(undefined<T>, T(3))));
}

TEST_CASE_TEMPLATE("registers give what scalars give for the gamma function's relatives", T, float, double) {
  std::vector<T> x = special_points<T>();
  samples<T> some;
  for (int i = 0; i < 500; ++i) x.push_back(some.any()), x.push_back(some.between(-12, 12));
  for (T& v : x) v = v < 0 && v == std::floor(v) ? v : std::abs(v);  // poles, but no zeros between them
  CHECK(lanes_from_scalar<T>([](auto v) { return math::lgamma(v); }, x) <= 1);
  CHECK(lanes_from_scalar<T>([](auto v) { return math::digamma(v); }, x) <= 1);
  CHECK(lanes_from_scalar<T>([](auto v) { return math::zeta(decltype(v)(T(3)), v); }, x) <= 2);
}

// As constants too, at the ends of the range.
static_assert(math::lgamma(0.5) == 0.5723649429247001 && math::lgamma(-0.5) == 1.2655121234846454 &&
              math::lgamma(0.0) == inf<double>);
static_assert(math::digamma(1.0) == -0.5772156649015329 && math::digamma(inf<double>) == inf<double>);
static_assert(math::zeta(2.0, 1.0) == 1.6449340668482264 && math::zeta(3.0, inf<double>) == 0);
static_assert(math::lgamma(10.0f) == 12.801827f && math::digamma(0.0f) == -inf<float>);
