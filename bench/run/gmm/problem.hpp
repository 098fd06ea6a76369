// ADBench's mixture of Gaussians: 1000 points, 10 dimensions, 5 components, double.
#pragma once

#include "../adbench.hpp"
#include "../rival.hpp"

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <cmath>
#include <numbers>
#include <tuple>

namespace gmm_problem {

inline constexpr int d = 10, k = 5, n = 1000;

struct parameters {
  etch::tensor<double, k> alpha;
  etch::tensor<double, d, k> means;
  etch::tensor<double, d*(d + 1) / 2, k>
      icf;  ///< of each component d logarithms of a diagonal, then what is below it, column by column
  auto entries() const { return std::tie(alpha, means, icf); }
};

struct data {
  parameters model;
  etch::tensor<double, d, n> x;
  double gamma = 1, m = 0;
  double constant = 0;  ///< k C of ADBench's definition
};

struct problem {
  static constexpr char name[] = "gmm";
  static constexpr auto unit = benchmark::kMicrosecond;
  /// The triangular products of each point with each component: forth, and back to the differences and to the factors.
  static constexpr double tolerance = 1e-10, flops = 3.0 * n * k * d * (d + 1);
  using inputs = data;
  using gradient = parameters;

  /// ADBench's instance where `../shared/data/adbench` or `$ETCH_SHARED/data/adbench` is
  /// present, else one of random numbers.
  static void fill(data& made) {
    etch::nn::generator random(1);
    bench::adbench_numbers numbers("gmm_d10_K5.txt", made.model.alpha.size() + made.model.means.size() +
                                                         made.model.icf.size() + made.x.size() + 2);
    auto const entries = [&](auto& t, double scale) {
      for (double& e : t) e = numbers.next_or(scale * random.normal());
    };
    entries(made.model.alpha, 1), entries(made.model.means, 1), entries(made.model.icf, 0.3), entries(made.x, 1);
    made.gamma = numbers.next_or(1), made.m = numbers.next_or(0);
    double const half = 0.5 * (d + made.m + 1);
    double log_gamma = 0.25 * d * (d - 1) * std::log(std::numbers::pi);
    for (int j = 1; j <= d; ++j) log_gamma += std::lgamma(half + 0.5 * (1 - j));
    made.constant = k * (2 * half * d * (std::log(made.gamma) - 0.5 * std::numbers::ln2) - log_gamma);
  }
};
using rival = bench::rival<problem>;

}  // namespace gmm_problem
