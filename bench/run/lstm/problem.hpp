// lstm: the sum of the squares of the second layer's states.
#pragma once

#include "../recurrent.hpp"

/// Gates in the order input, forget, cell, output.
template <class T>
struct lstm_layer {
  static constexpr int width = bench::recurrent_width;
  etch::param<T, 4 * width, width> input, recurrent;
  etch::param<T, 4 * width> bias;
  ETCH_MEMBERS(lstm_layer, input, recurrent, bias)
};

struct lstm : bench::recurrent<4, lstm_layer> {
  static constexpr char name[] = "lstm";
};
