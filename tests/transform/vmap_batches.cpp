// vmap whose products become larger ones: against a loop over samples by hand, and the same loss written for a batch.
#include "transform/network.hpp"

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <type_traits>

using namespace etch;
using networks::column;
using networks::entries;
using networks::network;
using values::filled_with;

namespace {

template <class T, int Width, int Count>
struct batch {
  using scalar = T;
  static constexpr int width = Width, count = Count;
  static constexpr double tolerance = std::is_same_v<T, float> ? 2e-4 : 1e-12;

  network<T, Width> net = networks::filled<network<T, Width>>();
  network<double, Width> exact = networks::filled<network<double, Width>>();
  tensor<T, networks::inputs, Count> xs = filled_with<tensor<T, networks::inputs, Count>>(2);
  tensor<T, networks::outputs, Count> ys = filled_with<tensor<T, networks::outputs, Count>>(3);

  batch() {
    // the same numbers in both
    std::size_t at = 0;
    auto const all = entries(net);
    optim::for_each_leaf(exact, [&](std::size_t n, double* w) {
      for (std::size_t i = 0; i < n; ++i) w[i] = all[at++];
    });
  }
  networks::sample<Width> operator[](int n) const { return {exact, column(xs, n), column(ys, n)}; }

  template <class A, class B>
  static void check(A const& a, B const& b) {
    CHECK(static_cast<double>(a) == doctest::Approx(static_cast<double>(b)).epsilon(tolerance).scale(1));
  }
  static void check_all(std::vector<double> const& a, std::vector<double> const& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) check(a[i], b[i]);
  }
};

constexpr auto of_batch = [](auto net, auto xs, auto ys) { return sum(square(net(xs) - ys)); };
constexpr auto of_samples = [](auto net, auto xs, auto ys) {
  return sum(vmap([&](auto x, auto y) { return networks::error(net, x, y); })(xs, ys));
};
constexpr auto added_up = [](auto net, auto xs, auto ys) {
  return sum_map([&](auto x, auto y) { return networks::error(net, x, y); }, xs, ys);
};
constexpr auto results = [](auto net, auto xs) {
  return vmap([net](auto x) {  // by value
    auto const y = net(x);
    return std::tuple(y, sum(y), cwise_product(y, slice<0, 0, 2>(x)));
  })(xs);
};

}  // namespace

TEST_CASE_TEMPLATE("sums over samples, and their gradients", B, batch<double, 1, 13>, batch<double, 3, 13>,
                   batch<double, 17, 1>, batch<double, 17, 13>, batch<double, 64, 16>, batch<float, 17, 13>,
                   batch<float, 64, 7>) {
  B const b;
  double value = 0;
  auto gradient = entries(network<double, B::width>{}), of_x = std::vector<double>{}, of_y = of_x;
  for (int n = 0; n < B::count; ++n) {
    auto const sample = b[n];
    value += sample.value;
    auto const more = entries(sample.gradient);
    for (std::size_t i = 0; i < more.size(); ++i) gradient[i] += more[i];
    of_x.insert(of_x.end(), sample.of_x.begin(), sample.of_x.end());
    of_y.insert(of_y.end(), sample.of_y.begin(), sample.of_y.end());
  }
  auto by_weights = compile<wrt<0>>(of_samples, b.net, b.xs, b.ys);
  B::check(by_weights(b.net, b.xs, b.ys), value);
  B::check_all(entries(by_weights.template grad<0>()), gradient);
  auto by_all = compile<wrt<0, 1, 2>>(added_up, b.net, b.xs, b.ys);
  B::check(by_all(b.net, b.xs, b.ys), value);
  B::check_all(entries(by_all.template grad<0>()), gradient);
  B::check_all(entries(by_all.template grad<1>()), of_x);
  B::check_all(entries(by_all.template grad<2>()), of_y);
  if constexpr (B::width == 17 && B::count == 13) {
    auto by_samples = compile<wrt<1>>(of_samples, b.net, b.xs, b.ys);
    B::check(by_samples(b.net, b.xs, b.ys), value);
    B::check_all(entries(by_samples.template grad<1>()), of_x);
    auto by_batch = compile<wrt<0>>(of_batch, b.net, b.xs, b.ys);
    B::check(by_batch(b.net, b.xs, b.ys), value);
    B::check_all(entries(by_batch.template grad<0>()), gradient);
    CHECK((sizeof(typename B::scalar) < 8 ||
           decltype(by_weights)::facts.flops <= decltype(by_batch)::facts.flops * 21 / 20));
  }
}

TEST_CASE_TEMPLATE("several results, side by side", B, batch<double, 3, 13>, batch<double, 17, 1>,
                   batch<double, 64, 13>, batch<float, 64, 7>) {
  B const b;
  auto program = compile<wrt<>>(results, b.net, b.xs);
  auto const& y = program(b.net, b.xs);
  for (int n = 0; n < B::count; ++n) {
    auto const sample = b[n];
    double total = 0;
    for (int i = 0; i < networks::outputs; ++i) {
      B::check(y(i, n), sample.result(i));
      B::check(program.template result<2>()(i, n), sample.result(i) * static_cast<double>(b.xs(i, n)));
      total += sample.result(i);
    }
    B::check(program.template result<1>()(n), total);
  }
}
