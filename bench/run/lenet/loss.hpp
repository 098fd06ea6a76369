// Two convolutions with relu and pooling, three dense layers, and the sum of the squares of what comes out.
#pragma once

#include <etch/etch.hpp>

inline constexpr auto lenet_loss = [](auto k1, auto c1, auto k2, auto c2, auto w1, auto b1, auto w2, auto b2, auto w3,
                                      auto b3, auto x) {
  auto const a = max_pool<2>(relu(conv2d(x, k1) + etch::reshape<1, 1, -1>(c1)));
  auto const b = max_pool<2>(relu(conv2d(a, k2) + etch::reshape<1, 1, -1>(c2)));
  auto const h = relu(w2 * relu(w1 * etch::reshape<decltype(w1)::extent[1], -1>(b) + b1) + b2);
  return sum(square(w3 * h + b3));
};
