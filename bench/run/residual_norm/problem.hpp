// residual_norm: four residual blocks x + norm(conv(relu(norm(conv(x))))), batch normalisation after each convolution
// of 3 x 3 taps, 16 channels, on images of 32 x 32, batch 32, and the sum of the squares of what comes out; float.
// Images are [width, height, channels, batch], the first index fastest, and kernels [width, height, channels, channels
// of the result].
#pragma once

#include "../rival.hpp"

#include <etch/nn/init.hpp>
#include <etch/nn/norm.hpp>

#include <array>

struct residual_norm {
  static constexpr int side = 32, taps = 3, channels = 16, batch = 32, layers = 8;
  static constexpr char name[] = "residual_norm";
  static constexpr auto unit = benchmark::kMillisecond;
  static constexpr double tolerance = 1e-3;
  /// Each convolution once on the way there; on the way back twice, but for the first, since x needs no gradient.
  static constexpr double flops = 2.0 * batch * side * side * channels * channels * taps * taps * (3 * layers - 1);

  using image = etch::tensor<float, side, side, channels, batch>;
  struct layer {
    etch::tensor<float, taps, taps, channels, channels> kernel;
    etch::nn::batch_norm<float, channels> norm;
    ETCH_MEMBERS(layer, kernel, norm)
  };
  using gradient = std::array<layer, layers>;

  struct inputs {
    gradient model;
    image x;
  };

  static void fill(inputs& i) {
    etch::nn::generator random(1);
    auto const normal = [&](auto& t, double mean, double deviation) {
      for (float& e : t) e = static_cast<float>(mean + deviation * random.normal());
    };
    for (layer& each : i.model)
      normal(each.kernel, 0, 0.05), normal(each.norm.gain, 1, 0.2), normal(each.norm.bias, 0, 0.2);
    normal(i.x, 0, 1);
  }
};
