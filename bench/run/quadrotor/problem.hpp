// The Jacobian of a quadrotor's step, [12, 16], by state and input: 1,000 calls in turn at eight points. double.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"
#include "step.hpp"

#include <array>

namespace quadrotor {

inline constexpr int calls = 1000, columns = states + thrusts, entries = states * columns;

struct point {
  etch::tensor<double, states> x;
  etch::tensor<double, thrusts> u;
};
using data = std::array<point, 8>;

/// Where a rival has left the Jacobian of the last call, column by column.
struct jacobian_at {
  double const* entries = nullptr;
};

struct problem {
  static constexpr char name[] = "quadrotor";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-12, flops = calls * 110.0;  // besides three sines and cosines
  using scalar = double;
  using inputs = data;
  using gradient = jacobian_at;

  static void visit(gradient const& g, auto f) {
    if (g.entries != nullptr) f(g.entries, std::size_t{entries});
  }
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (point& p : d) {
      for (double& e : p.x) e = random.uniform(-0.5, 0.5);
      for (double& e : p.u) e = random.uniform(0.8, 1.6);
    }
  }
};
using rival = bench::rival<problem>;

/// Calls `f(point)`, which leaves a Jacobian and returns where. The value is the sum of an entry that varies.
double in_turn(data const& d, jacobian_at& g, auto f) {
  double total = 0;
  bench::one_by_one(calls, [&](int i) {
    g.entries = f(d[static_cast<std::size_t>(i) % d.size()]);
    total += g.entries[6 + 7 * states];
  });
  return total;
}

}  // namespace quadrotor
