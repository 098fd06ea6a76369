// The price alone, with registers: a path in each lane.
#include "problem.hpp"

#include "../paths_in_lanes.hpp"

namespace greeks_xva {

namespace {

using number = etch::lanes<double>;
constexpr int width = number::width;
static_assert(paths % width == 0);

double by_hand(data const& in) {
  coefficients const c(in.model);
  number sum(0.0), z[dates];
  for (int path = 0; path < paths; path += width) {
    bench::load_paths<dates>(&in.draws(0, path), z);
    number x(0.0);
    for (int i = 0; i < dates; ++i) {
      x = multiply_add(number(c.decay), x, number(c.step) * z[i]);
      number value(1.0);
      for (int j = i + 1; j < payments; ++j)
        value = multiply_add(number(-c.ratio[i][j]), etch::math::exp(number(-c.annuity[j - i - 1]) * x), value);
      sum = multiply_add(number(c.weight[i]), select(value > number(0.0), value, number(0.0)), sum);
    }
  }
  return sum.across([](auto a, auto b) { return a + b; }) / paths;
}

}  // namespace

price_rival const by_registers{"hand", [](data const& in, bench::price_alone& g) { return g.price = by_hand(in); }};

}  // namespace greeks_xva
