// Learning rates that change with the number of steps taken: `optimiser.learning_rate = schedule(step)`.
#pragma once

#include <etch/base/namespace.hpp>

#include <cmath>

ETCH_NAMESPACE_BEGIN
namespace optim {

/// Keeps the rate constant.
struct constant_rate {
  double rate = 0.001;
  constexpr double operator()(long) const { return rate; }
};

/// `rate` times `factor` after every `every` steps.
struct step_decay {
  double rate = 0.1, factor = 0.1;
  long every = 1000;
  double operator()(long step) const { return rate * std::pow(factor, static_cast<double>(step / every)); }
};

/// From `rate` to `least` along half a cosine in `steps` steps, then `least` (I.
/// Loshchilov, F. Hutter, SGDR, ICLR 2017).
struct cosine_decay {
  double rate = 0.1, least = 0;
  long steps = 1000;
  double operator()(long step) const {
    if (step >= steps) return least;
    double const done = static_cast<double>(step) / static_cast<double>(steps);
    return least + (rate - least) * (1 + std::cos(3.14159265358979323846 * done)) / 2;
  }
};

/// The first `steps` steps lead linearly up to what `then` has for its first one: step i
/// takes (i + 1) / (steps + 1) of it.
template <class Then>
struct warm_up {
  long steps = 100;
  Then then{};
  double operator()(long step) const {
    if (step >= steps) return then(step - steps);
    return then(0) * static_cast<double>(step + 1) / static_cast<double>(steps + 1);
  }
};
template <class Then>
warm_up(long, Then) -> warm_up<Then>;

}  // namespace optim
ETCH_NAMESPACE_END
