// The log-density of 1,000 doubles under a normal distribution, by these, its mean and its deviation.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

#include <tuple>

namespace normal_problem {

inline constexpr int count = 1000;

struct data {
  etch::tensor<double, count> x;
  double mu = 0.5, sigma = 1.5;
};
struct gradient {
  etch::tensor<double, count> x;
  double mu = 0;
  double sigma = 0;
  auto entries() const { return std::tie(x, mu, sigma); }
};
struct problem {
  static constexpr char name[] = "normal";
  static constexpr auto unit = benchmark::kNanosecond;
  static constexpr double tolerance = 1e-12, bytes = 16.0 * count;
  using inputs = data;
  using gradient = normal_problem::gradient;
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (double& e : d.x) e = random.normal();
  }
};
using rival = bench::rival<problem>;

}  // namespace normal_problem
