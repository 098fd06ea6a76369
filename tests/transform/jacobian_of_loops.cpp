// jacobian of functions with loops whose steps follow one another: all directions are the points of one loop. By rows,
// by columns and against differences.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

/// Two steps of Heun's method for a system of three numbers with `n` parameters.
constexpr auto motion = [](auto x, auto p) {
  constexpr int n = decltype(p)::extent[0];
  auto const slope = [&](auto s) {
    auto const w = p.template head<3>();
    auto const turned = etch::stack<0>(s(1) * p(n - 1), s(2), s(0));
    return tanh(cwise_product(w, turned)) - cwise_product(s, s) * p(n / 2) + sum(p) * 0.1;
  };
  return repeat<2>([&](auto s) { return s + 0.1 * slope(s + 0.05 * slope(s)); }, x);
};

}  // namespace

TEST_CASE("by rows, by columns and by differences") {
  constexpr int n = 7;
  tensor<double, 3> const x{0.3, -0.2, 0.5};
  auto const p = same::filled_with<tensor<double, n>>(3);
  tensor<double, 3, 3 + n> const rows = jacrev<wrt<0, 1>>(motion)(x, p), columns = jacfwd<wrt<0, 1>>(motion)(x, p);
  CHECK(same::distance(rows, columns) < 1e-14);
  auto step = compile<wrt<>>(motion, x, p);
  double worst = 0;
  for (std::size_t j = 0; j < 3 + n; ++j) {
    auto x_up = x, x_down = x;
    auto p_up = p, p_down = p;
    (j < 3 ? x_up[j] : p_up[j - 3]) += 1e-6, (j < 3 ? x_down[j] : p_down[j - 3]) -= 1e-6;
    tensor<double, 3> const above = step(x_up, p_up), below = step(x_down, p_down);
    for (std::size_t i = 0; i < 3; ++i)
      worst = std::max(worst, std::abs((above[i] - below[i]) / 2e-6 - rows[i + 3 * j]));
  }
  CHECK(worst < 1e-8);
}

TEST_CASE("where a loop ends early") {
  auto const newton = [](auto start) {
    return while_loop<50>([](auto z) { return sum(square(square(z) - 2.0)) > 1e-20; },
                          [](auto z) { return z - (square(z) - 2.0) / (2.0 * z); }, start);
  };
  auto const slopes = jacobian(newton)(tensor<double, 3>{1, 1.5, 2});
  for (int i = 0; i < 3; ++i) CHECK(std::abs(slopes(i, i)) < 1e-9);
}
