// The log-density of 1,000 doubles under a normal distribution, by these, its mean and its deviation.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../compared.hpp"

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
using rival = bench::rival<data, gradient>;

/// A fixed instance.
inline data const& instance() {
  static auto const made = [] {
    auto d = std::make_unique<data>();
    etch::nn::generator random(1);
    for (double& e : d->x) e = random.normal();
    return d;
  }();
  return *made;
}

inline constexpr double flops = 6.0 * count;

rival etch_rival();
rival etch_function_rival();
rival hand_rival();
rival eigen_rival();

}  // namespace normal_problem
