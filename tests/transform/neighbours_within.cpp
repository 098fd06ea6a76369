// Hessians along diagonals as parts of other functions, in constant evaluation and in floats.
#include "transform/neighbours.hpp"

using namespace etch;
using namespace neighbours;

TEST_CASE("derivatives of Hessians along diagonals, and Hessians at points of a map") {
  auto const x = same::filled_with<tensor<double, 8>>(9);
  auto const third = jacfwd([](auto v) { return hessian(valleys)(v); })(x);
  auto const back = jacrev([](auto v) { return hessian(valleys)(v); })(x);
  tensor<double, 8> up = x, down = x;
  for (std::size_t k = 0; k < 8; ++k) {
    double const h = 1e-6;
    up = x, down = x;
    up[k] += h, down[k] -= h;
    auto const above = hessian(valleys)(up), below = hessian(valleys)(down);
    for (std::size_t i = 0; i < 64; ++i) {
      CHECK(third[i + 64 * k] == doctest::Approx((above[i] - below[i]) / (2 * h)).epsilon(1e-5));
      CHECK(third[i + 64 * k] == doctest::Approx(back[i + 64 * k]));
    }
  }
  auto const xs = same::filled_with<tensor<double, 8, 11>>(10);
  auto of_points = std::make_unique<decltype(compile<wrt<>>(
      [](auto vs) { return map([](auto v) { return hessian(valleys)(v); }, vs); }, xs))>();
  auto const& all = (*of_points)(xs);
  for (int p = 0; p < 11; ++p) {
    tensor<double, 8> one;
    for (int i = 0; i < 8; ++i) one[static_cast<std::size_t>(i)] = xs(i, p);
    auto const h = hessian(valleys)(one);
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) CHECK(all(i, j, p) == doctest::Approx(h(i, j)));
  }
}

TEST_CASE("in constant evaluation and in floats") {
  constexpr auto h = hessian(valleys)(tensor<double, 6>{0.5, 1, -1, 2, 0, 1});
  auto const program = hessian(valleys)(tensor<double, 6>{0.5, 1, -1, 2, 0, 1});
  for (std::size_t i = 0; i < 36; ++i) CHECK(h[i] == doctest::Approx(program[i]));
  auto const rounded = hessian(valleys)(tensor<float, 6>{0.5f, 1, -1, 2, 0, 1});
  for (std::size_t i = 0; i < 36; ++i) CHECK(rounded[i] == doctest::Approx(program[i]).epsilon(1e-6));
}

TEST_CASE("on a tape") {
  auto const at = same::filled_with<tensor<double, 9>>(11);
  tape<double> t;
  auto const x = t.watch(at);
  auto const h = hessian(valleys)(x);
  auto const loss = sum(cube(h));
  auto const expected = hessian(valleys)(at);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) CHECK(value(h)(i, j) == doctest::Approx(expected(i, j)));
  t.backward(loss);
  auto const& on_tape = t.grad(x);
  auto const in_program = grad([](auto v) { return sum(cube(hessian(valleys)(v))); })(at);
  for (std::size_t i = 0; i < 9; ++i) CHECK(on_tape[i] == doctest::Approx(in_program[i]));
}
