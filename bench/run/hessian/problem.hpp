// The Hessian of the Helmholtz energy by the amounts of 16 components, [16, 16], and its product with a vector; double.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"
#include "energy.hpp"

namespace helmholtz {

inline constexpr int calls = 1000, entries = components * components;

struct data {
  etch::tensor<double, components> x, b, v;
  etch::tensor<double, components, components> a;  // symmetric
};

/// Where a rival has left the result of the last call, `Columns` columns.
template <int Columns>
struct result_at {
  double const* entries = nullptr;
};
template <int Columns>
struct problem_of {
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-11;
  using scalar = double;
  using inputs = data;
  using gradient = result_at<Columns>;

  static void visit(gradient const& g, auto f) {
    if (g.entries != nullptr) f(g.entries, std::size_t{components * Columns});
  }
  static void fill(data& d) {
    etch::nn::generator random(1);
    for (int i = 0; i < components; ++i) {
      d.x(i) = random.uniform(0.01, 0.05), d.b(i) = random.uniform(0.3, 1), d.v(i) = random.uniform(-1, 1);
      for (int j = 0; j <= i; ++j) d.a(i, j) = d.a(j, i) = random.uniform(0.1, 0.5);
    }
  }
};

struct hessian_problem : problem_of<components> {
  static constexpr char name[] = "hessian";
  static constexpr double flops = calls * 7.0 * entries;  // A x, and what the matrix is put together from
};
struct product_problem : problem_of<1> {
  static constexpr char name[] = "hessian_product";
  static constexpr double flops = calls * 4.0 * entries;  // A x and A v
};
using hessian_rival = bench::rival<hessian_problem>;
using product_rival = bench::rival<product_problem>;

/// Calls `f()`, which returns where it leaves a result, many times.
template <int Columns>
double many_times(result_at<Columns>& g, auto f) {
  return bench::many_times(calls, g, f);
}

}  // namespace helmholtz
