// The price alone, with registers: a path in each lane.
#include "problem.hpp"

#include "../paths_in_lanes.hpp"

namespace greeks_heston {

namespace {

using number = etch::lanes<double>;
constexpr int width = number::width;
static_assert(paths % width == 0);

number positive_part(number x) { return select(x > number(0.0), x, number(0.0)); }

double by_hand(data const& in) {
  auto const& m = in.model;
  double const dt = m.time / steps, root_dt = std::sqrt(dt), across = std::sqrt(1 - m.correlation * m.correlation);
  number const drift(m.rate * dt), half(-0.5 * dt), root(root_dt), along(m.volatility * m.correlation),
      beside(m.volatility * across), back(-m.reversion * dt), home(m.reversion * m.mean * dt),
      log_spot(std::log(m.spot));
  number sum(0.0), z[2 * steps];
  for (int path = 0; path < paths; path += width) {
    bench::load_paths<2 * steps>(&in.draws(0, path), z);
    number x = log_spot, v(m.variance);
    for (int t = 0; t < steps; ++t) {
      number const positive = positive_part(v), diffusion = etch::math::sqrt(positive) * root;
      x = multiply_add(diffusion, z[2 * t], multiply_add(half, positive, x + drift));
      number const turn = multiply_add(along, z[2 * t], beside * z[2 * t + 1]);
      v = multiply_add(diffusion, turn, multiply_add(back, positive, v + home));
    }
    sum = sum + positive_part(etch::math::exp(x) - number(strike));
  }
  return std::exp(-m.rate * m.time) * sum.across([](auto a, auto b) { return a + b; }) / paths;
}

}  // namespace

price_rival const by_registers{"hand", [](data const& in, bench::price_alone& g) { return g.price = by_hand(in); }};

}  // namespace greeks_heston
