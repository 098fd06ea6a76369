// Two layers, tanh between them, and the sum of the squares of what comes out.
#pragma once

#include <etch/etch.hpp>

inline constexpr auto mlp_loss = [](auto w1, auto b1, auto w2, auto b2, auto x) {
  return sum(square(w2 * tanh(w1 * x + b1) + b2));
};
