// Loops on a tape through which no derivative flows leave nothing but their results: as programs give them.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

/// The value of `f` at `x` on a tape, whose derivative is 0, and in a program.
void same_as_program(auto const& f, auto const&... x) {
  auto const stopped = [&](auto const&... a) { return f(stop_gradient(a)...); };
  auto const [on_tape, slope] = dynamic::value_and_grad(
      [&](auto const&... a) { return stopped(a...) + 0.0 * sum(std::get<0>(std::tie(a...))); })(x...);
  CHECK(static_cast<double>(on_tape) ==
        doctest::Approx(static_cast<double>(compile<wrt<>>(f, x...)(x...))).epsilon(1e-14));
}

constexpr auto slow_root = [](auto a, auto rate) {
  return fixed_point<2'000'000'000>([](auto x, auto p, auto r) { return x - r * (x * x - p); })(1.0 + 0.0 * a, a, rate);
};

constexpr auto until = [](auto x) {
  return while_loop<1000000>([](auto s) { return sum(square(s)) > 1.0; }, [](auto s) { return 0.9 * s; }, x);
};

}  // namespace

TEST_CASE("the memory of a fixed point does not grow with its steps, nor with their bound") {
  std::size_t bytes[2];
  double const rates[]{0.1, 0.0005};
  for (std::size_t i = 0; i < 2; ++i) {
    tape<double> t;
    auto const a = t.watch(2.0), rate = t.watch(rates[i]);
    auto const y = slow_root(a, rate);
    bytes[i] = t.bytes();
    t.backward(y);
    CHECK(value(y) == doctest::Approx(std::sqrt(2.0)).epsilon(1e-9));
    CHECK(t.grad(a) == doctest::Approx(0.5 / std::sqrt(2.0)).epsilon(1e-9));
    CHECK(std::abs(t.grad(rate)) < 1e-6);
  }
  CHECK(bytes[0] == bytes[1]);
  CHECK(slow_root(2.0, 0.1) == doctest::Approx(std::sqrt(2.0)).epsilon(1e-14));
}

TEST_CASE("carries of every form: tuples, slices, captured values, loops in loops, no step at all") {
  tensor<double, 3> const v{0.3, -1.2, 2};
  tensor<double, 3, 5> m;
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = std::sin(1.0 + static_cast<double>(i));
  same_as_program([](auto x) { return sum(repeat<7>([&](auto s) { return tanh(s + x); }, x)); }, v);
  same_as_program(
      [](auto x, auto all) {
        auto const last = scan(
            [&](auto s, auto each) {
              return std::tuple(std::get<0>(s) + cwise_product(each, x), std::get<1>(s) * 0.5 + sum(each));
            },
            std::tuple(x, 1.0 + 0.0 * x(0)), all);
        return sum(std::get<0>(last)) + std::get<1>(last);
      },
      v, m);
  same_as_program(
      [](auto x) {
        return sum(repeat<3>([](auto s) { return repeat<4>([](auto r) { return sin(r) + 0.5; }, s) * 0.9; }, x));
      },
      v);
  same_as_program([](auto x) { return sum(until(x)); }, v);
  same_as_program([](auto x) { return sum(until(x)); }, tensor<double, 3>{0.1, 0.2, 0.3});
  same_as_program([](auto x) { return sum(until(transpose(x))); }, m);  // begins in a view
  same_as_program([](auto x) { return until(x(1)); }, v);
}

TEST_CASE("steps with derivatives are recorded as before, as far as they run") {
  auto const halve = [](auto x) {
    return while_loop<1000000>([](auto s) { return s > 1.0; }, [](auto s) { return 0.5 * s; }, x);
  };
  auto const [y, g] = dynamic::value_and_grad(halve)(37.0);
  CHECK(y == 37.0 / 64);
  CHECK(g == 1.0 / 64);
}
