// The sum of the angles of 100,352 points (2, x), by x, float.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../compared.hpp"

namespace sum_atan2_problem {

inline constexpr int count = 100'352;

struct data {
  etch::tensor<float, count> x;
};
struct gradient {
  etch::tensor<float, count> x;
  auto entries() const { return std::tie(x); }
};
using rival = bench::rival<data, gradient>;

/// A fixed instance.
inline data const& instance() {
  static auto const made = [] {
    auto d = std::make_unique<data>();
    etch::nn::generator random(1);
    for (float& e : d->x) e = static_cast<float>(3 * random.normal());
    return d;
  }();
  return *made;
}

inline constexpr double flops = 5.0 * count;

rival etch_rival();
rival hand_rival();

}  // namespace sum_atan2_problem
