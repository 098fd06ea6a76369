// gru: the sum of the squares of the second layer's states.
#pragma once

#include "../recurrent.hpp"

/// Gates in the order reset, update, new; new = tanh(Wi x + bi + r (Wh h + bh)).
template <class T>
struct gru_layer {
  static constexpr int width = bench::recurrent_width;
  etch::param<T, 3 * width, width> input, recurrent;
  etch::param<T, 3 * width> input_bias, recurrent_bias;
  ETCH_MEMBERS(gru_layer, input, recurrent, input_bias, recurrent_bias)
};

struct gru : bench::recurrent<3, gru_layer> {
  static constexpr char name[] = "gru";
};
