// vmap: a function of one sample as one of a batch; per-sample gradients.
#include <etch/etch.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

namespace {

constexpr auto loss = [](auto w, auto x, auto y) { return square(dot(w, x) - y); };

}  // namespace

TEST_CASE("plain, within a loss, and on a tape") {
  auto const f = [](auto x) { return std::tuple(sin(x(0)) * x, x(1)); };
  tensor<double, 2, 3> const xs{1, 2, 3, 4, 5, 6};
  auto const [a, b] = vmap(f)(xs);
  for (int n = 0; n < 3; ++n) {
    for (int i = 0; i < 2; ++i) CHECK(a(i, n) == doctest::Approx(std::sin(xs(0, n)) * xs(i, n)));
    CHECK(b(n) == xs(1, n));
  }
  CHECK(vmap([](auto x) { return x * x; })(tensor<double, 3>{1, 2, 3}) == tensor<double, 3>{1, 4, 9});
  tape<double> t;
  auto const x = t.watch(tensor<double, 3>{1, 2, 3});
  t.backward(sum(vmap([](auto each) { return each * each * each; })(x)));
  CHECK(t.grad(x)(1) == 12);
}

TEST_CASE("the sum of squared norms of per-sample gradients, and its gradient") {
  auto const norms = [](auto w, auto xs, auto ys) {
    return sum(square(vmap([&](auto x, auto y) { return grad([&](auto v) { return loss(v, x, y); })(w); })(xs, ys)));
  };
  tensor<double, 2> const w{0.5, -1};
  tensor<double, 2, 3> const xs{1, 2, 3, 4, 5, 6};
  tensor<double, 3> const ys{1, -1, 2};
  auto const [v, g] = value_and_grad(norms)(w, xs, ys);
  double expected = 0, slope[2] = {};
  for (int n = 0; n < 3; ++n) {
    double const r = w[0] * xs(0, n) + w[1] * xs(1, n) - ys(n), s = xs(0, n) * xs(0, n) + xs(1, n) * xs(1, n);
    expected += 4 * r * r * s;
    for (int i = 0; i < 2; ++i) slope[i] += 8 * r * xs(i, n) * s;
  }
  CHECK(v == doctest::Approx(expected));
  for (std::size_t i = 0; i < 2; ++i) CHECK(g[i] == doctest::Approx(slope[i]));
}

TEST_CASE("convolutions of each point, which do not run in lanes, are those of a batch") {
  auto const images = same::filled_with<tensor<double, 16, 5>>(5);
  auto const kernel = same::filled_with<tensor<double, 3, 3, 1, 2>>(6);
  same::check_same(
      std::integer_sequence<int, 0, 1>{},
      [](auto k, auto xs) { return sum_map([&](auto x) { return sum(exp(conv2d(reshape<4, 4, 1>(x), k))); }, xs); },
      [](auto k, auto xs) { return sum(exp(conv2d(reshape<4, 4, 1, 5>(xs), k))); }, kernel, images);
}
