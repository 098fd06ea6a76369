// chain: z <- x z a hundred times in double, then the sum of what comes out, or of its squares; its gradient in x.
#pragma once

#include "../rival.hpp"

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <cmath>

template <bool Squares>
struct chain {
  static constexpr bool squares = Squares;
  static constexpr int size = 200, steps = 100;
  static constexpr char const* name = Squares ? "chain_squares" : "chain";
  static constexpr auto unit = benchmark::kMillisecond;
  static constexpr double tolerance = 1e-10;
  /// Two products a step on the way there and back, and the gradient's; the first step back needs no adjoint. For
  /// the sum they are products with a vector.
  static constexpr double flops = 2.0 * size * size * (Squares ? size : 1) * (3 * steps - 1);

  using matrix = etch::tensor<double, size, size>;
  using gradient = matrix;
  struct inputs {
    matrix x, z;
  };

  /// Values neither grow nor vanish: the largest eigenvalue of x is about 1.
  static void fill(inputs& i) {
    etch::nn::generator random(1);
    for (double& e : i.x) e = random.normal() / std::sqrt(size);
    for (double& e : i.z) e = random.normal();
  }
};
using chain_of_sum = chain<false>;
using chain_of_squares = chain<true>;
