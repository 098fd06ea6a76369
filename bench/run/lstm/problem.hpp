// lstm: the sum of the squares of the second layer's states.
#pragma once

#include "../recurrent.hpp"
#include "layer.hpp"

struct lstm : bench::recurrent<4, lstm_layer> {
  static constexpr char name[] = "lstm";
};
