// implicit: roots against closed forms, to the third order, in programs, constants, loops, points and derivatives.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

constexpr auto square_root = implicit([](auto x, auto a) { return x * x - a; });
constexpr auto cube_root = implicit([](auto x, auto a) { return x * x * x - a; });
// Kepler's equation: dE/dM = 1 / (1 - e cos E), dE/de = sin E / (1 - e cos E).
constexpr auto kepler = implicit([](auto E, auto M, auto e) { return E - e * sin(E) - M; });
constexpr auto anomaly = [](auto M, auto e) { return kepler(M, M, e); };

}  // namespace

TEST_CASE("roots of numbers: values and derivatives to the third order, in constant evaluation too") {
  for (double const a : {0.25, 1.0, 2.0, 1e6}) {
    auto const of = [](auto p) { return square_root(1.0, p); };
    CHECK(square_root(1.0, a) == doctest::Approx(std::sqrt(a)).epsilon(1e-15));
    CHECK(grad(of)(a) == doctest::Approx(0.5 / std::sqrt(a)).epsilon(1e-14));
    CHECK(derivative<2>(of)(a) == doctest::Approx(-0.25 * std::pow(a, -1.5)).epsilon(1e-13));
    CHECK(derivative<3>(of)(a) == doctest::Approx(0.375 * std::pow(a, -2.5)).epsilon(1e-13));
    CHECK(cube_root(1.0, a) == doctest::Approx(std::cbrt(a)).epsilon(1e-15));
    CHECK(grad<wrt<1>>(cube_root)(1.0, a) == doctest::Approx(1 / (3 * std::cbrt(a) * std::cbrt(a))).epsilon(1e-14));
  }
  CHECK(square_root(1.0f, 2.0f) == doctest::Approx(std::sqrt(2.0f)).epsilon(1e-6));
  CHECK(grad<wrt<1>>(square_root)(1.0f, 2.0f) == doctest::Approx(0.5f / std::sqrt(2.0f)).epsilon(1e-6));
  static_assert(std::is_same_v<decltype(square_root(1.0f, 2.0f)), float>);
  constexpr double root = square_root(1.0, 4.0), slope = grad<wrt<1>>(square_root)(1.0, 4.0);
  static_assert(root == 2 && slope == 0.25);
}

TEST_CASE("the guess has gradient 0, and chooses the root") {
  CHECK(grad<wrt<0, 1>>(square_root)(1.0, 4.0) == std::tuple(0.0, 0.25));
  CHECK(grad<wrt<0, 1>>(square_root)(-1.0, 4.0) == std::tuple(0.0, -0.25));
  auto const from_it = [](auto a) { return square_root(0.7 * a, a); };
  CHECK(grad(from_it)(4.0) == doctest::Approx(0.25).epsilon(1e-15));
  CHECK(derivative<2>(from_it)(4.0) == doctest::Approx(-1.0 / 32).epsilon(1e-14));
  CHECK(implicit([](auto x) { return x * x - 2.0; })(1.0) == doctest::Approx(std::sqrt(2.0)).epsilon(1e-15));
  CHECK(grad(implicit([](auto x) { return x * x - 2.0; }))(1.0) == 0);
}

TEST_CASE("Kepler's equation, its first and second derivatives, by every transformation") {
  for (double const M : {0.1, 1.0, 2.5, 3.1})
    for (double const e : {0.0, 0.1, 0.6}) {
      double const E = anomaly(M, e), slope = 1 / (1 - e * std::cos(E));
      CHECK(std::abs(E - e * std::sin(E) - M) < 1e-15);
      auto const [dM, de] = grad<wrt<0, 1>>(anomaly)(M, e);
      CHECK(dM == doctest::Approx(slope).epsilon(1e-13));
      CHECK(de == doctest::Approx(slope * std::sin(E)).epsilon(1e-13));
      CHECK(derivative<2>([](auto m) { return kepler(m, m, 0.6); })(M) ==
            doctest::Approx([&] {
              double const F = anomaly(M, 0.6), s = 1 / (1 - 0.6 * std::cos(F));
              return -0.6 * std::sin(F) * s * s * s;
            }())
                .epsilon(1e-12));
      auto const [y, along] = jvp(anomaly)(M, e, 2.0, -1.0);
      CHECK(y == E);
      CHECK(along == doctest::Approx(slope * (2 - std::sin(E))).epsilon(1e-13));
      auto const j = jacfwd<wrt<0, 1>>(anomaly)(M, e), k = jacrev<wrt<0, 1>>(anomaly)(M, e);
      CHECK(same::distance(j, k) < 1e-14);
      CHECK(hvp([](auto m) { return kepler(m, m, 0.6); })(M, 1.0) ==
            doctest::Approx(derivative<2>([](auto m) { return kepler(m, m, 0.6); })(M)).epsilon(1e-13));
    }
  CHECK(check_gradient<2>(anomaly, 1.0, 0.5).ok);
}
