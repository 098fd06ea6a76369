// The product of 100 doubles: 1,000 calls.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

#include <tuple>

namespace product_problem {

inline constexpr int count = 100, calls = 1000;

struct data {
  etch::tensor<double, count> x;
  auto entries() const { return std::tie(x); }
};
using gradient = data;
struct problem {
  static constexpr char name[] = "product";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-12, flops = calls * 3.0 * count;
  using inputs = data;
  using gradient = data;
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (double& e : d.x) e = random.uniform() + 0.5;
  }
};
using rival = bench::rival<problem>;

}  // namespace product_problem
