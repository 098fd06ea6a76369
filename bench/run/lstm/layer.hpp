// The parameters of a layer of the LSTM.
#pragma once

#include <etch/core/members.hpp>
#include <etch/core/symbol.hpp>
#include <etch/core/tensor.hpp>

/// Gates in the order input, forget, cell, output.
template <class T>
struct lstm_layer {
  static constexpr int width = 64;
  etch::param<T, 4 * width, width> input, recurrent;
  etch::param<T, 4 * width> bias;
  ETCH_MEMBERS(lstm_layer, input, recurrent, bias)
};
