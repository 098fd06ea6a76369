// known_answers: derivatives whose closed forms are in the books: Rosenbrock's function, the Helmholtz energy of a
// mixture, the Greeks of Black and Scholes to the third order, a gradient penalty.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace etch;

namespace {

constexpr auto chain = [](auto x) {
  auto const next = slice<0, 1, 5>(x), here = slice<0, 0, 5>(x);
  return sum(100.0 * square(next - square(here)) + square(1.0 - here));
};

// A. Griewank, On automatic differentiation (1989): of n components, in units of R T.
constexpr auto helmholtz = [](auto x, auto b, auto a) {
  auto const bx = dot(b, x), ax = dot(x, a * x);
  constexpr double root = std::numbers::sqrt2;
  return sum(cwise_product(x, log(x / (1.0 - bx)))) -
         ax / (2.0 * root * bx) * log((1.0 + (1.0 + root) * bx) / (1.0 + (1.0 - root) * bx));
};

// Price of a call: spot, strike 100, volatility, rate, time.
constexpr auto call = [](auto s, auto v, auto r, auto t) {
  auto const cdf = [](auto x) { return 0.5 * erfc((-1 / std::numbers::sqrt2) * x); };
  auto const d1 = (log(s / 100.0) + (r + 0.5 * v * v) * t) / (v * sqrt(t)), d2 = d1 - v * sqrt(t);
  return s * cdf(d1) - 100.0 * exp(-1.0 * r * t) * cdf(d2);
};
constexpr auto by_spot = [](auto s, auto v, auto r, auto t) {
  return grad([&](auto z) { return call(z, v, r, t); })(s);
};
constexpr auto curvature = [](auto s, auto v, auto r, auto t) {
  return grad([&](auto z) { return by_spot(z, v, r, t); })(s);
};

constexpr auto critic = [](auto w, auto x) { return sum(tanh(w * x)); };
// (The norm of the gradient by the input - 1)², as in I. Gulrajani et al., 2017.
constexpr auto penalty = [](auto w, auto x) {
  return square(norm(grad([&](auto z) { return critic(w, z); })(x)) - 1.0);
};

}  // namespace

TEST_CASE("Rosenbrock's chain: gradient and the band of its Hessian") {
  tensor<double, 6> const x{0.5, 1.2, -0.7, 0.3, 2, 1};
  auto const [v, g, h] = value_grad_hessian(chain)(x);
  for (int i = 0; i < 6; ++i) {
    auto const at = [&](int k) { return x[static_cast<std::size_t>(k)]; };
    double slope = 0, diagonal = 0;
    if (i < 5)
      slope += -400 * at(i) * (at(i + 1) - at(i) * at(i)) - 2 * (1 - at(i)),
          diagonal += 1200 * at(i) * at(i) - 400 * at(i + 1) + 2;
    if (i > 0) slope += 200 * (at(i) - at(i - 1) * at(i - 1)), diagonal += 200;
    CHECK(g[static_cast<std::size_t>(i)] == doctest::Approx(slope));
    for (int j = 0; j < 6; ++j)
      CHECK(h(i, j) == doctest::Approx(i == j ? diagonal : std::abs(i - j) == 1 ? -400 * at(std::min(i, j)) : 0.0));
  }
  CHECK(laplacian(chain)(x) == doctest::Approx(h(0, 0) + h(1, 1) + h(2, 2) + h(3, 3) + h(4, 4) + h(5, 5)));
}

TEST_CASE("the Helmholtz energy: its Hessian by hand") {
  constexpr int n = 4;
  tensor<double, n> x, b;
  tensor<double, n, n> a;
  for (int i = 0; i < n; ++i) {
    x(i) = 0.05 + 0.02 * i, b(i) = 0.3 + 0.1 * i;
    for (int j = 0; j <= i; ++j) a(i, j) = a(j, i) = 0.2 + 0.1 * std::sin(1.0 + i + 2 * j);
  }
  // f = sum x log x - S log(1 - u) - q / (2 r u) L(u), with S the sum of x, u = b.x, q = x.A x.
  double const r = std::numbers::sqrt2, p = 1 + r, m = 1 - r;
  double s = 0, u = 0, q = 0;
  tensor<double, n> ax;
  for (int i = 0; i < n; ++i) s += x(i), u += b(i) * x(i);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) ax(i) += a(i, j) * x(j), q += x(i) * a(i, j) * x(j);
  auto const big = [&](double z) { return std::log((1 + p * z) / (1 + m * z)) / (2 * r * z); };
  double const e = 1e-4, c = big(u), c1 = (big(u + e) - big(u - e)) / (2 * e),
               c2 = (big(u + e) - 2 * big(u) + big(u - e)) / (e * e);
  auto const h = hessian(helmholtz)(x, b, a);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double const expected = (i == j ? 1 / x(i) : 0) + (b(i) + b(j)) / (1 - u) +
                              s * b(i) * b(j) / ((1 - u) * (1 - u)) -
                              (2 * a(i, j) * c + 2 * c1 * (ax(i) * b(j) + ax(j) * b(i)) + q * c2 * b(i) * b(j));
      CHECK(h(i, j) == doctest::Approx(expected).epsilon(1e-6));
    }
}

TEST_CASE("Greeks to the third order") {
  double const s = 110, v = 0.2, r = 0.03, t = 0.5;
  double const root = v * std::sqrt(t), d1 = (std::log(s / 100) + (r + 0.5 * v * v) * t) / root, d2 = d1 - root;
  double const density = std::exp(-0.5 * d1 * d1) / std::sqrt(2 * std::numbers::pi);
  double const delta = 0.5 * std::erfc(-d1 / std::numbers::sqrt2), vega = s * density * std::sqrt(t),
               known_gamma = density / (s * root);
  auto const first = grad<wrt<0, 1>>(call)(s, v, r, t);
  CHECK(std::get<0>(first) == doctest::Approx(delta).epsilon(1e-13));
  CHECK(std::get<1>(first) == doctest::Approx(vega).epsilon(1e-13));
  auto const second = grad<wrt<0, 1>>(by_spot)(s, v, r, t);
  CHECK(std::get<0>(second) == doctest::Approx(known_gamma).epsilon(1e-12));
  CHECK(std::get<1>(second) == doctest::Approx(-density * d2 / v).epsilon(1e-12));  // vanna
  auto const third = grad<wrt<0, 1>>(curvature)(s, v, r, t);
  CHECK(std::get<0>(third) == doctest::Approx(-known_gamma / s * (d1 / root + 1)).epsilon(1e-11));  // speed
  CHECK(std::get<1>(third) == doctest::Approx(known_gamma * (d1 * d2 - 1) / v).epsilon(1e-11));     // zomma
}

TEST_CASE("a gradient penalty, its gradient against differences") {
  auto const w = same::filled_with<tensor<double, 5, 3>>(1);
  tensor<double, 3> const x{0.3, -0.2, 0.5};
  auto const [v, g] = value_and_grad(penalty)(w, x);
  double squares = 0;
  for (int j = 0; j < 3; ++j) {
    double slope = 0;
    for (int i = 0; i < 5; ++i) {
      double const z = std::tanh(w(i, 0) * x[0] + w(i, 1) * x[1] + w(i, 2) * x[2]);
      slope += (1 - z * z) * w(i, j);
    }
    squares += slope * slope;
  }
  CHECK(v == doctest::Approx((std::sqrt(squares) - 1) * (std::sqrt(squares) - 1)));
  CHECK(check_gradient(penalty, w, x).ok);
  static_cast<void>(g);
}
