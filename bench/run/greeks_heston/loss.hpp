// The price as a lambda of the model, one path in each lane.
#pragma once

#include <etch/etch.hpp>

#include "problem.hpp"

namespace greeks_heston {

inline constexpr auto loss = [](auto m, auto draws) {
  auto const dt = m.time / steps, root_dt = sqrt(dt), across = sqrt(1 - square(m.correlation));
  auto const payoff = [&](auto z) {
    auto x = log(m.spot), v = m.variance;
    for (int t = 0; t < steps; ++t) {
      // Where there is no variance, the root has an infinite derivative that must not arrive.
      auto const positive = relu(v), diffusion = select(v > 0, sqrt(v), 0.0) * root_dt;
      x = x + (m.rate - 0.5 * positive) * dt + diffusion * z(2 * t);
      v = v + m.reversion * (m.mean - positive) * dt +
          m.volatility * diffusion * (m.correlation * z(2 * t) + across * z(2 * t + 1));
    }
    return relu(exp(x) - strike);
  };
  return exp(-(m.rate * m.time)) / paths * etch::sum_map(payoff, draws);
};

}  // namespace greeks_heston
