#include <etch/optim/schedule.hpp>

#include <doctest/doctest.h>

using namespace etch::optim;

TEST_CASE("rates by the number of steps") {
  CHECK(constant_rate{0.5}(1000) == 0.5);
  step_decay const steps{1, 0.5, 10};
  CHECK(steps(0) == 1);
  CHECK(steps(9) == 1);
  CHECK(steps(10) == 0.5);
  CHECK(steps(25) == 0.25);
  cosine_decay const cosine{1, 0.5, 100};
  CHECK(cosine(0) == 1);
  CHECK(cosine(50) == doctest::Approx(0.75).epsilon(1e-14));
  CHECK(cosine(100) == 0.5);
  CHECK(cosine(1000) == 0.5);
}

TEST_CASE("a warm-up leads up to another schedule, which then begins") {
  warm_up const schedule{3, cosine_decay{1, 0, 100}};
  CHECK(schedule(0) == 0.25);
  CHECK(schedule(2) == 0.75);
  CHECK(schedule(3) == 1);
  CHECK(schedule(53) == doctest::Approx(0.5).epsilon(1e-14));
}
