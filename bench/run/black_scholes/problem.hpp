// The price of a call option by the formula of Black and Scholes, and its first derivatives by price, volatility, time and rate: 1,000
// calls.
#pragma once

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include "../compared.hpp"

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
using rival = bench::rival<data, gradient>;

/// A fixed instance.
inline data const& instance() {
  static auto const made = [] {
    auto d = std::make_unique<data>();
    etch::nn::generator random(1);
    auto const fill = [&](auto& t, double from, double to) {
      for (double& e : t) e = from + (to - from) * random.uniform();
    };
    fill(d->price, 80, 120), fill(d->volatility, 0.1, 0.5), fill(d->time, 0.1, 2), fill(d->rate, 0, 0.05);
    return d;
  }();
  return *made;
}

inline constexpr double flops = calls * 150.0;

rival etch_rival();
rival etch_function_rival();
rival hand_rival();
rival library_rival();

}  // namespace black_scholes_problem
