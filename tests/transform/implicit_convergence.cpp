// implicit: when iterations end, and when they do not: roots at 0, noise of rounding, cycles, divergence.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

template <class Program>
void check_lost(Program& program, double guess) {
  CHECK(std::isnan(program(guess)));
  CHECK((program.status() & status::not_converged));
}

}  // namespace

TEST_CASE("roots at 0 and close to it") {
  auto const logarithm = implicit([](auto x, auto a) { return exp(x) - a; });
  for (double const guess : {-1.0, 0.0, 2.0, 30.0}) CHECK(std::abs(logarithm(guess, 1.0)) < 1e-15);
  CHECK(std::abs(logarithm(1.0f, 1.0f)) < 1e-7f);
  CHECK(logarithm(3.0, 1 + 1e-9) == doctest::Approx(1e-9).epsilon(1e-6));
  auto const sine = implicit([](auto x) { return sin(x); });
  CHECK(std::abs(sine(0.5)) < 1e-15);
  CHECK(sine(3.0) == doctest::Approx(3.141592653589793).epsilon(1e-15));
  CHECK(std::abs(implicit([](auto x) { return x + x * x; })(1.0)) < 1e-15);
}

TEST_CASE("a system whose rounding errors are large ends with these") {
  auto const linear = implicit([](auto x, auto a) { return a * x - sum<1>(a); });  // x = 1
  auto step = compile<wrt<>>(linear, tensor<double, 6>{}, tensor<double, 6, 6>{});
  tensor<double, 6, 6> hilbert;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) hilbert(i, j) = 1.0 / (i + j + 1);
  for (double each : step(tensor<double, 6>{}, hilbert)) CHECK(std::abs(each - 1) < 1e-8);
  CHECK(step.status() == status::ok);
  auto few = compile<wrt<>>(linear, tensor<float, 3>{}, tensor<float, 3, 3>{});
  tensor<float, 3, 3> small;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) small(i, j) = 1.0f / static_cast<float>(i + j + 1);
  for (float each : few(tensor<float, 3>{}, small)) CHECK(std::abs(each - 1) < 1e-3f);
  CHECK(few.status() == status::ok);
}

TEST_CASE("cycles and divergence are no solutions") {
  auto cycle = compile<wrt<>>(implicit([](auto x) { return x * x * x - 2.0 * x + 2.0; }), 0.0);
  check_lost(cycle, 0.0);  // 0, 1, 0, 1, ...
  CHECK(cycle(-2.0) == doctest::Approx(-1.7692923542386314).epsilon(1e-15));
  for (double const guess : {0.3, 1.1, 100.0, 1e4, 1e6}) {
    double const x = cycle(guess);
    CHECK((std::isnan(x) || std::abs(x + 1.7692923542386314) < 1e-14));
  }
  auto overshoots = compile<wrt<>>(implicit([](auto x) { return atan(x); }), 0.0);
  check_lost(overshoots, 1.5);
  check_lost(overshoots, 1e6);
  CHECK(std::abs(overshoots(1.0)) < 1e-15);
  auto narrow = compile<wrt<>>(implicit([](auto x) { return atan(1e7 * (x - 1.0)); }), 0.0);
  check_lost(narrow, 1 + 2e-7);
  auto none = compile<wrt<>>(implicit([](auto x) { return x * x + 1.0; }), 0.0);
  check_lost(none, 0.7);
  check_lost(none, INFINITY);
  check_lost(none, NAN);
  auto turns = compile<wrt<>>(fixed_point([](auto x) { return 1.0 - x; }), 0.0);
  check_lost(turns, 0.3);
}

TEST_CASE("contractions that turn are followed to the last digit") {
  auto const turning = fixed_point(
      [](auto x, auto r) { return stack<0>(1.0 + r * (0.8 * x(0) - 0.6 * x(1)), r * (0.6 * x(0) + 0.8 * x(1))); });
  for (double const r : {0.3, 0.9}) {
    auto const x = turning(tensor<double, 2>{5, 5}, r);
    double const a = 1 - 0.8 * r, b = 0.6 * r, d = a * a + b * b;
    CHECK(x(0) == doctest::Approx(a / d).epsilon(1e-13));
    CHECK(x(1) == doctest::Approx(b / d).epsilon(1e-13));
  }
}
