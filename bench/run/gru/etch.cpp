// The loss as a scan over the steps, compiled.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace {

/// The state after input `x`.
constexpr auto cell = [](auto const& layer, auto const& x, auto const& h) {
  auto const [xr, xz, xn] = etch::split<0, 3>(layer.input * x + layer.input_bias);
  auto const [hr, hz, hn] = etch::split<0, 3>(layer.recurrent * h + layer.recurrent_bias);
  auto const z = sigmoid(xz + hz);
  return cwise_product(1 - z, tanh(xn + cwise_product(sigmoid(xr + hr), hn))) + cwise_product(z, h);
};

constexpr auto loss = [](auto layers, auto xs) {
  auto const states = etch::scan(
      [&](auto carry, auto x) {
        auto const first = cell(layers[0], x, carry[0]), second = cell(layers[1], first, carry[1]);
        return etch::step{std::array{first, second}, second};
      },
      std::array{etch::zeros<gru::width, gru::batch>(), etch::zeros<gru::width, gru::batch>()}, xs);
  return sum(square(states.y));
};

constinit auto step = etch::compile(loss, gru::model{}, gru::series{});

bench::rival<gru> const here(
    "etch", [](gru::inputs const& i, gru::gradient& g) { return step(i.weights, i.x, etch::into(g)); },
    decltype(step)::facts.workspace_bytes);

}  // namespace
