// libtorch: its tensors over the same memory, its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace black_scholes_problem {

namespace {
at::Tensor distribution(at::Tensor const& x) { return 0.5 * at::erfc(-0.70710678118654752440 * x); }
}  // namespace

rival const here{
    "torch", [](data const& d, gradient& g) {
      double total = 0;
      bench::one_by_one(calls, [&](int i) {
        at::Tensor const price = bench::parameter(d.price(i)), volatility = bench::parameter(d.volatility(i)),
                         time = bench::parameter(d.time(i)), rate = bench::parameter(d.rate(i));
        at::Tensor const deviation = volatility * at::sqrt(time);
        at::Tensor const a = (at::log(price / strike) + (rate + 0.5 * at::square(volatility)) * time) / deviation;
        at::Tensor const value =
            price * distribution(a) - strike * at::exp(-(rate * time)) * distribution(a - deviation);
        total += bench::differentiate(value, {price, volatility, time, rate}, g.price(i), g.volatility(i), g.time(i),
                                      g.rate(i));
      });
      return total;
    }};

}  // namespace black_scholes_problem
