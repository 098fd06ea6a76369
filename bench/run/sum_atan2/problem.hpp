// The sum of the angles of 100,352 points (2, x), by x, float.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

#include <tuple>

namespace sum_atan2_problem {

inline constexpr int count = 100'352;

struct data {
  etch::tensor<float, count> x;
  auto entries() const { return std::tie(x); }
};
using gradient = data;
struct problem {
  static constexpr char name[] = "sum_atan2";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-4, bytes = 8.0 * count;
  using inputs = data;
  using gradient = data;
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (float& e : d.x) e = static_cast<float>(3 * random.normal());
  }
};
using rival = bench::rival<problem>;

}  // namespace sum_atan2_problem
