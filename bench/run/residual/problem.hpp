// residual: layers x + relu(convolution of x), 3 x 3 taps, 16 channels, on images of 28 x 28, batch 16, and the sum of
// the squares of what comes out; float. Images are [width, height, channels, batch], the first index fastest, and
// kernels [width, height, channels, channels of the result].
#pragma once

#include "../rival.hpp"

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <array>

template <int Layers>
struct residual {
  static constexpr int side = 28, taps = 3, channels = 16, batch = 16;
  static constexpr char const* name = Layers == 4 ? "residual" : "residual_8";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-4;
  /// Each layer once on the way there; on the way back twice, but for the first, since x needs no gradient.
  static constexpr double flops = 2.0 * batch * side * side * channels * channels * taps * taps * (3 * Layers - 1);

  using image = etch::tensor<float, side, side, channels, batch>;
  using kernel = etch::tensor<float, taps, taps, channels, channels>;
  using gradient = std::array<kernel, Layers>;

  struct inputs {
    gradient model;
    image x;
  };

  static void fill(inputs& i) {
    etch::nn::generator random(1);
    for (kernel& each : i.model)
      for (float& e : each) e = static_cast<float>(0.05 * random.normal());
    for (float& e : i.x) e = static_cast<float>(random.normal());
  }
};
