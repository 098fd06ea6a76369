// The exponential of one double, and its derivative: 1,000 calls.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../compared.hpp"

namespace exp_problem {

inline constexpr int calls = 1000;

struct data {
  etch::tensor<double, calls> x;
};
struct gradient {
  etch::tensor<double, calls> x;
  auto entries() const { return std::tie(x); }
};
using rival = bench::rival<data, gradient>;

/// A fixed instance.
inline data const& instance() {
  static auto const made = [] {
    auto d = std::make_unique<data>();
    etch::nn::generator random(1);
    for (double& e : d->x) e = 3 * random.normal();
    return d;
  }();
  return *made;
}

inline constexpr double flops = calls * 25.0;

rival etch_rival();
rival etch_function_rival();
rival hand_rival();
rival library_rival();

}  // namespace exp_problem
