// The payoff of a path as a lambda, its steps scans over logarithms of rates.
#pragma once

#include <etch/etch.hpp>

#include "problem.hpp"

namespace greeks_libor {

constexpr int stretch = 10;  // steps between which no rate leaves the scan

/// The share of x, the logarithm of a, in 1 + a: `sigmoid(x)`, without the care for its last digits.
inline constexpr auto share = etch::custom_vjp([](auto x) { return 1 / (1 + exp(-x)); },
                                               [](auto u, auto y, auto) { return cwise_product(u, y - square(y)); });

/// Steps of a path from step `From` on. `x` are the logarithms of period times rate of those not fixed yet, the next
/// one first; the results are those after `stretch` steps and those of the rates that were fixed.
template <int From>
constexpr auto steps_from(auto const& x, auto const& m, auto const& draws) {
  constexpr int left = forwards - 1 - From;
  auto const root = sqrt(m.period);
  auto const volatility = etch::slice<0, 0, left>(m.volatility), half_variance = 0.5 * m.period * volatility;
  auto const step = [&](auto now, auto z) {
    auto const drift = cumsum(cwise_product(volatility, share(now)));
    auto const moved = now + cwise_product(volatility, m.period * drift + (root * z - half_variance));
    return etch::step{etch::pad<0, 0, 1>(etch::slice<0, 1, left - 1>(moved)), moved(0)};
  };
  return etch::scan(step, x, etch::slice<0, From, stretch>(draws));
}

/// The value of the swaptions of a path when its last step is taken; `x` are the logarithms of period times rate.
inline constexpr auto portfolio = [](auto const& m, auto const& x) {
  auto const bonds = exp(-cumsum(softplus(x))), annuities = m.period * cumsum(bonds);
  auto payoff = 0.0 * m.period;
  for (int i = 0; i < swaptions; ++i)
    payoff = payoff + relu(1 - bonds(maturities[i] - 1) - swap_rates[i] * annuities(maturities[i] - 1));
  return 100 * payoff;
};

inline constexpr auto loss = [](auto m, auto draws) {
  auto const now = log(m.period * m.rate);
  auto const total = etch::sum_map(
      [&](auto z) {
        auto const [a, first] = steps_from<0>(etch::slice<0, 1, forwards - 1>(now), m, z);
        auto const [b, second] = steps_from<10>(etch::slice<0, 0, forwards - 11>(a), m, z);
        auto const [c, third] = steps_from<20>(etch::slice<0, 0, forwards - 21>(b), m, z);
        auto const [d, fourth] = steps_from<30>(etch::slice<0, 0, forwards - 31>(c), m, z);
        auto const fixed = etch::concat<0>(etch::slice<0, 0, 1>(now), first, second, third, fourth);
        auto const still = etch::concat<0>(etch::slice<0, steps, 1>(fixed), etch::slice<0, 0, after - 1>(d));
        return portfolio(m, still) * exp(-sum(softplus(etch::slice<0, 0, steps>(fixed))));
      },
      draws);
  return total / paths;
};

}  // namespace greeks_libor
