// The exponential of one double, and its derivative: 1,000 calls.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

#include <tuple>

namespace exp_problem {

inline constexpr int calls = 1000;

struct data {
  etch::tensor<double, calls> x;
  auto entries() const { return std::tie(x); }
};
using gradient = data;
struct problem {
  static constexpr char name[] = "exp";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-15, flops = calls * 25.0;
  using inputs = data;
  using gradient = data;
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (double& e : d.x) e = 3 * random.normal();
  }
};
using rival = bench::rival<problem>;

}  // namespace exp_problem
