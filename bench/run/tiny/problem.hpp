// A layer of 8 inputs and one output on two samples, mean squared error, by weight and bias, float: 1,000 calls.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../compared.hpp"

namespace tiny_problem {

inline constexpr int in = 8, batch = 2, calls = 1000;

struct data {
  etch::tensor<float, 1, in> w;
  etch::tensor<float, 1> b;
  etch::tensor<float, in, batch> x;
  etch::tensor<float, 1, batch> y;
};
struct gradient {
  etch::tensor<float, 1, in> w;
  etch::tensor<float, 1> b;
  auto entries() const { return std::tie(w, b); }
};
using rival = bench::rival<data, gradient>;

/// A fixed instance.
inline data const& instance() {
  static auto const made = [] {
    auto d = std::make_unique<data>();
    etch::nn::generator random(1);
    auto const fill = [&](auto& t) {
      for (float& e : t) e = static_cast<float>(random.normal());
    };
    fill(d->w), fill(d->b), fill(d->x), fill(d->y);
    return d;
  }();
  return *made;
}

inline constexpr double flops = calls * 75.0;

rival etch_rival();
rival etch_function_rival();
rival hand_rival();
rival eigen_rival();

}  // namespace tiny_problem
