#include "compile/memory_models.hpp"

#include <etch/nn/loss.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

using namespace etch;

namespace {

constexpr auto layers = [](auto w, auto x) {
  auto const layer = [&](auto const& v, auto const& h) { return tanh(v * h); };
  auto const a = layer(std::get<0>(w), x), b = layer(std::get<1>(w), a), c = layer(std::get<2>(w), b),
             d = layer(std::get<3>(w), c);
  auto const e = layer(std::get<4>(w), d), f = layer(std::get<5>(w), e), g = layer(std::get<6>(w), f),
             h = layer(std::get<7>(w), g);
  return sum(square(h));
};
using square_matrix = tensor<float, 64, 64>;
using weights = std::array<square_matrix, 8>;

void fill(auto& x, int seed, float scale) {
  float* const entry = x.data();
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(sizeof(x) / sizeof(float)); ++i)
    entry[i] = scale * std::sin(static_cast<float>(i % 1013) * 0.37f + static_cast<float>(seed));
}

/// The largest difference, relative to the largest entry.
double distance(auto const& a, auto const& b) {
  double most = 0, largest = 1e-30;
  for (std::size_t i = 0; i < sizeof(a) / sizeof(float); ++i) {
    most = std::max(most, static_cast<double>(std::abs(a.data()[i] - b.data()[i])));
    largest = std::max(largest, static_cast<double>(std::abs(a.data()[i])));
  }
  return most / largest;
}

}  // namespace

TEST_CASE("a network within 24 KiB, with hardly more flops") {
  auto x = std::make_unique<tensor<float, 784, 128>>();
  auto w1 = std::make_unique<tensor<float, 32, 784>>();
  tensor<float, 32, 1> b1;
  tensor<float, 10, 32> w2;
  tensor<float, 10, 1> b2;
  fill(*x, 1, 1), fill(*w1, 2, 0.05f), fill(b1, 3, 0.1f), fill(w2, 4, 0.2f), fill(b2, 5, 0.1f);
  tensor<int, 128> y;
  for (int i = 0; i < 128; ++i) y(i) = i % 10;
  using all = wrt<1, 2, 3, 4>;
  constexpr auto loss = [](auto image, auto u, auto a, auto v, auto b, auto label) {
    return nn::softmax_cross_entropy(v * tanh(u * image + a) + b, label);
  };
  static auto free = compile<all>(loss, *x, *w1, b1, w2, b2, y);
  static auto within = compile<all, budget<24 * 1024>>(loss, *x, *w1, b1, w2, b2, y);
  static_assert(free.facts.workspace_bytes > 24 * 1024);
  static_assert(within.facts.workspace_bytes <= 24 * 1024);
  static_assert(within.facts.flops * 100 < free.facts.flops * 101);
  using met = decltype(compile<all, budget<free.facts.workspace_bytes>>(loss, *x, *w1, b1, w2, b2, y));
  static_assert(same_program<decltype(free), met>);
  CHECK(free(*x, *w1, b1, w2, b2, y) == doctest::Approx(within(*x, *w1, b1, w2, b2, y)).epsilon(1e-6));
  CHECK(distance(free.grad<1>(), within.grad<1>()) < 1e-6);
  CHECK(distance(free.grad<2>(), within.grad<2>()) < 1e-6);
  CHECK(distance(free.grad<3>(), within.grad<3>()) < 1e-6);
  CHECK(distance(free.grad<4>(), within.grad<4>()) < 1e-6);
}

TEST_CASE("a deep network in little more than half the memory") {
  auto w = std::make_unique<weights>();
  square_matrix x;
  fill(x, 1, 1);
  for (int i = 0; i < 8; ++i) fill((*w)[static_cast<std::size_t>(i)], i + 2, 0.2f);
  static auto free = compile(layers, *w, x);
  static auto within = compile<wrt<0>, budget<free.facts.workspace_bytes * 5 / 9>>(layers, *w, x);
  static_assert(within.facts.workspace_bytes <= free.facts.workspace_bytes * 5 / 9);
  static_assert(within.facts.flops > free.facts.flops && within.facts.flops < free.facts.flops * 4 / 3);
  CHECK(free(*w, x) == doctest::Approx(within(*w, x)).epsilon(1e-6));
  for (std::size_t i = 0; i < 8; ++i) CHECK(distance(free.grad<0>()[i], within.grad<0>()[i]) < 1e-6);
}

TEST_CASE("a loop within a budget keeps only its carries") {
  tensor<float, 16, 16> w;
  tensor<float, 16, 20> xs;
  tensor<float, 16> h;
  fill(w, 1, 0.3f), fill(xs, 2, 1), fill(h, 3, 1);
  auto loss = [](auto v, auto from, auto each) {
    return sum(square(scan([=](auto state, auto x) { return tanh(v * tanh(v * state + x)); }, from, each)));
  };
  static auto free = compile(loss, w, h, xs);
  static auto within = compile<wrt<0>, budget<free.facts.workspace_bytes * 3 / 4>>(loss, w, h, xs);
  static_assert(within.facts.workspace_bytes <= free.facts.workspace_bytes * 3 / 4 &&
                within.facts.flops > free.facts.flops);
  CHECK(free(w, h, xs) == doctest::Approx(within(w, h, xs)).epsilon(1e-6));
  CHECK(distance(free.grad<0>(), within.grad<0>()) < 1e-6);
}
