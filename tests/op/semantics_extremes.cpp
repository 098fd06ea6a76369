// Subnormal and huge operands, whose inverses and squares are infinite or 0; exponents of 0.
#include "op/extremes.hpp"

using namespace etch;
using namespace extremes;

TEST_CASE_TEMPLATE("a quotient by one number is the quotient, whatever the number", T, float, double) {
  constexpr auto f = [](auto x, auto s) { return sum(x / s); };
  constexpr auto each = [](auto x, auto s) { return x / s; };
  static auto program = compile<wrt<>>(each, tensor<T, 37>{}, T{});
  ulps::samples<T> some;
  T const least = ulps::limits<T>::min();
  for (T const s : {smallest<T>, 3 * smallest<T>, least / 8, least / 4, least, T(0.3), T(7), T(0.2) / least,
                    T(0.3) / least, top<T> / 3, top<T>, inf<T>}) {
    tensor<T, 37> x;
    for (T& entry : x) entry = some.any();
    x(0) = 0, x(1) = s / 2, x(2) = 2 * s, x(3) = smallest<T>, x(4) = top<T>, x(5) = top<T> / 16;
    T const divisor = ulps::at_run_time(s);
    auto const quotients = program(x, divisor);
    CAPTURE(static_cast<double>(s));
    for (int i = 0; i < 37; ++i) {
      CAPTURE(static_cast<double>(x(i)));
      T const want = x(i) / divisor;
      CHECK((ulps::exactly(quotients(i), want) || near(quotients(i), want, 2)));
    }
  }
  check_everywhere(f, [] { return of<T, 3>({0, 1, 2}); }, T(12), of<T, 3>({4, 4, 4}), [] { return T(0.25); });
  constexpr auto tiny = [] {
    tensor<T, 3> x;
    x(0) = smallest<T>, x(1) = 4 * smallest<T>, x(2) = 0;
    return x;
  };
  check_running(f, tiny(), T(1.25), of<T, 3>({infinite, infinite, infinite}), 4 * smallest<T>);
  // The gradient would overflow, which no constant may: so by a factor.
  constexpr auto scaled = [](auto x, auto s, auto w) { return w * sum(x / s); };
  static constexpr auto early = value_and_grad<wrt<2>>(scaled)(tiny(), 4 * smallest<T>, T(1));
  CHECK(early.grad == T(1.25));
  // Far from 0 the inverse is subnormal, and the derivative is the same number again.
  T const far = top<T> / 3;
  check_running(f, of<T, 3>({0, 1, 2}), 3 / far, of<T, 3>({1.0 / far, 1.0 / far, 1.0 / far}), far);
}

TEST_CASE_TEMPLATE("derivatives whose formulas have squares, at tiny and huge operands", T, float, double) {
  constexpr bool is_float = sizeof(T) == 4;
  for (double const size : {is_float ? 1e-30 : 1e-200, is_float ? 1e30 : 1e200}) {
    T const t = static_cast<T>(size), half = static_cast<T>(0.5 / static_cast<double>(t));
    tensor<T, 2> x;
    x.fill(t);
    tensor<T, 2> slopes;
    slopes(0) = half, slopes(1) = -half;
    check_running([](auto v) { return atan2(v(0), v(1)); }, x, static_cast<T>(0.78539816339744830962), slopes);
    slopes.fill(static_cast<T>(0.70710678118654752440));
    check_running([](auto v) { return hypot(v(0), v(1)); }, x,
                  static_cast<T>(1.4142135623730950488 * static_cast<double>(t)), slopes);
  }
  T const far = is_float ? T(1e30) : T(1e200);
  auto const slope = [&](auto f) {
    T const recorded = dynamic::value_and_grad(f)(far).grad, compiled = grad(f)(far);
    CHECK(near(recorded, compiled));
    return compiled;
  };
  CHECK(near(slope([](auto x) { return asinh(x); }), 1 / far));
  CHECK(near(slope([](auto x) { return acosh(x); }), 1 / far));
  CHECK(slope([](auto x) { return erf(x); }) == 0);
  CHECK(slope([](auto x) { return atan(x); }) == 0);
}

TEST_CASE_TEMPLATE("pow with an exponent of 0 has slope 0 in its base, NaN too, and what made the base multiplies that",
                   T, float, double) {
  T const nan = undefined<T>;
  for (T const b : {T(0), -T(0)}) {
    for (T const a : {nan, T(0), inf<T>, T(-3), T(2)}) {
      auto const f = [](auto x, auto e) { return pow(x, e); };
      CHECK(value_and_grad(f)(a, b).value == 1);
      CHECK(value_and_grad(f)(a, b).grad == 0);
      CHECK(dynamic::value_and_grad(f)(a, b).grad == 0);
    }
    constexpr auto made = [](auto x, auto e) { return sum(pow(abs(x), e)); };
    constexpr auto written = [](auto x) { return sum(pow(abs(x), 0)); };
    tensor<T, 3> x, slopes;
    x(0) = nan, x(1) = -2, slopes(0) = nan;
    check_running(made, x, T(3), slopes, b);
    check_running(written, x, T(3), slopes);
    CHECK(std::isnan(value_and_grad([](auto y, auto e) { return pow(abs(y), e); })(nan, b).grad));
    CHECK(std::isnan(dynamic::value_and_grad([](auto y, auto e) { return pow(abs(y), e); })(nan, b).grad));
  }
}
