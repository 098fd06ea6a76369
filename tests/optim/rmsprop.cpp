#include "optim/recurrence.hpp"

#include <cmath>

TEST_CASE("rmsprop follows the published recurrence, with momentum and weight decay") {
  etch::optim::rmsprop<recurrence::mixed> optimiser;
  optimiser.learning_rate = 0.125;
  optimiser.smoothing = 0.75;
  optimiser.momentum = 0.5;
  optimiser.weight_decay = 0.25;
  recurrence::check(optimiser, [s = 0.0L, v = 0.0L](long double w, long double g) mutable {
    g += 0.25L * w;
    s = 0.75L * s + 0.25L * g * g;
    v = 0.5L * v + g / (std::sqrt(s) + 1e-8L);
    return w - 0.125L * v;
  });
}
