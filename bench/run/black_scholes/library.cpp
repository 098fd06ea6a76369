// The same in closed form, with the C library's functions.
#include "problem.hpp"

namespace black_scholes_problem {

rival const here{"library", [](data const& d, gradient& g) -> double {
                   double total = 0;
                   bench::one_by_one(calls, [&](int i) {
                     double const s = d.price(i), v = d.volatility(i), t = d.time(i), r = d.rate(i);
                     double const root = std::sqrt(t), deviation = v * root,
                                  d1 = (std::log(s / strike) + (r + 0.5 * v * v) * t) / deviation;
                     double const p1 = 0.5 * std::erfc(-d1 * 0.70710678118654752440),
                                  p2 = 0.5 * std::erfc((deviation - d1) * 0.70710678118654752440);
                     double const discounted = strike * std::exp(-r * t),
                                  density = 0.39894228040143267794 * std::exp(-0.5 * d1 * d1);
                     g.price(i) = p1;
                     g.volatility(i) = s * density * root;
                     g.time(i) = s * density * v / (2 * root) + r * discounted * p2;
                     g.rate(i) = discounted * t * p2;
                     total += s * p1 - discounted * p2;
                   });
                   return total;
                 }};

}  // namespace black_scholes_problem
