// Value, gradient and sparse Hessian of a chain of 1,000 variables: what a step of Newton's method needs. The Hessian
// is tridiagonal, 2,998 entries by compressed columns, both triangles. double.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"
#include "loss.hpp"

namespace chain_of_valleys {

inline constexpr int nonzeros = 3 * variables - 2;

using data = etch::tensor<double, variables>;

/// Where a rival has left its results.
struct derivatives {
  double const* gradient = nullptr;
  double const* hessian = nullptr;  ///< column by column
};

struct problem {
  static constexpr char name[] = "sparse_hessian";
  static constexpr auto unit = benchmark::kNanosecond;
  static constexpr double tolerance = 1e-12, bytes = (2.0 * variables + nonzeros) * sizeof(double);
  using scalar = double;
  using inputs = data;
  using gradient = derivatives;

  static void visit(derivatives const& d, auto f) {
    if (d.hessian == nullptr) return;
    f(d.gradient, std::size_t{variables});
    f(d.hessian, std::size_t{nonzeros});
  }
  static void fill(data& x) {
    etch::nn::generator random(1);
    for (double& each : x) each = random.uniform(-1.5, 1.5);
  }
};
using rival = bench::rival<problem>;

}  // namespace chain_of_valleys
