// The price alone, with registers: an option in each lane.
#include "problem.hpp"

#include <etch/machine/lanes.hpp>

namespace greeks_sabr {

namespace {

using number = etch::lanes<double>;
constexpr int width = number::width;
static_assert(options % width == 0);

number distribution(number x) { return number(0.5) * etch::math::erfc(number(-0.70710678118654752440) * x); }

double by_hand(data const& in) {
  using etch::math::exp, etch::math::log, etch::math::sqrt;
  auto const& [f, alpha, beta, rho, nu, rate] = in.model;
  double const log_f = std::log(f), rest = 1 - beta, p2 = (3 * rho * rho - 1) / 2, p3 = (5 * rho * rho - 3) * rho / 2;
  number const one(1.0);
  number sum(0.0);
  for (int i = 0; i < options; i += width) {
    number const k = number::load(&in.strike(i)), t = number::load(&in.time(i));
    number const log_k = log(k), moneyness = number(log_f) - log_k,
                 squared = number(rest * rest) * moneyness * moneyness;
    number const power = exp(number(0.5 * rest) * (number(log_f) + log_k)), z = number(nu / alpha) * power * moneyness;
    number const series =
        multiply_add(z, multiply_add(z, multiply_add(z, number(p3 / 4), number(p2 / 3)), number(rho / 2)), one);
    number const x = log((sqrt(multiply_add(z, z - number(2 * rho), one)) + z - number(rho)) * number(1 / (1 - rho)));
    auto const is_little = (z < number(little)) & (z > number(-little));
    number const ratio = select(is_little, one, z) / select(is_little, series, x);
    number const over = number(alpha) / power;
    number const correction = multiply_add(multiply_add(number(rest * rest / 24), over, number(0.25 * rho * beta * nu)),
                                           over, number((2 - 3 * rho * rho) / 24 * nu * nu));
    number const shape = multiply_add(squared, multiply_add(squared, number(1 / 1920.0), number(1 / 24.0)), one);
    number const deviation = over / shape * ratio * multiply_add(correction, t, one) * sqrt(t),
                 d = multiply_add(number(0.5), deviation, moneyness / deviation);
    number const call = number(f) * distribution(d) - k * distribution(d - deviation);
    sum = multiply_add(number::load(&in.quantity(i)) * exp(number(-rate) * t), call, sum);
  }
  return sum.across([](auto a, auto b) { return a + b; });
}

}  // namespace

price_rival const by_registers{"hand", [](data const& in, bench::price_alone& g) { return g.price = by_hand(in); }};

}  // namespace greeks_sabr
