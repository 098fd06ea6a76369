// lenet: 28 x 28 digits, two convolutions with relu and pooling, three dense layers, the sum of the squares of what
// comes out; batch 128, float. Images are [width, height, channels, batch], the first index fastest, and kernels
// [width, height, channels, channels of the result].
#pragma once

#include "../rival.hpp"

#include <etch/core/members.hpp>
#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

struct lenet {
  static constexpr int side = 28, taps = 5, batch = 128;
  static constexpr int channels1 = 6, channels2 = 16;                                  // of the convolutions' results
  static constexpr int side1 = (side - taps + 1) / 2, side2 = (side1 - taps + 1) / 2;  // of pooled images
  static constexpr int flat = side2 * side2 * channels2, hidden1 = 120, hidden2 = 84, out = 10;
  static constexpr char name[] = "lenet";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-4;
  /// Each layer once on the way there; on the way back twice, but for the first, since x needs no gradient.
  static constexpr double flops =
      2.0 * batch *
      (2 * 4 * side1 * side1 * channels1 * taps * taps + 3 * 4 * side2 * side2 * channels2 * channels1 * taps * taps +
       3 * (flat * hidden1 + hidden1 * hidden2 + hidden2 * out));

  struct parameters {
    etch::tensor<float, taps, taps, 1, channels1> k1;
    etch::tensor<float, channels1> c1;
    etch::tensor<float, taps, taps, channels1, channels2> k2;
    etch::tensor<float, channels2> c2;
    etch::tensor<float, hidden1, flat> w1;
    etch::tensor<float, hidden1> b1;
    etch::tensor<float, hidden2, hidden1> w2;
    etch::tensor<float, hidden2> b2;
    etch::tensor<float, out, hidden2> w3;
    etch::tensor<float, out> b3;
    ETCH_MEMBERS(parameters, k1, c1, k2, c2, w1, b1, w2, b2, w3, b3)
  };
  using gradient = parameters;

  struct inputs {
    parameters model;
    etch::tensor<float, side, side, 1, batch> x;
  };

  static void fill(inputs& i) {
    etch::nn::generator random(1);
    auto const normal = [&](auto& t, double scale) {
      for (float& e : t) e = static_cast<float>(scale * random.normal());
    };
    normal(i.model.k1, 0.2), normal(i.model.c1, 0.1), normal(i.model.k2, 0.1), normal(i.model.c2, 0.1);
    normal(i.model.w1, 0.1), normal(i.model.b1, 0.1), normal(i.model.w2, 0.1), normal(i.model.b2, 0.1);
    normal(i.model.w3, 0.1), normal(i.model.b3, 0.1), normal(i.x, 1);
  }
};
