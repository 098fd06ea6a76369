// Parts of a value that has a name, where functions take and return them: as values, not as places.
#include <etch/op/eigen/part_expr.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

using etch::tensor;

namespace {

constexpr tensor<double, 2, 3> x{1, 2, 3, 4, 5, 6};

void check(auto f, double value, tensor<double, 2, 3> const& gradient) {
  auto const r = etch::value_and_grad(f)(x);
  CHECK(r.value == doctest::Approx(value));
  auto const on_tape = etch::dynamic::value_and_grad(f)(x);
  CHECK(on_tape.value == doctest::Approx(value));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      CHECK(r.grad(i, j) == doctest::Approx(gradient(i, j)));
      CHECK(on_tape.grad(i, j) == doctest::Approx(gradient(i, j)));
    }
}

}  // namespace

TEST_CASE("loops begin with parts and walk through them") {
  check([](auto m) { return sum(etch::scan([](auto c, auto p) { return c + p; }, m.col(0), m)); }, 24,
        {2, 2, 1, 1, 1, 1});
  check(
      [](auto m) { return sum(etch::scan([](auto c, auto p) { return c + p; }, m.col(2), m.template leftCols<2>())); },
      21, {1, 1, 1, 1, 1, 1});
  check([](auto m) { return sum(etch::repeat<3>([](auto c) { return c * 2.0; }, m.col(0))) + sum(m); }, 24 + 21,
        {9, 9, 1, 1, 1, 1});
  check(
      [](auto m) {
        auto const [a, b] = etch::scan(
            [](auto c, auto p) {
              auto const [one, other] = c;
              return std::tuple(one + p, other * 0.5);
            },
            std::tuple(m.col(0), m.col(1)), m);
        return sum(a) + sum(b);
      },
      24.875, {2, 2, 1.125, 1.125, 1, 1});
}

TEST_CASE("points lie in a part") {
  check([](auto m) { return etch::sum_map([](auto v) { return v.squaredNorm(); }, m.template leftCols<2>()); }, 30,
        {2, 4, 6, 8, 0, 0});
  check([](auto m) { return sum(etch::map([](auto v) { return v.squaredNorm(); }, m.template leftCols<2>())); }, 30,
        {2, 4, 6, 8, 0, 0});
  check(
      [](auto m) {
        return sum(etch::jacobian_map([](auto v) { return v.squaredNorm(); }, m.template leftCols<2>()).jacobian);
      },
      20, {2, 2, 2, 2, 0, 0});
}

TEST_CASE("what a function does with a part, or returns, leaves the value it was taken from alone") {
  check([](auto m) { return sum(etch::checkpoint([](auto v) { return v * 2.0; })(m.col(0))) + sum(m); }, 6 + 21,
        {3, 3, 1, 1, 1, 1});
  check([](auto m) { return sum(etch::checkpoint([](auto a) { return a.col(1); })(m)) + sum(m); }, 7 + 21,
        {1, 1, 2, 2, 1, 1});
  check(
      [](auto m) {
        auto const [y, d] = etch::jvp([](auto v) { return v.squaredNorm(); })(m.col(0), m.col(1));
        return y + d + sum(m);
      },
      5 + 22 + 21, {2 + 6 + 1, 4 + 8 + 1, 3, 5, 1, 1});
}
