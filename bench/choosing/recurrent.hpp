// recurrent: an LSTM cell with 32 units over 20 steps of 16 sequences; the gradient of the mean of the
// last state's squares in all weights.
#pragma once

#include "form.hpp"

#include <etch/etch.hpp>

namespace choosing {

constexpr int inputs = 32, hidden = 32, batch = 16, steps = 20, most_steps = 24;
using cell = etch::nn::lstm_cell<float, inputs, hidden>;
using column = etch::tensor<float, inputs, batch>;

/// Weights and sequence, the same for all forms; `Steps` of them.
template <int Steps>
struct recurrent_data {
  cell weights;
  etch::tensor<float, inputs, batch, Steps> sequence;
  std::array<column, static_cast<std::size_t>(Steps)> columns;

  recurrent_data() {
    etch::nn::init::glorot_uniform(weights, 1);
    etch::nn::generator random(1);
    auto to = sequence.begin();
    for (auto& each : columns)
      for (auto& x : each) *to++ = x = static_cast<float>(random.normal());
  }
};

inline void append(std::vector<double>& to, cell const& gradient) {
  etch::argument<cell>::visit(gradient, [&](auto const* data, std::size_t n) { to.insert(to.end(), data, data + n); });
}

form recurrent_unrolled();
form recurrent_scan();
form recurrent_bounded();
form recurrent_blocks();
form recurrent_tensors();
form recurrent_scalars();

}  // namespace choosing
