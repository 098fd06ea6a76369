#include <etch/etch.hpp>

#include "nn/derivatives.hpp"

namespace {

using namespace etch;

TEST_CASE("an embedding looks up columns; a word met twice gets both gradients, one never met none") {
  nn::embedding<double, 4, 2> layer;
  layers::fill(layer, 1);
  tensor<int, 3> const ids{2, 0, 2};
  tensor<double, 2, 3> const weights{1, 10, 100, 1000, 10'000, 100'000};
  auto const [value, g] =
      value_and_grad([](auto l, auto i, auto w) { return sum(cwise_product(w, l(i))); })(layer, ids, weights);
  double expected = 0;
  for (int n = 0; n < 3; ++n)
    for (int i = 0; i < 2; ++i) expected += weights(i, n) * layer.table(i, ids(n));
  CHECK(value == doctest::Approx(expected).epsilon(1e-14));
  CHECK(g.table == tensor<double, 2, 4>{100, 1000, 0, 0, 10'001, 100'010, 0, 0});
}

TEST_CASE("sequences of a batch are embedded in one go") {
  nn::embedding<float, 5, 3> layer;
  nn::init::glorot_normal(layer, 1);
  tensor<std::uint8_t, 4, 2> ids{0, 1, 2, 3, 4, 0, 1, 2};
  auto step = compile<wrt<>>([](auto l, auto i) { return l(i); }, layer, ids);
  auto const y = step(layer, ids);
  static_assert(std::is_same_v<decltype(y), tensor<float, 3, 4, 2> const>);
  for (int n = 0; n < 2; ++n)
    for (int t = 0; t < 4; ++t)
      for (int i = 0; i < 3; ++i) CHECK(y(i, t, n) == layer.table(i, ids(t, n)));
}

// Of the paper: sin and cos by turns, wave lengths from 2 pi to 10000 times 2 pi.
constexpr auto positions = nn::sinusoidal_positions<double, 6, 8>();
TEST_CASE("sinusoidal positions") {
  for (int t = 0; t < 8; ++t)
    for (int i = 0; i < 6; ++i) {
      double const angle = t / std::pow(10'000.0, (i / 2 * 2) / 6.0);
      CHECK(positions(i, t) == doctest::Approx(i % 2 == 0 ? std::sin(angle) : std::cos(angle)).epsilon(1e-13));
    }
}

}  // namespace
