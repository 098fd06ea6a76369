// Values and three derivatives at a mask and behind it, against closed forms.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

/// The derivative of order `Order` of `F`.
template <class F, int Order>
struct of_order {
  constexpr auto operator()(auto const& x) const {
    if constexpr (Order == 0) return F{}(x);
    else return derivative<Order>(F{})(x);
  }
};

/// The function's value and derivatives of orders 1 to 3 at `x`, as a program and on a tape.
template <class F>
void check(F, double x, double value, double first, double second, double third) {
  auto const one = [&]<class G>(G, double v, double g) {
    auto const found = value_and_grad(G{})(x), taped = dynamic::value_and_grad(G{})(x);
    for (auto const& each : {found, taped}) {
      CHECK(each.value == doctest::Approx(v).epsilon(1e-14));
      CHECK(each.grad == doctest::Approx(g).epsilon(1e-14));
    }
  };
  one(of_order<F, 0>{}, value, first);
  one(of_order<F, 2>{}, second, third);
}
/// 0 with all derivatives as a constant, at `x = 0`.
template <class F>
constexpr bool vanishes = [] {
  auto const low = value_and_grad(of_order<F, 0>{})(0.0), high = value_and_grad(of_order<F, 2>{})(0.0);
  return low.value == 0 && low.grad == 0 && high.value == 0 && high.grad == 0;
}();

constexpr auto logarithm = [](auto x) { return select(x > 0, log(x), 0); };
constexpr auto root_of_mask = [](auto x) { return sqrt(select(x > 0, x, 0)); };
constexpr auto masked_twice = [](auto x) { return select(x > 0, sqrt(select(x > 0, x, 1)), 0); };
constexpr auto entropy = [](auto x) { return select(x > 0, x * log(x), 0); };
constexpr auto ratio = [](auto x) { return x * select(x > 0, 1 / x, 0); };

}  // namespace

TEST_CASE("select(x > 0, log(x), 0)") {
  for (double x : {0.0, -1.0}) check(logarithm, x, 0, 0, 0, 0);
  check(logarithm, 2, std::log(2.0), 0.5, -0.25, 0.25);
  static_assert(vanishes<std::remove_const_t<decltype(logarithm)>>);
}

TEST_CASE("sqrt(select(x > 0, x, 0)), and the mask on both sides") {
  for (double x : {0.0, -1.0}) check(root_of_mask, x, 0, 0, 0, 0), check(masked_twice, x, 0, 0, 0, 0);
  check(root_of_mask, 4, 2, 0.25, -1.0 / 32, 3.0 / 256);
  check(masked_twice, 4, 2, 0.25, -1.0 / 32, 3.0 / 256);
  static_assert(vanishes<std::remove_const_t<decltype(root_of_mask)>>);
  static_assert(vanishes<std::remove_const_t<decltype(masked_twice)>>);
}

TEST_CASE("0 times what a mask keeps from being infinite") {
  for (double x : {0.0, -1.0}) check(entropy, x, 0, 0, 0, 0), check(ratio, x, 0, 0, 0, 0);
  check(entropy, 2, 2 * std::log(2.0), std::log(2.0) + 1, 0.5, -0.25);
  static_assert(vanishes<std::remove_const_t<decltype(entropy)>>);
  static_assert(vanishes<std::remove_const_t<decltype(ratio)>>);
}

TEST_CASE("an exponent of 0") {
  for (double x : {0.0, -1.0, 2.0}) {
    check([](auto y) { return cube(y) + pow(y, 0); }, x, x * x * x + 1, 3 * x * x, 6 * x, 6);
    check([](auto y) { return cube(y) + pow(abs(y), 0); }, x, x * x * x + 1, 3 * x * x, 6 * x, 6);
  }
}
