#include "optim/recurrence.hpp"

TEST_CASE("lion follows the published recurrence") {
  etch::optim::lion<recurrence::mixed> optimiser;
  optimiser.learning_rate = 0.125;
  optimiser.beta1 = 0.5;
  optimiser.beta2 = 0.75;
  optimiser.weight_decay = 0.25;
  recurrence::check(optimiser, [m = 0.0L](long double w, long double g) mutable {
    long double const c = 0.5L * m + 0.5L * g;
    m = 0.75L * m + 0.25L * g;
    return w - 0.125L * ((c > 0) - (c < 0) + 0.25L * w);
  });
}

TEST_CASE("where the mean of gradients is 0, only the weights decay") {
  etch::optim::lion<double> optimiser;
  optimiser.learning_rate = 0.5;
  optimiser.weight_decay = 0.25;
  double w = 8;
  optimiser.update(w, 0.0);
  CHECK(w == 7);
}
