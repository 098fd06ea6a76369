// The parameters of a layer of the GRU.
#pragma once

#include <etch/core/members.hpp>
#include <etch/core/symbol.hpp>
#include <etch/core/tensor.hpp>

/// Gates in the order reset, update, new; new = tanh(Wi x + bi + r (Wh h + bh)).
template <class T>
struct gru_layer {
  static constexpr int width = 64;
  etch::param<T, 3 * width, width> input, recurrent;
  etch::param<T, 3 * width> input_bias, recurrent_bias;
  ETCH_MEMBERS(gru_layer, input, recurrent, input_bias, recurrent_bias)
};
