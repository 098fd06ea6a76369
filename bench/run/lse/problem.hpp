// log(sum(exp(x))) of 1,000 doubles.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

#include <tuple>

namespace lse_problem {

inline constexpr int count = 1000;

struct data {
  etch::tensor<double, count> x;
  auto entries() const { return std::tie(x); }
};
using gradient = data;
struct problem {
  static constexpr char name[] = "lse";
  static constexpr auto unit = benchmark::kNanosecond;
  static constexpr double tolerance = 1e-13, flops = 27.0 * count;
  using inputs = data;
  using gradient = data;
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (double& e : d.x) e = random.normal();
  }
};
using rival = bench::rival<problem>;

}  // namespace lse_problem
