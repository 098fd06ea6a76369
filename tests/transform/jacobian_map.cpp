#include <etch/transform/jacobian_map.hpp>

#include "transform/values.hpp"

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>

using namespace etch;
using values::filled_with;

namespace {

constexpr int size = 13;

constexpr auto program = [](auto scale, auto x, auto y) {
  return concat<0>(scale * x(0) * sin(x(1)) * y, exp(x(1)), x(0) / (2.0 + y));
};
constexpr auto jacobians = [](auto scale, auto xs, auto ys) {
  return jacobian_map([&](auto x, auto y) { return program(scale, x, y); }, xs, ys).jacobian;
};
constexpr auto by_second = [](auto scale, auto xs, auto ys) {
  return jacobian_map<wrt<1>>([&](auto x, auto y) { return program(scale, x, y); }, xs, ys).jacobian;
};
constexpr auto value_of_map = [](auto scale, auto xs, auto ys) {
  return jacobian_map([&](auto x, auto y) { return program(scale, x, y); }, xs, ys).value;
};
constexpr auto gradient = [](auto w, auto pairs) {
  return jacobian_map([&](auto pair) { return sum(square(w * std::get<0>(pair))) * std::get<1>(pair); }, pairs)
      .jacobian;
};
constexpr auto of_pairs = [](auto w, auto xs, auto ys) { return gradient(w, std::tuple{xs, ys}); };

}  // namespace

TEST_CASE("value and Jacobian of every point, with respect to all columns or some") {
  double const scale = 0.7;
  auto const xs = filled_with<tensor<double, 2, size>>(1);
  auto const ys = filled_with<tensor<double, size>>(2);
  static auto all = compile<wrt<>>(jacobians, scale, xs, ys);
  static auto some = compile<wrt<>>(by_second, scale, xs, ys);
  static auto values = compile<wrt<>>(value_of_map, scale, xs, ys);
  auto const& j = all(scale, xs, ys);
  auto const& k = some(scale, xs, ys);
  auto const& v = values(scale, xs, ys);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(j)>, tensor<double, 3, 3, size>>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(k)>, tensor<double, 3, 1, size>>);
  for (int n = 0; n < size; ++n) {
    double const a = xs(0, n), b = xs(1, n), y = ys(n);
    double const expected[3][3] = {{scale * std::sin(b) * y, scale * a * std::cos(b) * y, scale * a * std::sin(b)},
                                   {0, std::exp(b), 0},
                                   {1 / (2 + y), 0, -a / ((2 + y) * (2 + y))}};
    double const at[3] = {scale * a * std::sin(b) * y, std::exp(b), a / (2 + y)};
    for (int row = 0; row < 3; ++row) {
      CHECK(v(row, n) == doctest::Approx(at[row]).epsilon(1e-13));
      for (int column = 0; column < 3; ++column)
        CHECK(j(row, column, n) == doctest::Approx(expected[row][column]).epsilon(1e-13));
      CHECK(k(row, 0, n) == doctest::Approx(expected[row][2]).epsilon(1e-13));
    }
  }
}

TEST_CASE("of a scalar, a gradient for every point; columns in a tuple") {
  auto const w = filled_with<tensor<double, 2, 3>>(1);
  auto const xs = filled_with<tensor<double, 3, size>>(2);
  auto const ys = filled_with<tensor<double, size>>(3);
  static auto program = compile<wrt<>>(of_pairs, w, xs, ys);
  auto const& g = program(w, xs, ys);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(g)>, tensor<double, 4, size>>);
  for (int n = 0; n < size; ++n) {
    double y[2]{}, squares = 0;
    for (int i = 0; i < 2; ++i) {
      for (int k = 0; k < 3; ++k) y[i] += w(i, k) * xs(k, n);
      squares += y[i] * y[i];
    }
    for (int k = 0; k < 3; ++k)
      CHECK(g(k, n) == doctest::Approx(2 * ys(n) * (w(0, k) * y[0] + w(1, k) * y[1])).epsilon(1e-13));
    CHECK(g(3, n) == doctest::Approx(squares).epsilon(1e-13));
  }
}

TEST_CASE("Jacobians can be differentiated: second order at every point") {
  // d/da of the sum over points of the slope of sin(a x) at x, cos(a x) a: cos(a x) - a x sin(a x).
  constexpr auto slope = [](auto a, auto xs) {
    return sum(jacobian_map([&](auto x) { return sin(a * x); }, xs).jacobian);
  };
  double const a = 0.8;
  auto const xs = filled_with<tensor<double, size>>(1);
  static auto step = compile<wrt<0, 1>>(slope, a, xs);
  double total = 0, by_a = 0;
  step(a, xs);
  for (int n = 0; n < size; ++n) {
    double const x = xs(n);
    total += a * std::cos(a * x);
    by_a += std::cos(a * x) - a * x * std::sin(a * x);
    CHECK(step.grad<1>()(n) == doctest::Approx(-a * a * std::sin(a * x)).epsilon(1e-13));
  }
  CHECK(step.value() == doctest::Approx(total).epsilon(1e-13));
  CHECK(step.grad<0>() == doctest::Approx(by_a).epsilon(1e-13));
}
