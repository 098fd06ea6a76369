// recurrent: what the recurrent problems share: two layers of 64 over 16 steps of 64 features, batch 256, float.
#pragma once

#include "rival.hpp"

#include <etch/core/members.hpp>
#include <etch/core/named_view.hpp>
#include <etch/core/symbol.hpp>
#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <array>

namespace bench {

/// The part of a problem that does not depend on the cell, which has `Gates` gates and parameters
/// `Layer<T>`: matrices, then biases.
template <int Gates, template <class> class Layer>
struct recurrent {
  static constexpr int width = Layer<float>::width, gates = Gates * width, batch = 256, steps = 16, layers = 2;
  static constexpr auto unit = benchmark::kMillisecond;
  static constexpr double tolerance = 1e-4;
  /// A cell has two products, each of which has two on the way back; the first states are zero, and x needs no adjoint.
  static constexpr double flops =
      2.0 * gates * width * batch * (2 * layers * steps + 3 * layers * (steps - 1) + (layers - 1) * steps);

  template <class T>
  using layer = Layer<T>;
  using model = std::array<Layer<float>, layers>;
  using gradient = model;
  using series = etch::tensor<float, width, batch, steps>;

  struct inputs {
    model weights;
    series x;
  };

  static void fill(inputs& i) {
    etch::nn::generator random(1);
    auto const normal = [&](float* entries, std::size_t n, double scale) {
      for (std::size_t k = 0; k < n; ++k) entries[k] = static_cast<float>(scale * random.normal());
    };
    etch::argument<model>::visit(i.weights,
                                 [&](float* entries, std::size_t n) { normal(entries, n, n == gates ? 0.1 : 0.12); });
    normal(i.x.data(), i.x.size(), 1);
  }
};

}  // namespace bench
