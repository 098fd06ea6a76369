// gru: two layers of 64 over 16 steps of 64 features, batch 256, float; the sum of the squares of the second layer's states.
#pragma once

#include "../rival.hpp"

#include <etch/core/members.hpp>
#include <etch/core/symbol.hpp>
#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <array>

struct gru {
  static constexpr int width = 64, gates = 3 * width, batch = 256, steps = 16, layers = 2;
  static constexpr char name[] = "gru";
  static constexpr auto unit = benchmark::kMillisecond;
  static constexpr double tolerance = 1e-4;
  /// A cell has two products, each of which has two on the way back; the first states are zero, and x needs no adjoint.
  static constexpr double flops = 2.0 * gates * width * batch * (2 * layers * steps + 3 * layers * (steps - 1) + (layers - 1) * steps);

  /// Gates in the order reset, update, new; new = tanh(Wi x + bi + r (Wh h + bh)).
  template <class T>
  struct layer {
    etch::param<T, gates, width> input, recurrent;
    etch::param<T, gates> input_bias, recurrent_bias;
    ETCH_MEMBERS(layer, input, recurrent, input_bias, recurrent_bias)
  };
  using model = std::array<layer<float>, layers>;
  using gradient = model;
  using series = etch::tensor<float, width, batch, steps>;

  struct inputs {
    model weights;
    series x;
  };

  static void fill(inputs& i) {
    etch::nn::generator random(1);
    auto const normal = [&](auto& t, double scale) {
      for (float& e : t) e = static_cast<float>(scale * random.normal());
    };
    for (auto& l : i.weights) normal(l.input, 0.12), normal(l.recurrent, 0.12), normal(l.input_bias, 0.1), normal(l.recurrent_bias, 0.1);
    normal(i.x, 1);
  }
};
