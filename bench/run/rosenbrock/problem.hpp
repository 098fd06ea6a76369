// The dense Hessian of Rosenbrock's function of n variables, [n, n]; double.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

template <int N>
struct rosenbrock {
  static constexpr char const* name = N == 10 ? "rosenbrock_10" : "rosenbrock_100";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-12;
  static constexpr int variables = N, calls = N == 10 ? 1000 : 1;
  static constexpr double bytes = calls * (4.0 * N - 2) * sizeof(double);  // zeros may be there from before

  using scalar = double;
  using inputs = etch::tensor<double, N>;
  /// Where a rival has left the result of the last call.
  struct gradient {
    double const* entries = nullptr;
  };
  static void visit(gradient const& g, auto f) {
    if (g.entries != nullptr) f(g.entries, std::size_t{N} * N);
  }
  static void fill(inputs& x) {
    etch::nn::generator random(1);
    for (double& each : x) each = random.uniform(-1.5, 1.5);
  }
};
