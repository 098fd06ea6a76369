// hessian and laplacian of functions with loops whose steps follow one another: all directions are the points of one
// loop, so that programs do not grow with their number. Against differences; program = constant = tape.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

constexpr auto cost = [](auto p, auto xs) {
  constexpr int n = decltype(p)::extent[0];
  return scan([&](auto h, auto x) { return tanh(h * p(0) + x * p(n - 1)) + square(h) * p(n / 2) * 0.1; }, sum(p) * 0.2,
              xs);
};

}  // namespace

TEST_CASE("agree with differences of gradients") {
  auto const p = same::filled_with<tensor<double, 7>>(3);
  tensor<double, 5> const xs{0.1, -0.4, 0.3, 0.2, 0.6};
  auto const h = hessian(cost)(p, xs);
  auto slope = compile<wrt<0>>(cost, p, xs);
  double worst = 0, trace = 0, step = 1e-5;
  for (std::size_t j = 0; j < 7; ++j) {
    auto up = p, down = p;
    up[j] += step, down[j] -= step;
    slope(up, xs);
    tensor<double, 7> const above = slope.grad<0>();
    slope(down, xs);
    for (std::size_t i = 0; i < 7; ++i)
      worst = std::max(worst, std::abs((above[i] - slope.grad<0>()[i]) / (2 * step) - h[i + j * 7]));
    trace += h[j + j * 7];
  }
  CHECK(worst < 1e-8);
  CHECK(laplacian(cost)(p, xs) == doctest::Approx(trace));
}

TEST_CASE("programs do not grow with the number of directions") {
  auto const nodes = []<int N>(std::integral_constant<int, N>) {
    return decltype(compile<wrt<>>(hessian(cost), tensor<double, N>{}, tensor<double, 5>{}))::facts.nodes;
  };
  CHECK(nodes(std::integral_constant<int, 12>{}) < nodes(std::integral_constant<int, 4>{}) + 20);
}

TEST_CASE("program = constant = tape; within loops") {
  tensor<double, 4> const p{0.3, 0.5, -0.2, 0.7};
  tensor<double, 5> const xs{0.1, -0.4, 0.3, 0.2, 0.6};
  auto program = compile<wrt<>>(hessian(cost), p, xs);
  tensor<double, 4, 4> const h = program(p, xs);
  constexpr auto three = tensor<double, 3>{0.3, 0.5, -0.2};
  constexpr auto of_constants = hessian(cost)(three, tensor<double, 2>{0.1, -0.4});
  CHECK(same::distance(hessian(cost)(three, tensor<double, 2>{0.1, -0.4}), of_constants) < 1e-13);
  tape<double> record;
  auto const on_tape = hessian(cost)(record.watch(p), record.watch(xs));
  tensor<double, 4, 4> const recorded = value(on_tape);
  CHECK(same::distance(h, recorded) < 1e-13);
  auto const at_points = [](auto ps, auto data) {
    return sum(map([&](auto each) { return sum(hessian(cost)(each, data)); }, ps));
  };
  tensor<double, 4, 3> ps;
  for (std::size_t i = 0; i < 12; ++i) ps[i] = p[i % 4];
  CHECK(compile<wrt<>>(at_points, ps, xs)(ps, xs) == doctest::Approx(3 * sum(h)));
}
