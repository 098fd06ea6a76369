// Bayesian logistic regression: y ~ Bernoulli(sigmoid(X w + b)), w, b ~ N(0, 1); the log-posterior by w and b, double.
// The matrix is larger than the caches that a core has for itself.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

#include <tuple>

namespace logistic_problem {

inline constexpr int rows = 10'000, features = 100;

struct data {
  etch::tensor<double, rows, features> x;
  etch::tensor<double, rows> y;  // 0 or 1
  etch::tensor<double, features> w;
  double b = 0.3;
};
struct gradient {
  etch::tensor<double, features> w;
  double b = 0;
  auto entries() const { return std::tie(w, b); }
};
struct problem {
  static constexpr char name[] = "logistic";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-11, bytes = 8.0 * rows * (features + 1);
  using inputs = data;
  using gradient = logistic_problem::gradient;
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (double& e : d.x) e = random.normal();
    for (double& e : d.y) e = random.normal() > 0.0 ? 1.0 : 0.0;
    for (double& e : d.w) e = 0.1 * random.normal();
  }
};
using rival = bench::rival<problem>;

}  // namespace logistic_problem
