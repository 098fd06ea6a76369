// The mlp problem, shared by all rivals: the digits network 784-32-10, tanh, softmax cross-entropy, batch 128, float.
#pragma once

#include <etch/core/tensor.hpp>

#include <memory>

namespace mlp_problem {

inline constexpr int in = 784, hidden = 32, out = 10, batch = 128;

struct parameters {
  etch::tensor<float, hidden, in> w1;
  etch::tensor<float, hidden> b1;
  etch::tensor<float, out, hidden> w2;
  etch::tensor<float, out> b2;
};

struct data {
  parameters model;
  etch::tensor<float, in, batch> x;
  etch::tensor<int, batch> labels;
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
rival eigen_rival();

/// Largest difference between the gradients of two rivals, relative to the largest entry.
double disagreement(rival const& a, rival const& b);

}  // namespace mlp_problem
