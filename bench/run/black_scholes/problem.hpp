// The price of a call option by the formula of Black and Scholes, and its first derivatives by price,
// volatility, time and rate: 1,000 calls.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../rival.hpp"

#include <tuple>

namespace black_scholes_problem {

inline constexpr int calls = 1000;
inline constexpr double strike = 100;

struct data {
  etch::tensor<double, calls> price, volatility, time, rate;
};
struct gradient {
  etch::tensor<double, calls> price;
  etch::tensor<double, calls> volatility;
  etch::tensor<double, calls> time;
  etch::tensor<double, calls> rate;
  auto entries() const { return std::tie(price, volatility, time, rate); }
};
struct problem {
  static constexpr char name[] = "black_scholes";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-12, flops = calls * 150.0;
  using inputs = data;
  using gradient = black_scholes_problem::gradient;
  static void fill(data& d) {
    etch::nn::generator random(1);
    auto const fill = [&](auto& t, double from, double to) {
      for (double& e : t) e = from + (to - from) * random.uniform();
    };
    fill(d.price, 80, 120), fill(d.volatility, 0.1, 0.5), fill(d.time, 0.1, 2), fill(d.rate, 0, 0.05);
  }
};
using rival = bench::rival<problem>;

}  // namespace black_scholes_problem
