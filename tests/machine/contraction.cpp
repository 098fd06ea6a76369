#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

TEST_CASE("a comparison holds in every kernel alike, however these contract products and sums") {
  // x² - y² is 0 everywhere, but for how it is rounded: its root must not be differentiated where it is none.
  tensor<double, 8, 8> w;
  static tensor<double, 8, 40> x, y;
  nn::generator random(3);
  for (double& e : w) e = random.normal();
  for (double& e : x) e = random.normal();
  y = x;
  constexpr auto loss = [](auto weight, auto a, auto b) {
    auto const squares = square(a), difference = squares - square(b);
    return sum(square(weight * select(difference > 0, sqrt(difference), 0))) + sum(cos(weight * exp(-squares)));
  };
  static auto step = compile<wrt<0, 1, 2>>(loss, w, x, y);
  step(w, x, y);
  int wrong = 0;
  for (double const e : step.grad<1>()) wrong += !std::isfinite(e);
  for (double const e : step.grad<2>()) wrong += !std::isfinite(e);
  CHECK(wrong == 0);
}
