// jacobian, hessian and laplacian of functions with loops whose steps follow one another: all directions are the steps
// of one loop, so that programs do not grow with their number. Against differences of gradients and closed forms.
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
constexpr auto cost = [](auto p, auto xs) {
  constexpr int n = decltype(p)::extent[0];
  return scan([&](auto h, auto x) { return tanh(h * p(0) + x * p(n - 1)) + square(h) * p(n / 2) * 0.1; }, sum(p) * 0.2,
              xs);
};

template <class F, class X, class... More>
double distance_from_differences(F const& f, X const& x, More const&... more) {
  auto const h = hessian(f)(x, more...);
  constexpr std::size_t n = X::extent.size();
  double worst = 0, trace = 0, step = 1e-5;
  for (std::size_t j = 0; j < n; ++j) {
    X up = x, down = x;
    up[j] += step, down[j] -= step;
    auto const above = grad(f)(up, more...), below = grad(f)(down, more...);
    for (std::size_t i = 0; i < n; ++i)
      worst = std::max(worst, std::abs((above[i] - below[i]) / (2 * step) - h[i + j * n]));
    trace += h[j + j * n];
  }
  return std::max(worst, std::abs(laplacian(f)(x, more...) - trace));
}

}  // namespace

TEST_CASE_TEMPLATE("by rows, by columns and by differences", N, std::integral_constant<int, 3>,
                   std::integral_constant<int, 7>) {
  constexpr int n = N::value;
  tensor<double, 3> const x{0.3, -0.2, 0.5};
  auto const p = same::filled_with<tensor<double, n>>(3);
  tensor<double, 3, n> const rows = jacrev<wrt<1>>(motion)(x, p), columns = jacfwd<wrt<1>>(motion)(x, p);
  CHECK(same::distance(rows, columns) < 1e-14);
  CHECK(same::distance(rows, jacobian<wrt<1>>(motion)(x, p)) == 0);
  tensor<double, 3, 3 + n> const both = jacobian<wrt<0, 1>>(motion)(x, p);
  auto step = compile<wrt<>>(motion, x, p);
  double worst = 0;
  for (std::size_t j = 0; j < 3 + n; ++j) {
    auto x_up = x, x_down = x;
    auto p_up = p, p_down = p;
    (j < 3 ? x_up[j] : p_up[j - 3]) += 1e-6, (j < 3 ? x_down[j] : p_down[j - 3]) -= 1e-6;
    tensor<double, 3> const above = step(x_up, p_up), below = step(x_down, p_down);
    for (std::size_t i = 0; i < 3; ++i)
      worst = std::max(worst, std::abs((above[i] - below[i]) / 2e-6 - both[i + 3 * j]));
  }
  CHECK(worst < 1e-8);
  tensor<double, 5> const xs{0.1, -0.4, 0.3, 0.2, 0.6};
  CHECK(distance_from_differences(cost, p, xs) < 1e-8);
}

TEST_CASE("programs do not grow with the number of directions") {
  auto const nodes = []<int N>(std::integral_constant<int, N>) {
    return decltype(compile<wrt<>>(hessian(cost), tensor<double, N>{}, tensor<double, 5>{}))::facts.nodes;
  };
  CHECK(nodes(std::integral_constant<int, 12>{}) < nodes(std::integral_constant<int, 4>{}) + 20);
}

TEST_CASE("program = constant = tape, within loops, and where a loop ends early or draws numbers") {
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
  auto const newton = [](auto start) {
    return while_loop<50>([](auto z) { return sum(square(square(z) - 2.0)) > 1e-20; },
                          [](auto z) { return z - (square(z) - 2.0) / (2.0 * z); }, start);
  };
  auto const slopes = jacobian(newton)(tensor<double, 3>{1, 1.5, 2});
  for (int i = 0; i < 3; ++i) CHECK(std::abs(slopes(i, i)) < 1e-9);
}
