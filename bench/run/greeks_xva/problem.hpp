// The credit valuation adjustment of a payer swap of six years by simulation of one factor, and its first derivatives
// by all 27 numbers of curve, default and model: 4,096 paths, whose draws are given, and exposures at 11 dates. double.
// The rates: the model of J. Hull and A. White (1990) fitted to the curve, P(t, T) = P(0, T) / P(0, t) exp(-B x - B² y
// / 2), B = (1 - exp(-a (T - t))) / a, y = s² (1 - exp(-2 a t)) / 2a, where x is normal with mean 0 and variance y in
// the forward measure of t (L. Andersen, V. Piterbarg, Interest rate modeling, 2010, chapter 10.1). The adjustment:
// (1 - R) sum of P(0, t) E[max(V(t), 0)] (Q(t - d) - Q(t)) with the probabilities Q of survival (J. Gregory, The xVA
// challenge, 2015), defaults independent of rates.
#pragma once

#include "../greeks.hpp"

#include <etch/core/members.hpp>
#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <cmath>

namespace greeks_xva {

inline constexpr int paths = 4096, payments = 12, dates = payments - 1;
inline constexpr double period = 0.5;  // years between payments

template <class T>
struct market {
  etch::param<T, payments> zero_rate;  ///< of the curve, to each date of payment, continuously compounded
  etch::param<T, dates> hazard;        ///< the rate of default before each date of exposure
  T reversion;                         ///< a
  T volatility;                        ///< s
  T recovery;                          ///< R
  T fixed_rate;                        ///< what the swap pays
  ETCH_MEMBERS(market, zero_rate, hazard, reversion, volatility, recovery, fixed_rate)
};

struct data {
  market<double> model;
  etch::tensor<double, dates, paths> draws;  ///< independent normal ones
};

/// What is the same for all paths.
struct coefficients {
  double decay, step;               ///< of the factor from date to date, and its deviation
  double annuity[payments];         ///< B of 1, 2, ... periods
  double weight[dates];             ///< of the exposure at each date
  double ratio[dates][payments]{};  ///< of what is paid at j, seen from i, without the factor

  explicit coefficients(market<double> const& m)
      : decay(std::exp(-m.reversion * period)),
        step(m.volatility * std::sqrt((1 - decay * decay) / (2 * m.reversion))) {
    double discount[payments], y = 0, survival = 1;
    for (int j = 0; j < payments; ++j) {
      discount[j] = std::exp(-m.zero_rate(j) * period * (j + 1));
      annuity[j] = (1 - std::exp(-m.reversion * period * (j + 1))) / m.reversion;
    }
    for (int i = 0; i < dates; ++i) {
      double const after = survival * std::exp(-m.hazard(i) * period);
      weight[i] = (1 - m.recovery) * discount[i] * (survival - after);
      survival = after;
      y = decay * decay * y + step * step;
      for (int j = i + 1; j < payments; ++j) {
        double const b = annuity[j - i - 1], pays = m.fixed_rate * period + (j == payments - 1 ? 1 : 0);
        ratio[i][j] = pays * discount[j] / discount[i] * std::exp(-0.5 * b * b * y);
      }
    }
  }
};

/// The yardstick: the adjustment by the plain loop over numbers.
inline double plain_price(data const& in) {
  coefficients const c(in.model);
  double sum = 0;
  for (int path = 0; path < paths; ++path) {
    double x = 0;
    for (int i = 0; i < dates; ++i) {
      x = c.decay * x + c.step * in.draws(i, path);
      double value = 1;
      for (int j = i + 1; j < payments; ++j) value -= c.ratio[i][j] * std::exp(-c.annuity[j - i - 1] * x);
      sum += c.weight[i] * std::max(value, 0.0);
    }
  }
  return sum / paths;
}

struct problem {
  static constexpr char name[] = "greeks_xva", price_name[] = "greeks_xva_price";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-10, flops = paths * dates * payments / 2.0 * 40;
  using inputs = data;
  using gradient = market<double>;

  static void fill(data& d) {
    etch::nn::generator random(1);
    for (int j = 0; j < payments; ++j) d.model.zero_rate(j) = 0.02 + 0.001 * j;
    for (int i = 0; i < dates; ++i) d.model.hazard(i) = 0.01 + 0.0005 * i;
    d.model.reversion = 0.1, d.model.volatility = 0.012, d.model.recovery = 0.4, d.model.fixed_rate = 0.031;
    for (double& z : d.draws) z = random.normal();
  }
  static bool is_right(data const& in, gradient const& g) {
    return bench::are_near_differences<problem>(in, g, 1e-6, plain_price, 1e-4);
  }
};
using price = bench::price_of<problem>;
using rival = bench::rival<problem>;
using price_rival = bench::rival<price>;

}  // namespace greeks_xva
