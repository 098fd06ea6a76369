// A layer of 8 inputs and one output on two samples, mean squared error, by weight and bias, float: 1,000 calls.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

#include <tuple>

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
struct problem {
  static constexpr char name[] = "tiny";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-5, flops = calls * 75.0;
  using inputs = data;
  using gradient = tiny_problem::gradient;
  static void fill(data& d) {
    etch::nn::generator random(1);
    auto const fill = [&](auto& t) {
      for (float& e : t) e = static_cast<float>(random.normal());
    };
    fill(d.w), fill(d.b), fill(d.x), fill(d.y);
  }
};
using rival = bench::rival<problem>;

}  // namespace tiny_problem
