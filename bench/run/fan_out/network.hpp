// A recurrent network whose every state is read many times: h <- tanh(W h + U x), and at each step several heads V h,
// the sum of whose squares is the loss. Shared by both rivals.
#pragma once

#include <etch/core/tensor.hpp>

#include <array>

namespace fan_out {

inline constexpr int hidden = 512, batch = 128, inputs = 64, steps = 100, heads = 8, outputs = 32;

struct parameters {
  etch::tensor<double, hidden, hidden> w;
  etch::tensor<double, hidden, inputs> u;
  std::array<etch::tensor<double, outputs, hidden>, heads> v;
};
using series = etch::tensor<double, inputs, batch, steps>;

/// Computes value and gradient. Each keeps its own buffers, which it has not touched before it runs.
double by_etch(parameters const& p, series const& x, parameters& g);
double by_hand(parameters const& p, series const& x, parameters& g);

}  // namespace fan_out
