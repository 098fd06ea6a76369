#include "optim/recurrence.hpp"

#include <cmath>

TEST_CASE("adagrad follows the published recurrence") {
  etch::optim::adagrad<recurrence::mixed> optimiser;
  optimiser.learning_rate = 0.125;
  optimiser.weight_decay = 0.25;
  recurrence::check(optimiser, [s = 0.0L](long double w, long double g) mutable {
    g += 0.25L * w;
    s += g * g;
    return w - 0.125L * g / (std::sqrt(s) + 1e-10L);
  });
}
