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

namespace {

/// 1 / (x² - y²) where that is not 0.
constexpr auto inverse_or_0 = [](auto x, auto y) {
  auto const t = square(x) - square(y);
  return select(t != 0, 1 / t, 0);
};

/// How many entries of the value and the gradients of `loss` at x = y are not 0.
template <class T, int... Extent>
int not_zero(auto loss) {
  tensor<T, Extent...> x;
  nn::generator random(7);
  for (T& e : x) e = static_cast<T>(random.normal());
  tensor<T, Extent...> const y = x;
  static auto step = compile<wrt<0, 1>>(loss, x, y);
  int count = step(x, y) != 0;
  for (T const e : step.template grad<0>()) count += e != 0;
  for (T const e : step.template grad<1>()) count += e != 0;
  return count;
}

}  // namespace

TEST_CASE_TEMPLATE("a difference of equal squares is 0 for a comparison, and for what it lets pass", T, float, double) {
  constexpr auto whole = [](auto x, auto y) { return sum(inverse_or_0(x, y)); };
  CHECK(not_zero<T>(whole) == 0);
  CHECK(not_zero<T, 1>(whole) == 0);
  CHECK(not_zero<T, 3>(whole) == 0);
  CHECK(not_zero<T, 17>(whole) == 0);
  CHECK(not_zero<T, 64, 5>(whole) == 0);
  // Points in lanes, and entries one after the other, which a compiler might bring together.
  CHECK(not_zero<T, 3, 37>(
            [](auto x, auto y) { return sum_map([](auto a, auto b) { return sum(inverse_or_0(a, b)); }, x, y); }) == 0);
  CHECK(not_zero<T, 4>([](auto x, auto y) {
          return inverse_or_0(x(0), y(0)) + inverse_or_0(x(1), y(1)) + inverse_or_0(x(2), y(2)) +
                 inverse_or_0(x(3), y(3));
        }) == 0);
}
