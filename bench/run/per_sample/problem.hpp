// A network 64-64-10 with tanh and cross-entropy, batch 128, float: its results, the gradient of its mean loss, and the
// sum of the squared norms of the gradients of all samples. etch is given functions of one sample.
#pragma once

#include "../rival.hpp"

#include <etch/core/tensor.hpp>
#include <etch/nn/dense.hpp>
#include <etch/nn/random.hpp>

namespace per_sample {

inline constexpr int in = 64, hidden = 64, out = 10, batch = 128;

template <class T>
struct network {
  etch::nn::dense<T, in, hidden> first;
  etch::nn::dense<T, hidden, out> second;
  ETCH_MEMBERS(network, first, second)

  constexpr auto operator()(auto const& x) const { return second(tanh(first(x))); }
};

struct data {
  network<float> net;
  etch::tensor<float, in, batch> x;
  etch::tensor<float, out, batch> y;
};

struct shared {
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-4;
  using inputs = data;
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (float& e : d.net.first.weight) e = static_cast<float>(0.1 * random.normal());
    for (float& e : d.net.second.weight) e = static_cast<float>(0.1 * random.normal());
    for (float& e : d.x) e = static_cast<float>(random.normal());
    for (int n = 0; n < batch; ++n) d.y(n % out, n) = 1;
  }
};

inline constexpr double forward_flops = 2.0 * batch * hidden * (in + out);

/// vmap(net) against the net of a batch.
struct results : shared {
  static constexpr char name[] = "vmap_results";
  static constexpr double flops = forward_flops;
  using gradient = etch::tensor<float, out, batch>;
};
/// The gradient of the mean of vmap(loss) against that of the loss of a batch.
struct mean_gradient : shared {
  static constexpr char name[] = "vmap_gradient";
  static constexpr double flops = 2 * forward_flops + 2.0 * batch * hidden * out;
  using gradient = network<float>;
};
/// The sum of the squared norms of vmap(grad(loss)); nothing else comes out.
struct norms : shared {
  static constexpr char name[] = "vmap_norms";
  static constexpr double flops = forward_flops + 2.0 * batch * hidden * out;
  using gradient = etch::tensor<float, 1>;
};

}  // namespace per_sample
