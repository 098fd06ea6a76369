// hessian: closed forms and differences, straight code and loops, program = constant = tape.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

template <class T>
struct pose {
  param<T, 2> position;
  T angle;
  ETCH_MEMBERS(pose, position, angle)
};

constexpr auto quartic = [](auto x) { return square(sum(square(x))) + prod(x); };
constexpr auto wave = [](auto x) { return sin(x) * exp(x); };

}  // namespace

TEST_CASE("Hessians: symmetric to the last bit, alone and with value and gradient, small and large") {
  auto const look_at = [](auto const& x) {
    constexpr int n = static_cast<int>(std::remove_cvref_t<decltype(x)>::extent.size());
    auto const h = hessian(quartic)(x);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) CHECK(h(i, j) == h(j, i));
    auto const [v, g, same_h] = value_grad_hessian(quartic)(x);
    CHECK(v == doctest::Approx(value_and_grad(quartic)(x).value));
    CHECK(same::distance(g, grad(quartic)(x)) < 1e-14);
    CHECK(same::distance(same_h, h) < 1e-14);
    double worst = 0, step = 1e-6, trace = 0;
    for (std::size_t j = 0; j < n; ++j) {
      auto up = x, down = x;
      up[j] += step, down[j] -= step;
      auto const above = grad(quartic)(up), below = grad(quartic)(down);
      for (std::size_t i = 0; i < n; ++i)
        worst = std::max(worst, std::abs((above[i] - below[i]) / (2 * step) - h[i + j * n]));
      trace += h[j + j * n];
    }
    CHECK(worst < 1e-6);
    CHECK(laplacian(quartic)(x) == doctest::Approx(trace));
  };
  look_at(tensor<double, 1>{0.7});
  look_at(same::filled_with<tensor<double, 5>>(1));
  look_at(same::filled_with<tensor<double, 17>>(2));
  auto p = compile<wrt<>>(value_grad_hessian(quartic), tensor<double, 3>{});
  tensor<double, 3> const x{1, 2, 3};
  CHECK(p(x) == 196 + 6);
  CHECK(p.result<1>() == grad(quartic)(x));
  CHECK(p.result<2>() == hessian(quartic)(x));
}

TEST_CASE("Hessians of structs and of numbers, with zeros among the factors") {
  pose<double> p;
  p.position = {1, 2}, p.angle = 0.4;
  auto const f = [](auto a) { return a.position(0) * a.position(1) * a.angle + square(a.angle); };
  tensor<double, 3, 3> const expected{0, 0.4, 2, 0.4, 0, 1, 2, 1, 2};
  CHECK(hessian(f)(p) == expected);
  CHECK(value_grad_hessian(f)(p).grad.angle == doctest::Approx(2.8));
  CHECK(laplacian(f)(p) == 2);
  CHECK(hessian(wave)(0.0) == tensor<double, 1, 1>{2});
  auto const product = [](auto x) { return prod(x); };
  CHECK(hessian(product)(tensor<double, 3>{0, 0, 5}) == tensor<double, 3, 3>{0, 5, 0, 5, 0, 0, 0, 0, 0});
}
