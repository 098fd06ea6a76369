// The exposure of a path as a lambda, with the bonds of a date as one vector, one path in each lane; alone, and with
// all derivatives.
#pragma once

#include <etch/etch.hpp>

#include "problem.hpp"

namespace greeks_xva {

/// Calls `f(constant)` for 0 ... dates - 1, as integral constants: the vectors of bonds grow shorter from date to date.
constexpr void each_date(auto f) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, dates>{});
}

inline constexpr auto loss = [](auto m, auto draws) {
  auto const times = etch::linspace<payments>(period, payments * period);
  auto const decay = exp(-(m.reversion * period));
  auto const step = m.volatility * sqrt((1 - square(decay)) / (2 * m.reversion));
  auto const discount = exp(-cwise_product(m.zero_rate, times)),
             annuity = (1 - exp(-(m.reversion * times))) / m.reversion;
  auto const survival = exp(-period * cumsum(m.hazard));
  auto const default_within =
      etch::concat<0>(1 - etch::slice<0, 0, 1>(survival),
                      etch::slice<0, 0, dates - 1>(survival) - etch::slice<0, 1, dates - 1>(survival));
  auto const weight = (1 - m.recovery) * cwise_product(etch::slice<0, 0, dates>(discount), default_within);
  auto const total = etch::sum_map(
      [&](auto z) {
        auto x = step * z(0), y = square(step);
        auto exposure = 0.0 * x;
        each_date([&](auto date) {
          constexpr int i = date, left = payments - 1 - i;
          if constexpr (i > 0) x = decay * x + step * z(i), y = square(decay) * y + square(step);
          auto const b = etch::slice<0, 0, left>(annuity);
          auto const ahead = etch::slice<0, i + 1, left>(discount) / discount(i);
          auto const bonds = cwise_product(cwise_product(ahead, exp(-0.5 * y * square(b))), exp(-(x * b)));
          exposure = exposure + weight(i) * relu(1 - bonds(left - 1) - m.fixed_rate * period * sum(bonds));
        });
        return exposure;
      },
      draws);
  return total / paths;
};

}  // namespace greeks_xva
