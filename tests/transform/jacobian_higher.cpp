// hessian, laplacian, derivative: closed forms and differences, straight code and loops, program = constant = tape.
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

TEST_CASE("derivatives of any order of a function of one number") {
  double const x = 0.4, e = std::exp(x), s = std::sin(x), c = std::cos(x);
  CHECK(derivative<0>(wave)(x) == doctest::Approx(s * e));
  CHECK(derivative(wave)(x) == doctest::Approx(e * (s + c)));
  CHECK(derivative<2>(wave)(x) == doctest::Approx(2 * e * c));
  CHECK(derivative<3>(wave)(x) == doctest::Approx(2 * e * (c - s)));
  CHECK(derivative<4>(wave)(x) == doctest::Approx(-4 * e * s));
  CHECK(derivative<5>(wave)(x) == doctest::Approx(-4 * e * (s + c)));
  static_assert(derivative<2>(wave)(0.0) == 2);
  auto const in_loss = [](auto a) { return square(derivative<2>(wave)(a)); };
  CHECK(grad(in_loss)(x) == doctest::Approx(2 * 2 * e * c * 2 * e * (c - s)));
  tape<float> t;
  auto const a = t.watch(0.4f);
  CHECK(value(derivative<2>(wave)(a)) == doctest::Approx(2 * e * c));
}

TEST_CASE("a harmonic function, and a Laplacian that is differentiated at many points") {
  auto const harmonic = [](auto x) { return exp(x(0)) * sin(x(1)); };
  CHECK(std::abs(laplacian(harmonic)(tensor<double, 2>{0.3, 0.8})) < 1e-15);
  auto const residual = [](auto a, auto points) {
    return sum_map([&](auto x) { return square(laplacian([&](auto z) { return sin(a * z(0)) * z(1); })(x)); }, points);
  };
  auto const points = same::filled_with<tensor<double, 2, 13>>(3);
  double const a = 1.5, h = 1e-6;
  auto const [v, g] = value_and_grad(residual)(a, points);
  double expected = 0;
  for (int i = 0; i < 13; ++i) {
    double const l = -a * a * std::sin(a * points(0, i)) * points(1, i);
    expected += l * l;
  }
  CHECK(v == doctest::Approx(expected));
  double const up = value_and_grad(residual)(a + h, points).value, down = value_and_grad(residual)(a - h, points).value;
  CHECK(g == doctest::Approx((up - down) / (2 * h)).epsilon(1e-7));
}
