// The loss of the LSTM as a scan over the steps.
#pragma once

#include <etch/etch.hpp>

#include "layer.hpp"

namespace lstm_loss {

/// The state (h, c) after input `x`.
inline constexpr auto cell = [](auto const& layer, auto const& x, auto const& state) {
  auto const [h, c] = state;
  auto const [i, f, g, o] = etch::split<0, 4>(layer.input * x + layer.recurrent * h + layer.bias);
  auto const next = cwise_product(sigmoid(f), c) + cwise_product(sigmoid(i), tanh(g));
  return std::tuple{cwise_product(sigmoid(o), tanh(next)), next};
};

template <int Batch>
constexpr auto loss = [](auto layers, auto xs) {
  auto const zero =
      std::tuple{etch::zeros<lstm_layer<float>::width, Batch>(), etch::zeros<lstm_layer<float>::width, Batch>()};
  auto const states = etch::scan(
      [&](auto carry, auto x) {
        auto const first = cell(layers[0], x, std::get<0>(carry));
        auto const second = cell(layers[1], std::get<0>(first), std::get<1>(carry));
        return etch::step{std::tuple{first, second}, std::get<0>(second)};
      },
      std::tuple{zero, zero}, xs);
  return sum(square(states.y));
};

}  // namespace lstm_loss
