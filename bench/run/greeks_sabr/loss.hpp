// The value of an option as a lambda, summed over the book, one option in each lane.
#pragma once

#include <etch/etch.hpp>

#include "problem.hpp"

namespace greeks_sabr {

inline constexpr auto normal_distribution = [](auto x) { return 0.5 * erfc(-0.70710678118654752440 * x); };

/// z / x(z) of Hagan's formula.
inline constexpr auto ratio = [](auto rho, auto z) {
  auto const p2 = (3 * square(rho) - 1) / 2, p3 = (5 * square(rho) - 3) * rho / 2;
  auto const series = 1 / (1 + z * (rho / 2 + z * (p2 / 3 + z * (p3 / 4))));
  auto const x = log((sqrt(1 - 2 * rho * z + square(z)) + z - rho) / (1 - rho));
  return select(abs(z) < little, series, z / x);
};

inline constexpr auto loss = [](auto m, auto strike_prices, auto times, auto quantities) {
  auto const log_forward = log(m.forward), rest = 1 - m.exponent;
  return etch::sum_map(
      [&](auto strike, auto time, auto quantity) {
        auto const log_strike = log(strike), moneyness = log_forward - log_strike;
        auto const squared = square(rest * moneyness), power = exp(0.5 * rest * (log_forward + log_strike));
        auto const z = m.of_volatility / m.volatility * power * moneyness, over = m.volatility / power;
        auto const correction = square(rest * over) / 24 + 0.25 * m.correlation * m.exponent * m.of_volatility * over +
                                (2 - 3 * square(m.correlation)) / 24 * square(m.of_volatility);
        auto const volatility =
            over / (1 + squared / 24 + square(squared) / 1920) * ratio(m.correlation, z) * (1 + correction * time);
        auto const deviation = volatility * sqrt(time), d = moneyness / deviation + 0.5 * deviation;
        auto const call = m.forward * normal_distribution(d) - strike * normal_distribution(d - deviation);
        return quantity * exp(-(m.rate * time)) * call;
      },
      strike_prices, times, quantities);
};

}  // namespace greeks_sabr
