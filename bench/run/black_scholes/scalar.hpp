// The loss number by number, for tools that differentiate numbers.
#pragma once

#include "problem.hpp"

#include <algorithm>
#include <cmath>

struct scalars {
  using problem = black_scholes_problem::problem;
  static constexpr int variables = 4, calls = black_scholes_problem::calls, operations = 64;

  template <class N>
  static N loss(N const* v, problem::inputs const& d) {
    static_cast<void>(d);
    using std::erf, std::exp, std::log, std::sqrt;
    auto const distribution = [](N const& x) -> N { return 0.5 + 0.5 * erf(0.70710678118654752440 * x); };
    N const &price = v[0], &volatility = v[1], &time = v[2], &rate = v[3];
    N const deviation = volatility * sqrt(time);
    N const a =
        (log(price / black_scholes_problem::strike) + (rate + 0.5 * volatility * volatility) * time) / deviation;
    return price * distribution(a) - black_scholes_problem::strike * exp(-(rate * time)) * distribution(a - deviation);
  }
  static void read(problem::inputs const& d, [[maybe_unused]] int call, double* v) {
    v[0] = d.price(call), v[1] = d.volatility(call), v[2] = d.time(call), v[3] = d.rate(call);
  }
  static void write(double const* v, [[maybe_unused]] int call, problem::gradient& g) {
    g.price(call) = v[0], g.volatility(call) = v[1], g.time(call) = v[2], g.rate(call) = v[3];
  }
};
