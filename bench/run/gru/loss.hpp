// The loss of the GRU as a scan over the steps.
#pragma once

#include <etch/etch.hpp>

#include "layer.hpp"

namespace gru_loss {

/// The state after input `x`.
inline constexpr auto cell = [](auto const& layer, auto const& x, auto const& h) {
  auto const [xr, xz, xn] = etch::split<0, 3>(layer.input * x + layer.input_bias);
  auto const [hr, hz, hn] = etch::split<0, 3>(layer.recurrent * h + layer.recurrent_bias);
  auto const z = sigmoid(xz + hz);
  return cwise_product(1 - z, tanh(xn + cwise_product(sigmoid(xr + hr), hn))) + cwise_product(z, h);
};

template <int Batch>
constexpr auto loss = [](auto layers, auto xs) {
  auto const states = etch::scan(
      [&](auto carry, auto x) {
        auto const first = cell(layers[0], x, carry[0]), second = cell(layers[1], first, carry[1]);
        return etch::step{std::array{first, second}, second};
      },
      std::array{etch::zeros<gru_layer<float>::width, Batch>(), etch::zeros<gru_layer<float>::width, Batch>()}, xs);
  return sum(square(states.y));
};

}  // namespace gru_loss
