// A portfolio of 15 swaptions in the LIBOR market model by Monte Carlo, and its first derivatives by all 161 numbers of
// the model: 80 forward rates, 80 volatilities, the accrual period; 1,024 paths of 40 steps, whose draws are given. The
// problem of M. Giles and P. Glasserman, Smoking adjoints: fast Monte Carlo Greeks (Risk, January 2006), with the
// sizes, maturities and rates of Giles' program for it. double.
#pragma once

#include "../greeks.hpp"

#include <etch/core/members.hpp>
#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <cmath>

namespace greeks_libor {

inline constexpr int paths = 1024, forwards = 80, steps = 40, swaptions = 15, after = forwards - steps;
inline constexpr int maturities[swaptions] = {4, 4, 4, 8, 8, 8, 20, 20, 20, 28, 28, 28, 40, 40, 40};
inline constexpr double swap_rates[swaptions] = {.045, .05,  .055, .045, .05,  .055, .045, .05,
                                                 .055, .045, .05,  .055, .045, .05,  .055};

template <class T>
struct market {
  etch::param<T, forwards> rate;
  etch::param<T, forwards> volatility;  ///< by the number of periods that a rate still has; no rate has the last one
  T period;                             ///< in years, of each rate and of each step
  ETCH_MEMBERS(market, rate, volatility, period)
};

struct data {
  market<double> model;
  etch::tensor<double, steps, paths> draws;  ///< independent normal ones
};

/// The yardstick: the price by the plain loop over numbers.
inline double plain_price(data const& in) {
  double const period = in.model.period, root = std::sqrt(period);
  double const* const volatility = in.model.volatility.data();
  double sum = 0;
  for (int path = 0; path < paths; ++path) {
    double rate[forwards];
    for (int i = 0; i < forwards; ++i) rate[i] = in.model.rate(i);
    for (int n = 0; n < steps; ++n) {
      double const z = root * in.draws(n, path);
      double drift = 0;
      for (int i = n + 1; i < forwards; ++i) {
        double const of_step = volatility[i - n - 1], variance = period * of_step;
        drift += variance * rate[i] / (1 + period * rate[i]);
        rate[i] *= std::exp(variance * drift + of_step * (z - 0.5 * variance));
      }
    }
    double bond = 1, annuity = 0, bonds[after], annuities[after];
    for (int n = steps; n < forwards; ++n) {
      bond /= 1 + period * rate[n];
      annuity += period * bond;
      bonds[n - steps] = bond, annuities[n - steps] = annuity;
    }
    double payoff = 0;
    for (int i = 0; i < swaptions; ++i) {
      int const m = maturities[i] - 1;
      payoff += 100 * std::max(1 - bonds[m] - swap_rates[i] * annuities[m], 0.0);
    }
    for (int n = 0; n < steps; ++n) payoff /= 1 + period * rate[n];
    sum += payoff;
  }
  return sum / paths;
}

struct problem {
  static constexpr char name[] = "greeks_libor", price_name[] = "greeks_libor_price";
  static constexpr auto unit = benchmark::kMillisecond;
  static constexpr double tolerance = 1e-10, flops = paths * steps * (forwards - 0.5 * (steps + 1)) * 35;
  using inputs = data;
  using gradient = market<double>;

  static void fill(data& d) {
    etch::nn::generator random(1);
    d.model.rate.fill(0.05), d.model.volatility.fill(0.2), d.model.period = 0.25;
    for (double& z : d.draws) z = random.normal();
  }
  static bool is_right(data const& in, gradient const& g) {
    return bench::are_near_differences<problem>(in, g, 1e-6, plain_price, 1e-4);
  }
};
using price = bench::price_of<problem>;
using rival = bench::rival<problem>;
using price_rival = bench::rival<price>;

}  // namespace greeks_libor
