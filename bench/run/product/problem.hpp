// The product of 100 doubles: 1,000 calls.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../compared.hpp"

namespace product_problem {

inline constexpr int count = 100, calls = 1000;

struct data {
  etch::tensor<double, count> x;
};
struct gradient {
  etch::tensor<double, count> x;
  auto entries() const { return std::tie(x); }
};
using rival = bench::rival<data, gradient>;

/// A fixed instance.
inline data const& instance() {
  static auto const made = [] {
    auto d = std::make_unique<data>();
    etch::nn::generator random(1);
    for (double& e : d->x) e = random.uniform() + 0.5;
    return d;
  }();
  return *made;
}

inline constexpr double flops = calls * 3.0 * count;

rival etch_rival();
rival etch_function_rival();
rival hand_rival();
rival plain_rival();

}  // namespace product_problem
