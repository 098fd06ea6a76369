// A European call in Heston's model by Monte Carlo, and its first derivatives by all eight numbers of the model: 8,192
// paths of 16 steps, whose draws are given. The model: S. Heston, A closed-form solution for options with stochastic
// volatility (1993); the steps: Euler's in the logarithm of the price, with full truncation of the variance (R. Lord,
// R. Koekkoek, D. van Dijk, A comparison of biased simulation schemes for stochastic volatility models, 2010). double.
#pragma once

#include "../greeks.hpp"

#include <etch/core/members.hpp>
#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <cmath>

namespace greeks_heston {

inline constexpr int paths = 8192, steps = 16;
inline constexpr double strike = 100;

template <class T>
struct heston {
  T spot;
  T variance;     ///< at the beginning, a year
  T reversion;    ///< how fast the variance returns to `mean`, a year
  T mean;         ///< of the variance in the long run
  T volatility;   ///< of the variance
  T correlation;  ///< of price and variance
  T rate;
  T time;  ///< to expiry, in years
  ETCH_MEMBERS(heston, spot, variance, reversion, mean, volatility, correlation, rate, time)
};

struct data {
  heston<double> model{100, 0.04, 2, 0.05, 0.3, -0.7, 0.03, 1};
  etch::tensor<double, 2 * steps, paths> draws;  ///< of each step two independent normal ones
};

/// The yardstick: the price by the plain loop over numbers.
inline double plain_price(data const& in) {
  auto const& m = in.model;
  double const dt = m.time / steps, root_dt = std::sqrt(dt), across = std::sqrt(1 - m.correlation * m.correlation);
  double sum = 0;
  for (int path = 0; path < paths; ++path) {
    double const* const z = &in.draws(0, path);
    double x = std::log(m.spot), v = m.variance;
    for (int t = 0; t < steps; ++t) {
      double const positive = std::max(v, 0.0), diffusion = std::sqrt(positive) * root_dt;
      x += (m.rate - 0.5 * positive) * dt + diffusion * z[2 * t];
      v += m.reversion * (m.mean - positive) * dt +
           m.volatility * diffusion * (m.correlation * z[2 * t] + across * z[2 * t + 1]);
    }
    sum += std::max(std::exp(x) - strike, 0.0);
  }
  return std::exp(-m.rate * m.time) * sum / paths;
}

struct problem {
  static constexpr char name[] = "greeks_heston", price_name[] = "greeks_heston_price";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-10, flops = paths * steps * 16.0;
  using inputs = data;
  using gradient = heston<double>;

  static void fill(data& d) {
    etch::nn::generator random(1);
    for (double& z : d.draws) z = random.normal();
  }
  /// A path that passes the strike or no variance between two prices moves a difference by a jump.
  static bool is_right(data const& in, gradient const& g) {
    return bench::are_near_differences<problem>(in, g, 1e-7, plain_price, 1e-4);
  }
};
using price = bench::price_of<problem>;
using rival = bench::rival<problem>;
using price_rival = bench::rival<price>;

}  // namespace greeks_heston
