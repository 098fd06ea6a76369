// The lenet problem, shared by all rivals: 28 x 28 digits, two convolutions with relu and pooling, three dense layers, sum of squares;
// batch 128, float. Images are [width, height, channels, batch], the first index fastest, and kernels [width, height, channels, channels of
// the result].
#pragma once

#include <etch/core/tensor.hpp>

#include <memory>

namespace lenet_problem {

inline constexpr int side = 28, taps = 5, batch = 128;
inline constexpr int channels1 = 6, channels2 = 16;                                  // of the convolutions' results
inline constexpr int side1 = (side - taps + 1) / 2, side2 = (side1 - taps + 1) / 2;  // of pooled images
inline constexpr int flat = side2 * side2 * channels2, hidden1 = 120, hidden2 = 84, out = 10;

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
};

struct data {
  parameters model;
  etch::tensor<float, side, side, 1, batch> x;
};

/// A fixed instance.
data const& instance();

/// A rival: computes value and gradient. Each keeps its own buffers.
struct rival {
  char const* name;
  float (*run)(data const&, parameters& gradient);
  double flops;  ///< of one call, counted alike for all
};

rival etch_rival();
rival hand_rival();

/// Largest difference between the values and gradients of two rivals, each relative to its largest entry.
double disagreement(rival const& a, rival const& b);

}  // namespace lenet_problem
