// gru: the sum of the squares of the second layer's states.
#pragma once

#include "../recurrent.hpp"
#include "layer.hpp"

struct gru : bench::recurrent<3, gru_layer> {
  static constexpr char name[] = "gru";
};
