// A book of 4,096 calls, 64 strikes at 64 expiries, each at the implied volatility of the SABR model, and its first
// derivatives by the six numbers of the model: P. Hagan, D. Kumar, A. Lesniewski, D. Woodward, Managing smile risk
// (2002), equation 2.17, in the formula of Black (1976). double.
#pragma once

#include "../greeks.hpp"

#include <etch/core/members.hpp>
#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <cmath>

namespace greeks_sabr {

inline constexpr int strikes = 64, expiries = 64, options = strikes * expiries;

/// Where |z| is less, z / x(z) is a series: x is z times the sum of P_n(correlation) zⁿ / (n + 1), Legendre's
/// polynomials.
inline constexpr double little = 1e-3;

template <class T>
struct sabr {
  T forward;
  T volatility;     ///< alpha
  T exponent;       ///< beta
  T correlation;    ///< rho
  T of_volatility;  ///< nu, the volatility of the volatility
  T rate;
  ETCH_MEMBERS(sabr, forward, volatility, exponent, correlation, of_volatility, rate)
};

struct data {
  sabr<double> model{100, 0.9, 0.7, -0.3, 0.5, 0.03};
  etch::tensor<double, options> strike, time, quantity;
};

/// The yardstick: the value of the book by the plain loop over numbers.
inline double plain_price(data const& in) {
  auto const& [f, alpha, beta, rho, nu, rate] = in.model;
  double const log_f = std::log(f), rest = 1 - beta;
  double sum = 0;
  for (int i = 0; i < options; ++i) {
    double const k = in.strike(i), t = in.time(i);
    double const log_k = std::log(k), moneyness = log_f - log_k, squared = rest * rest * moneyness * moneyness;
    double const power = std::exp(0.5 * rest * (log_f + log_k));  // (f k)^((1 - beta) / 2)
    double const z = nu / alpha * power * moneyness;
    double ratio;  // z / x(z)
    if (std::abs(z) < little) {
      double const p2 = (3 * rho * rho - 1) / 2, p3 = (5 * rho * rho - 3) * rho / 2;
      ratio = 1 / (1 + z * (rho / 2 + z * (p2 / 3 + z * (p3 / 4))));
    } else {
      ratio = z / std::log((std::sqrt(1 - 2 * rho * z + z * z) + z - rho) / (1 - rho));
    }
    double const over = alpha / power;
    double const correction =
        rest * rest / 24 * over * over + 0.25 * rho * beta * nu * over + (2 - 3 * rho * rho) / 24 * nu * nu;
    double const volatility = over / (1 + squared / 24 + squared * squared / 1920) * ratio * (1 + correction * t);
    double const deviation = volatility * std::sqrt(t), d = moneyness / deviation + 0.5 * deviation;
    double const call = f * 0.5 * std::erfc(-0.70710678118654752440 * d) -
                        k * 0.5 * std::erfc(-0.70710678118654752440 * (d - deviation));
    sum += in.quantity(i) * std::exp(-rate * t) * call;
  }
  return sum;
}

struct problem {
  static constexpr char name[] = "greeks_sabr", price_name[] = "greeks_sabr_price";
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = 1e-10, flops = options * 200.0;
  using inputs = data;
  using gradient = sabr<double>;

  static void fill(data& d) {
    etch::nn::generator random(1);
    for (int i = 0; i < options; ++i) {
      d.strike(i) = 60 + 80.0 * (i % strikes) / (strikes - 1.0);
      d.time(i) = 5.0 * (i / strikes + 1) / expiries;
      d.quantity(i) = random.uniform();
    }
    d.strike(strikes / 2) = d.model.forward;  // where z is 0
  }
  static bool is_right(data const& in, gradient const& g) {
    return bench::are_near_differences<problem>(in, g, 1e-5, plain_price, 1e-6);
  }
};
using price = bench::price_of<problem>;
using rival = bench::rival<problem>;
using price_rival = bench::rival<price>;

}  // namespace greeks_sabr
