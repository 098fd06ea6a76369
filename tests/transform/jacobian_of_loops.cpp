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

TEST_CASE("so are directions through products with large matrices, which become one for all") {
  constexpr int rows = 97, n = 89;  // more than 8,192 entries, no multiples of a register
  auto const a = same::filled_with<tensor<double, rows, n>>(5);
  auto const x = same::filled_with<tensor<double, 3>>(1);
  auto const first = same::filled_with<tensor<double, n, 3>>(2);
  auto const layer = [](auto in, auto w, auto m) { return tanh(m * (w * in)); };
  tensor<double, rows, 3> const slopes = jacfwd(layer)(x, first, a), by_rows = jacrev(layer)(x, first, a);
  tensor<double, 3, 3> const curves =
      hessian([](auto in, auto w, auto m) { return sum(tanh(m * (w * in))); })(x, first, a);
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) {
      double expected = 0;
      for (int i = 0; i < rows; ++i) {
        double z = 0, in_j = 0, in_k = 0;
        for (int l = 0; l < n; ++l) {
          double const w = a(i, l);
          z += w * (first(l, 0) * x(0) + first(l, 1) * x(1) + first(l, 2) * x(2));
          in_j += w * first(l, j), in_k += w * first(l, k);
        }
        double const t = std::tanh(z), slope = 1 - t * t;
        expected -= 2 * t * slope * in_j * in_k;
        CHECK(std::abs(slopes(i, j) - slope * in_j) < 1e-12 * (1 + std::abs(in_j)));
        CHECK(by_rows(i, j) == doctest::Approx(slopes(i, j)).epsilon(1e-10));
      }
      CHECK(std::abs(curves(j, k) - expected) < 1e-10 * (1 + std::abs(expected)));
    }
}
