#include <etch/nn/init.hpp>

#include <etch/nn/dense.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

namespace {

using namespace etch;
namespace init = nn::init;

template <class T>
struct pair_of_layers {
  nn::dense<T, 6, 6> first, second;
  ETCH_MEMBERS(pair_of_layers, first, second)
};
template <class T>
struct network {
  nn::dense<T, 6, 6> entry;
  param<T, 3> untouched;
  pair_of_layers<T> block;
  std::array<nn::dense<T, 6, 6>, 2> stack;
  std::tuple<nn::dense<T, 6, 6>, nn::dense<T, 6, 2>> heads;
  ETCH_MEMBERS(network, entry, untouched, block, stack, heads)
};

/// The six layers of equal shape, in the order of members.
template <class T>
std::array<nn::dense<T, 6, 6> const*, 6> layers_of(network<T> const& m) {
  return {&m.entry, &m.block.first, &m.block.second, &m.stack[0], &m.stack[1], &std::get<0>(m.heads)};
}

TEST_CASE("every layer is found through structs, arrays and tuples, and draws numbers of its own") {
  network<float> m{};
  init::he_normal(m, 1);
  auto const layers = layers_of(m);
  for (std::size_t a = 0; a < layers.size(); ++a) {
    CHECK(std::count(layers[a]->weight.begin(), layers[a]->weight.end(), 0.0f) == 0);
    for (std::size_t b = 0; b < a; ++b)
      for (float w : layers[a]->weight) CHECK(std::count(layers[b]->weight.begin(), layers[b]->weight.end(), w) == 0);
  }
  auto const& last = std::get<1>(m.heads).weight;
  CHECK(std::count(last.begin(), last.end(), 0.0f) == 0);
}

TEST_CASE("the same seed gives the same model, another seed another") {
  network<double> a{}, b{}, c{};
  a.entry.weight.fill(77);  // what was there before does not matter
  init::glorot_uniform(a, 42);
  init::glorot_uniform(b, 42);
  init::glorot_uniform(c, 43);
  auto const of_a = layers_of(a), of_b = layers_of(b), of_c = layers_of(c);
  for (std::size_t l = 0; l < of_a.size(); ++l) {
    CHECK(of_a[l]->weight == of_b[l]->weight);
    CHECK(of_a[l]->weight != of_c[l]->weight);
  }
}

TEST_CASE("a layer's numbers depend on its place alone, not on what comes after") {
  network<float> whole{};
  pair_of_layers<float> head{};
  nn::dense<float, 6, 6> single{};
  init::glorot_normal(whole, 9);
  init::glorot_normal(head, 9);
  init::glorot_normal(single, 9);
  CHECK(head.first.weight == whole.entry.weight);
  CHECK(head.second.weight == whole.block.first.weight);
  CHECK(single.weight == whole.entry.weight);
}

TEST_CASE("float and double models start from the same numbers") {
  nn::dense<float, 5, 4> narrow{};
  nn::dense<double, 5, 4> wide{};
  init::he_uniform(narrow, 11);
  init::he_uniform(wide, 11);
  for (std::size_t i = 0; i < 20; ++i) CHECK(narrow.weight[i] == static_cast<float>(wide.weight[i]));
}

TEST_CASE("biases become zero, parameters outside of layers stay") {
  network<float> m{};
  m.entry.bias.fill(5);
  std::get<1>(m.heads).bias.fill(-5);
  m.untouched.fill(3);
  init::he_uniform(m, 1);
  CHECK(m.entry.bias == tensor<float, 6>{});
  CHECK(std::get<1>(m.heads).bias == tensor<float, 2>{});
  CHECK(m.untouched == tensor<float, 3>{3, 3, 3});
}

struct spread {
  double mean, deviation, largest;
};
template <class M>
spread spread_of(M const& weights) {
  double sum = 0, squares = 0, largest = 0;
  for (auto w : weights) {
    double const x = static_cast<double>(w);
    sum += x;
    squares += x * x;
    largest = std::max(largest, std::abs(x));
  }
  double const n = static_cast<double>(weights.size()), mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean), largest};
}

// 20000 weights: a deviation is known to half a percent, a mean to a hundredth of the deviation.
using wide_layer = nn::dense<double, 100, 200>;

void check_spread(void (*initialise)(wide_layer&, std::uint64_t), double deviation, double half_width) {
  auto const layer = std::make_unique<wide_layer>();
  initialise(*layer, 5);
  spread const s = spread_of(layer->weight);
  CHECK(std::abs(s.mean) < 0.03 * deviation);
  CHECK(s.deviation == doctest::Approx(deviation).epsilon(0.02));
  if (half_width > 0) {
    CHECK(s.largest < half_width);
    CHECK(s.largest > 0.999 * half_width);
  } else {
    CHECK(s.largest > 3 * deviation);
    CHECK(s.largest < 6 * deviation);
  }
}

TEST_CASE("the scales are those of the papers") {
  SUBCASE("Glorot: variance 2 / (in + out) = 1/150") {
    check_spread(init::glorot_normal, 0.0816497, 0);
    check_spread(init::glorot_uniform, 0.0816497, 0.1414214);
  }
  SUBCASE("He: variance 2 / in = 1/50") {
    check_spread(init::he_normal, 0.1414214, 0);
    check_spread(init::he_uniform, 0.1414214, 0.2449490);
  }
}

}  // namespace
