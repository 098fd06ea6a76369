// Statements of scalars on a tape: derivatives against closed forms, and the promises at kinks, ties and poles.
#include <etch/compile/gradient.hpp>
#include <etch/op/elementwise.hpp>
#include <etch/tape/tape.hpp>

#include "tape/close.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <source_location>

using namespace etch;
using namespace tapes;

namespace {

// Checks are out of line: their code is large, and there are many of them.
template <class T>
[[gnu::noinline]] void same(T got, double expected) {
  CHECK(steps_between(got, static_cast<T>(expected)) <= 8);
}
template <class T>
[[gnu::noinline]] void same_to_the_sign(int line, T at, T expected, T got, T got_in_steps) {
  CAPTURE(line);
  CAPTURE(at);
  CHECK(identical(got + T(0), expected));
  CHECK(identical(got_in_steps + T(0), expected));
}

template <class X>
auto number(X const& x) {
  if constexpr (scalar<X>) return x;
  else return value(x);
}
/// `f` through a statement of its own for each operand and the result.
auto in_statements(auto f) {
  return [f]<class... V>(V const&... x) {
    using T = decltype((... + number(x)));
    var<T> const y = f([](auto const& each) {
      if constexpr (scalar<std::remove_cvref_t<decltype(each)>>) return each;
      else return var<T>(each * 1);
    }(x)...);
    return var<T>(y + 0);
  };
}

}  // namespace

TEST_CASE_TEMPLATE("derivatives against closed forms", T, float, double) {
  tape<T> t;
  auto const slope = [&](auto f, double at) {
    t.reset();
    var<T> const x = t.watch(static_cast<T>(at));
    t.backward(f(x));
    return t.grad(x);
  };
  auto const check = [&](auto f, double at, double expected) { same(slope(f, at), expected); };
  for (double x : {0.3, 0.9, 1.7}) {
    x = static_cast<double>(static_cast<T>(x));
    check([](auto v) { return exp(v); }, x, std::exp(x));
    check([](auto v) { return log(v); }, x, 1 / x);
    check([](auto v) { return sin(v); }, x, std::cos(x));
    check([](auto v) { return cos(v); }, x, -std::sin(x));
    check([](auto v) { return tan(v); }, x, 1 / std::pow(std::cos(x), 2));
    check([](auto v) { return tanh(v); }, x, 1 / std::pow(std::cosh(x), 2));
    check([](auto v) { return sqrt(v); }, x, 0.5 / std::sqrt(x));
    check([](auto v) { return cbrt(v); }, x, std::cbrt(x) / (3 * x));
    check([](auto v) { return erf(v); }, x, 2 / std::sqrt(std::acos(-1.0)) * std::exp(-x * x));
    check([](auto v) { return atan(v); }, x, 1 / (1 + x * x));
    check([](auto v) { return asinh(v); }, x, 1 / std::sqrt(1 + x * x));
    check([](auto v) { return sigmoid(v); }, x, std::exp(-x) / std::pow(1 + std::exp(-x), 2));
    check([](auto v) { return softplus(v); }, x, 1 / (1 + std::exp(-x)));
    check([](auto v) { return pow(v, v); }, x, std::pow(x, x) * (std::log(x) + 1));
    check([](auto v) { return pow(v, 5); }, x, 5 * std::pow(x, 4));
    check([](auto v) { return pow(v, -3); }, x, -3 * std::pow(x, -4));
    check([](auto v) { return sin(v) * v + exp(-v * v); }, x, std::cos(x) * x + std::sin(x) - 2 * x * std::exp(-x * x));
    check([](auto v) { return v * v * v * v / (1 + v) - 2 / v; }, x,
          (4 * x * x * x * (1 + x) - std::pow(x, 4)) / std::pow(1 + x, 2) + 2 / (x * x));
  }
}

TEST_CASE_TEMPLATE("kinks, ties and poles: the promises of docs/ops.md, in one statement and in several", T, float,
                   double) {
  tape<T> t;
  T const negative_zero = T(-0.0);
  auto const slope = [&](auto f, T at) __attribute__((noinline)) {
    t.reset();
    var<T> const x = t.watch(at);
    t.backward(f(x));
    return t.grad(x);
  };
  auto const check = [&](auto f, T at, T expected, std::source_location const where = std::source_location::current()) {
    same_to_the_sign(static_cast<int>(where.line()), at, expected, slope(f, at), slope(in_statements(f), at));
  };
  for (T const zero : {T(0), negative_zero}) {
    check([](auto x) { return relu(x); }, zero, 0);
    check([](auto x) { return abs(x); }, zero, 0);
    check([](auto x) { return sign(x); }, zero, 0);
    check([](auto x) { return x * sqrt(x); }, zero, none<T>);
    check([](auto x) { return pow(x, 1.5); }, zero, 0);
    check([](auto x) { return pow(x, 2); }, zero, 0);
    check([](auto x) { return pow(x, 1); }, zero, 1);
    check([](auto x) { return pow(x, 0); }, zero, 0);
    check([](auto x) { return leaky_relu(x, T(0.25)); }, zero, T(0.25));
    check([](auto x) { return select(x > 0, log(x), 0); }, zero, 0);
    check([](auto x) { return select(x > 0, log(x), x); }, zero, 1);
    check([](auto x) { return select(x > 0, x * sqrt(x), 0); }, zero, 0);
    check([](auto x) { return select(x == 0, 2 * x, 1 / x); }, zero, 2);
    check([](auto x) { return hypot(x, 0 * x); }, zero, 0);
    check([](auto x) { return max(x, x) + 3 * min(x, x); }, zero, 4);
    check([](auto x) { return max(x, 0); }, zero, T(0.5));
    check([](auto x) { return xlogy(T(0), x); }, zero, 0);
  }
  check([](auto x) { return sqrt(x); }, 0, inf<T>);
  check([](auto x) { return log(x); }, 0, inf<T>);
  check([](auto x) { return 1 / x; }, 0, -inf<T>);
  check([](auto x) { return pow(x, 0.5); }, 0, inf<T>);
  check([](auto x) { return log(x); }, -1, none<T>);
  check([](auto x) { return sqrt(x); }, -1, none<T>);
  check([](auto x) { return relu(x); }, none<T>, none<T>);
  check([](auto x) { return max(x, 1); }, none<T>, none<T>);
  check([](auto x) { return min(1, x); }, none<T>, none<T>);
  check([](auto x) { return pow(x, 3); }, -2, 12);
  check([](auto x) { return pow(x, 2.5); }, -2, none<T>);
  check([](auto x) { return pow(T(-2), x); }, 2, none<T>);
  check([](auto x) { return clamp(x, -1, 2); }, -1, 1);
  check([](auto x) { return clamp(x, -1, 2); }, 2, 1);
  check([](auto x) { return clamp(x, -1, 2); }, T(2.5), 0);
  check([](auto x) { return relu6(x); }, 6, 0);
  check([](auto x) { return select(x < 0, x, exp(x)); }, inf<T>, inf<T>);
  check([](auto x) { return select(x > 0, x, exp(-x) / x * log(x)); }, inf<T>, 1);
  check([](auto x) { return softplus(x); }, 800, 1);
  check([](auto x) { return softplus(x); }, -800, 0);
  check([](auto x) { return log_sigmoid(x); }, -800, 1);
  // pow(0, 0): value 1, both partial derivatives 0.
  t.reset();
  var<T> const base = t.watch(T(0)), exponent = t.watch(T(0));
  CHECK(t.backward(pow(base, exponent)) == 1);
  CHECK(t.grad(base) == 0);
  CHECK(t.grad(exponent) == 0);
}

TEST_CASE_TEMPLATE("masks reach through further statements: what lies behind a branch not taken never counts", T, float,
                   double) {
  tape<T> t;
  var<T> const x = t.watch(T(0)), y = t.watch(T(3));
  var<T> const log_of_x = log(x);
  var<T> const infinite = log_of_x * y;
  var<T> const chosen = select(x > 0, infinite, y);
  t.backward(chosen * 2);
  CHECK(t.grad(x) == 0);
  CHECK(t.grad(y) == 2);
  // Chosen once, not taken once: what is chosen counts.
  t.reset();
  var<T> const a = t.watch(T(2));
  var<T> const root = sqrt(a * 2);
  t.backward(select(a > 1, root, 0) + select(a > 3, root / 0, 5));
  CHECK(t.grad(a) == doctest::Approx(0.5));
}

TEST_CASE_TEMPLATE("an adjoint of exactly 0 times an infinite derivative is NaN, as in the compiled program", T, float,
                   double) {
  constexpr auto f = [](auto x) { return 0 * sqrt(x); };
  tape<T> t;
  var<T> const x = t.watch(T(0));
  var<T> const root = sqrt(x);
  t.backward(T(0) * root);
  T const compiled = grad(f)(T(0));
  CHECK(identical(t.grad(x), compiled));
  t.reset();
  var<T> const u = t.watch(T(0)), w = t.watch(T(0));
  t.backward(sqrt(u) * w);
  CHECK(std::isnan(t.grad(u)));
  CHECK(std::isnan(grad<wrt<0>>([](auto a, auto b) { return sqrt(a) * b; })(T(0), T(0))));
}
