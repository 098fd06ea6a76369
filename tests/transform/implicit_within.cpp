// implicit: within loops, points, checkpoints, branches, other implicit functions, and on tapes.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

constexpr auto square_root = implicit([](auto x, auto a) { return x * x - a; });
constexpr auto from_one = [](auto a) { return square_root(1.0, a); };

}  // namespace

TEST_CASE("samples of map, sum_map and vmap") {
  tensor<double, 5> const a{1, 4, 9, 2, 0.25};
  auto const roots = vmap(from_one)(a);
  for (std::size_t i = 0; i < 5; ++i) CHECK(roots[i] == doctest::Approx(std::sqrt(a[i])).epsilon(1e-15));
  auto const slopes = vmap(grad(from_one))(a);
  for (std::size_t i = 0; i < 5; ++i) CHECK(slopes[i] == doctest::Approx(0.5 / std::sqrt(a[i])).epsilon(1e-14));
  auto const total = [](auto xs, auto s) { return sum_map([&](auto x) { return square_root(1.0, s * x); }, xs); };
  auto const [by_xs, by_s] = grad<wrt<0, 1>>(total)(a, 4.0);
  double sum = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(by_xs[i] == doctest::Approx(1 / std::sqrt(a[i])).epsilon(1e-14));
    sum += std::sqrt(a[i]) / 4;
  }
  CHECK(by_s == doctest::Approx(sum).epsilon(1e-14));
}

TEST_CASE("in loops: each step is an equation, as in an implicit method for a differential equation") {
  // y' = -k y³ by backward Euler; and the same by hand.
  auto const solved = [](auto y0, auto k) {
    return repeat<4>(
        [&](auto y) {
          return implicit([](auto z, auto from, auto rate) { return z + 0.5 * rate * z * z * z - from; })(y, y, k);
        },
        y0);
  };
  auto const by_hand = [](double y, double k) {
    for (int step = 0; step < 4; ++step) {
      double z = y;
      for (int i = 0; i < 50; ++i) z -= (z + 0.5 * k * z * z * z - y) / (1 + 1.5 * k * z * z);
      y = z;
    }
    return y;
  };
  auto const [y, g] = value_and_grad<wrt<0, 1>>(solved)(1.2, 3.0);
  CHECK(y == doctest::Approx(by_hand(1.2, 3.0)).epsilon(1e-14));
  CHECK(std::get<0>(g) == doctest::Approx((by_hand(1.2 + 1e-5, 3.0) - by_hand(1.2 - 1e-5, 3.0)) / 2e-5).epsilon(1e-9));
  CHECK(std::get<1>(g) == doctest::Approx((by_hand(1.2, 3.0 + 1e-5) - by_hand(1.2, 3.0 - 1e-5)) / 2e-5).epsilon(1e-9));
  CHECK(check_gradient(solved, 1.2, 3.0).ok);
  auto const kept = [](auto x) { return checkpoint([](auto z) { return square_root(1.0, z) * z; })(x); };
  CHECK(grad(kept)(4.0) == doctest::Approx(3).epsilon(1e-15));
}

TEST_CASE("in branches, which hide what has no solution") {
  auto const chosen = [](auto a) { return cond(a > 0.0, from_one, [](auto b) { return 0.0 * b; }, a); };
  CHECK(grad(chosen)(4.0) == 0.25);
  CHECK(grad(chosen)(-4.0) == 0);
  auto const selected = [](auto a) { return select(a > 0.0, square_root(1.0, a), 0.0); };
  CHECK(grad(selected)(4.0) == 0.25);
  CHECK(value_and_grad(selected)(-4.0).value == 0);
  CHECK(grad(selected)(-4.0) == 0);
}

TEST_CASE("an equation within an equation") {
  // x = √(a + x): x² - x = a, so x = (1 + √(1 + 4a)) / 2 and x' = 1 / √(1 + 4a).
  auto const nested = [](auto a) {
    return implicit([](auto x, auto p) { return square_root(1.0, p + x) - x; })(2.0, a);
  };
  double const root = std::sqrt(9.0);
  CHECK(value_and_grad(nested)(2.0).value == doctest::Approx((1 + root) / 2).epsilon(1e-15));
  CHECK(grad(nested)(2.0) == doctest::Approx(1 / root).epsilon(1e-14));
  CHECK(derivative<2>(nested)(2.0) == doctest::Approx(-2 / (root * root * root)).epsilon(1e-13));
  // A gradient within the equation: where the slope of x³ / 3 - a x is 0.
  auto const flat = [](auto a) {
    return implicit([](auto x, auto p) { return grad([](auto y, auto q) { return y * y * y / 3.0 - q * y; })(x, p); })(
        1.0, a);
  };
  CHECK(grad(flat)(4.0) == doctest::Approx(0.25).epsilon(1e-15));
}

TEST_CASE("on a tape, recorded one by one, in blocks, and as a whole") {
  tape<double> t;
  auto const a = t.watch(4.0);
  auto const y = from_one(a) * 3.0;
  CHECK(value(y) == 6);
  t.backward(y);
  CHECK(t.grad(a) == 0.75);
  t.reset();
  auto const b = t.watch(tensor<double, 2>{4, 9});
  auto const z = t.apply(
      [](auto v) { return implicit([](auto x, auto w) { return cwise_product(x, x) - w; })(0.0 * v + 1.0, v); }, b);
  t.backward(sum(z));
  CHECK(t.grad(b)(0) == doctest::Approx(0.25).epsilon(1e-15));
  CHECK(t.grad(b)(1) == doctest::Approx(1.0 / 6).epsilon(1e-15));
  CHECK(dynamic::grad([](auto v) { return sum(vmap(from_one)(v)); })(tensor<double, 2>{4, 9})[1] ==
        doctest::Approx(1.0 / 6).epsilon(1e-15));
  auto const second = dynamic::grad([](auto x) { return grad(from_one)(x); })(4.0);
  CHECK(second == doctest::Approx(-1.0 / 32).epsilon(1e-14));
}

TEST_CASE("what the residual captures is refused") {
  tape<double> t;
  auto const s = t.watch(3.0);
  CHECK_THROWS_WITH(implicit([&](auto x) { return x * x - expr<double>(s.on_graph()); })(s),
                    doctest::Contains("captures a traced value"));
}
