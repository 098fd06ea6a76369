// The Laplacian by x of a network u, 2 -> 64 -> 64 -> 1 with tanh, at 1,024 points, and beside it the gradient by x at
// the same points. double.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/init.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"
#include "network.hpp"

namespace laplacian_problem {

inline constexpr int points = 1024;

struct data {
  network<double> u;
  etch::tensor<double, inputs, points> x;
};

/// The work that one call must at least do for each point: `Directions` vectors for the value through both layers and
/// out.
template <int Directions>
inline constexpr double flops_of = points * Directions * 2.0 * (inputs * hidden + hidden * hidden + hidden);

/// Where a rival has left a result, `Rows` numbers for each point.
template <int Rows>
struct at_points {
  double const* entries = nullptr;
};
template <int Rows>
struct problem_of {
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-11;
  using scalar = double;
  using inputs = data;
  using gradient = at_points<Rows>;

  static void visit(gradient const& g, auto f) {
    if (g.entries != nullptr) f(g.entries, std::size_t{Rows * points});
  }
  static void fill(data& d) {
    etch::nn::init::glorot_uniform(d.u, 1);
    etch::nn::generator random(2);
    for (double& coordinate : d.x) coordinate = random.uniform();
  }
};

struct problem : problem_of<1> {
  static constexpr char name[] = "laplacian";
  static constexpr double flops = flops_of<4>;  // the value, two derivatives, and the sum of their second ones
};
struct gradient_problem : problem_of<inputs> {
  static constexpr char name[] = "laplacian_gradient";
  static constexpr double flops = flops_of<2>;  // there and back
};
using rival = bench::rival<problem>;
using gradient_rival = bench::rival<gradient_problem>;

}  // namespace laplacian_problem
