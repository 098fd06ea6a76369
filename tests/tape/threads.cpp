// Sixteen threads, each with its own tapes.
#include "tape/both.hpp"

#include <doctest/doctest.h>

#include <array>
#include <thread>
#include <vector>

using namespace tapes;

namespace {

constexpr auto cell = [](auto w, auto h) { return tanh(w * h); };
constexpr auto loss = [](auto w, auto x) {
  return sum(square(softmax<0>(w * x))) + logdet(w * transpose(w) + identity<4>());
};

/// All kinds of work; a function of `seed` alone.
std::vector<double> work(int seed) {
  std::vector<double> results;
  tape<double> t;
  auto const w = random<tensor<double, 4, 4>>(static_cast<std::uint64_t>(seed), -1, 1);
  auto const x = random<tensor<double, 4>>(static_cast<std::uint64_t>(seed) + 100);
  auto both = dynamic::value_and_grad<wrt<0, 1>>(loss);
  for (int round = 0; round < 5; ++round) {
    auto const s = t.watch(1.0 + seed);
    var<double> y = s;
    for (int i = 0; i < 20'000; ++i) y = sin(y) * 0.5 + s;
    auto const vw = t.watch(w);
    var<double, 4> h = t.watch(x);
    for (int i = 0; i < 20; ++i) h = i % 2 == 0 ? t.apply(cell, vw, h) : var<double, 4>(tanh(vw * h));
    results.push_back(t.backward(y + sum(h) * s));
    results.push_back(t.grad(s));
    for (double each : t.grad(vw)) results.push_back(each);
    results.push_back(both(w, x).value);
    t.reset();
  }
  return results;
}

}  // namespace

TEST_CASE("sixteen threads with tapes of their own do what each does alone") {
  constexpr std::size_t n = 16;
  std::array<std::vector<double>, n> together;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < n; ++i) threads.emplace_back([&together, i] { together[i] = work(static_cast<int>(i)); });
  for (auto& each : threads) each.join();
  for (std::size_t i = 0; i < n; ++i) {
    auto const alone = work(static_cast<int>(i));
    REQUIRE(together[i].size() == alone.size());
    for (std::size_t k = 0; k < alone.size(); ++k) CHECK(together[i][k] == alone[k]);
  }
  CHECK(together[0] != together[1]);
}
