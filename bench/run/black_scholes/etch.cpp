// The loss as a lambda, compiled; as a function that returns its gradient; and for all options
// at once, several in a register.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace black_scholes_problem {

namespace {

constexpr auto normal_distribution = [](auto x) { return 0.5 * erfc(-0.70710678118654752440 * x); };

constexpr auto call = [](auto price, auto volatility, auto time, auto rate) {
  auto const deviation = volatility * sqrt(time);
  auto const d = (log(price / strike) + (rate + 0.5 * square(volatility)) * time) / deviation;
  return price * normal_distribution(d) - strike * exp(-(rate * time)) * normal_distribution(d - deviation);
};

}  // namespace

rival const here{"etch", [](data const& d, gradient& g) {
                   static auto step = etch::compile<etch::wrt<0, 1, 2, 3>>(call, 0.0, 0.0, 0.0, 0.0);
                   double total = 0;
                   bench::one_by_one(calls, [&](int i) {
                     total += step(d.price(i), d.volatility(i), d.time(i), d.rate(i),
                                   etch::into(g.price(i), g.volatility(i), g.time(i), g.rate(i)));
                   });
                   return total;
                 }};

rival const as_function{"etch value_and_grad", [](data const& d, gradient& g) {
                          double total = 0;
                          bench::one_by_one(calls, [&](int i) {
                            auto const [value, grads] = etch::value_and_grad<etch::wrt<0, 1, 2, 3>>(call)(
                                d.price(i), d.volatility(i), d.time(i), d.rate(i));
                            std::tie(g.price(i), g.volatility(i), g.time(i), g.rate(i)) = grads;
                            total += value;
                          });
                          return total;
                        }};

rival const in_lanes{"etch sum_map", [](data const& d, gradient& g) {
                       static auto step = etch::compile<etch::wrt<0, 1, 2, 3>>(
                           [](auto price, auto volatility, auto time, auto rate) {
                             return etch::sum_map(call, price, volatility, time, rate);
                           },
                           d.price, d.volatility, d.time, d.rate);
                       return step(d.price, d.volatility, d.time, d.rate,
                                   etch::into(g.price, g.volatility, g.time, g.rate));
                     }};

}  // namespace black_scholes_problem
