// Bayesian linear regression: y ~ N(X w + b, sigma), w, b ~ N(0, 1), sigma ~ U(0.1, 10); the
// log-posterior by w, b and sigma, double.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

#include <tuple>

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
struct problem {
  static constexpr char name[] = "regression";
  static constexpr auto unit = benchmark::kNanosecond;
  static constexpr double tolerance = 1e-12, bytes = 8.0 * rows * (features + 1);
  using inputs = data;
  using gradient = regression_problem::gradient;
  static void fill(data& d) {
    etch::nn::generator random(1);
    auto const fill = [&](auto& t) {
      for (double& e : t) e = random.normal();
    };
    fill(d.x), fill(d.y), fill(d.w);
  }
};
using rival = bench::rival<problem>;

}  // namespace regression_problem
