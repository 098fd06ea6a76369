// Bayesian linear regression: y ~ N(X w + b, sigma), w, b ~ N(0, 1), sigma ~ U(0.1, 10); the log-posterior by w, b and sigma, double.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../compared.hpp"

namespace regression_problem {

inline constexpr int rows = 1000, features = 10;

struct data {
  etch::tensor<double, rows, features> x;
  etch::tensor<double, rows> y;
  etch::tensor<double, features> w;
  double b = 0.3, sigma = 1.5;
};
struct gradient {
  etch::tensor<double, features> w;
  double b = 0;
  double sigma = 0;
  auto entries() const { return std::tie(w, b, sigma); }
};
using rival = bench::rival<data, gradient>;

/// A fixed instance.
inline data const& instance() {
  static auto const made = [] {
    auto d = std::make_unique<data>();
    etch::nn::generator random(1);
    auto const fill = [&](auto& t) {
      for (double& e : t) e = random.normal();
    };
    fill(d->x), fill(d->y), fill(d->w);
    return d;
  }();
  return *made;
}

inline constexpr double flops = 4.0 * rows * features + 6.0 * rows;

rival etch_rival();
rival etch_function_rival();
rival hand_rival();
rival eigen_rival();

}  // namespace regression_problem
