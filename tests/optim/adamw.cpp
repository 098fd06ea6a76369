#include "optim/recurrence.hpp"

#include <cmath>

TEST_CASE("adamw follows the published recurrence: weights decay apart from the gradient") {
  etch::optim::adamw<recurrence::mixed> optimiser;
  optimiser.learning_rate = 0.125;
  optimiser.beta1 = 0.5;
  optimiser.beta2 = 0.75;
  optimiser.weight_decay = 0.25;
  recurrence::check(optimiser, [m = 0.0L, v = 0.0L, b1 = 1.0L, b2 = 1.0L](long double w, long double g) mutable {
    b1 *= 0.5L, b2 *= 0.75L;
    m = 0.5L * m + 0.5L * g;
    v = 0.75L * v + 0.25L * g * g;
    return w - 0.125L * (m / (1 - b1) / (std::sqrt(v / (1 - b2)) + 1e-8L) + 0.25L * w);
  });
}

TEST_CASE("without decay it is Adam") {
  using model = recurrence::mixed;
  etch::optim::adamw<model> a;
  etch::optim::adam<model> b;
  a.weight_decay = 0;
  model x = recurrence::filled(1), y = x;
  for (double g : recurrence::gradients) {
    a.update(x, recurrence::filled(g));
    b.update(y, recurrence::filled(g));
    CHECK(x.wide == doctest::Approx(y.wide).epsilon(1e-15));
  }
}
