// The price alone, with registers: a path in each lane.
#include "problem.hpp"

#include "../paths_in_lanes.hpp"

namespace greeks_libor {

namespace {

using number = etch::lanes<double>;
constexpr int width = number::width;
static_assert(paths % width == 0 && steps % width == 0);

double by_hand(data const& in) {
  double const period = in.model.period;
  double const* const volatility = in.model.volatility.data();
  number const root(std::sqrt(period)), one(1.0), by_period(period);
  number sum(0.0), z[steps], scaled[forwards];  // period times rate
  for (int path = 0; path < paths; path += width) {
    bench::load_paths<steps>(&in.draws(0, path), z);
    for (int i = 0; i < forwards; ++i) scaled[i] = number(period * in.model.rate(i));
    for (int n = 0; n < steps; ++n) {
      number const shock = root * z[n];
      number drift(0.0);
      for (int i = n + 1; i < forwards; ++i) {
        number const of_step(volatility[i - n - 1]);
        drift = multiply_add(of_step, scaled[i] / (one + scaled[i]), drift);
        number const move = multiply_add(by_period, drift, multiply_add(number(-0.5) * by_period, of_step, shock));
        scaled[i] = scaled[i] * etch::math::exp(of_step * move);
      }
    }
    number bond(1.0), annuity(0.0), bonds[after], annuities[after];
    for (int n = steps; n < forwards; ++n) {
      bond = bond / (one + scaled[n]);
      annuity = multiply_add(by_period, bond, annuity);
      bonds[n - steps] = bond, annuities[n - steps] = annuity;
    }
    number payoff(0.0), growth(1.0);
    for (int i = 0; i < swaptions; ++i) {
      int const m = maturities[i] - 1;
      number const loss = one - multiply_add(number(swap_rates[i]), annuities[m], bonds[m]);
      payoff = payoff + select(loss > number(0.0), loss, number(0.0));
    }
    for (int n = 0; n < steps; ++n) growth = growth * (one + scaled[n]);
    sum = sum + number(100.0) * payoff / growth;
  }
  return sum.across([](auto a, auto b) { return a + b; }) / paths;
}

}  // namespace

price_rival const by_registers{"hand", [](data const& in, bench::price_alone& g) { return g.price = by_hand(in); }};

}  // namespace greeks_libor
