#include "optim/recurrence.hpp"

#include <cmath>

// Tensors whose entries have one magnitude have |w| / |u| of one weight alone.
TEST_CASE("lamb follows the published recurrence") {
  etch::optim::lamb<recurrence::mixed> optimiser;
  optimiser.learning_rate = 0.125;
  optimiser.beta1 = 0.5;
  optimiser.beta2 = 0.75;
  optimiser.weight_decay = 0.25;
  recurrence::check(optimiser, [m = 0.0L, v = 0.0L, b1 = 1.0L, b2 = 1.0L](long double w, long double g) mutable {
    b1 *= 0.5L, b2 *= 0.75L;
    m = 0.5L * m + 0.5L * g;
    v = 0.75L * v + 0.25L * g * g;
    long double const u = m / (1 - b1) / (std::sqrt(v / (1 - b2)) + 1e-6L) + 0.25L * w;
    return w - 0.125L * std::abs(w) / std::abs(u) * u;
  });
}

TEST_CASE("the norms are those of a tensor, and weights of 0 move too") {
  using vector = etch::tensor<double, 2>;
  etch::optim::lamb<vector> optimiser;
  optimiser.learning_rate = 0.5;
  optimiser.weight_decay = 0;
  vector w{3, 4}, at_rest{};
  optimiser.update(w, vector{1, -2});  // m / sqrt(v) is the sign in the first step
  CHECK(w(0) == doctest::Approx(3 - 0.5 * 5 / std::sqrt(2.0)).epsilon(1e-5));
  CHECK(w(1) == doctest::Approx(4 + 0.5 * 5 / std::sqrt(2.0)).epsilon(1e-5));
  etch::optim::lamb<vector> another;
  another.learning_rate = 0.5;
  another.update(at_rest, vector{1, -2});
  CHECK(at_rest(0) == doctest::Approx(-0.5).epsilon(1e-5));
}
