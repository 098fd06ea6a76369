#include "optim/recurrence.hpp"

using recurrence::filled, recurrence::mixed;

TEST_CASE("the average begins with the first model and follows the others") {
  etch::optim::exponential_average<mixed> mean;
  mean.update(filled(4));
  CHECK(mean.average.wide == 4);
  CHECK(mean.average.narrow == etch::tensor<float, 2>{4, -4});
  mean.update(filled(0));  // keeps 2 / 11 of what it was
  CHECK(mean.average.wide == doctest::Approx(8.0 / 11).epsilon(1e-14));
  for (int i = 0; i < 100'000; ++i) mean.update(filled(-3));
  CHECK(mean.average.deep.first(0) == doctest::Approx(3).epsilon(1e-10));
  mean.update(filled(-2));
  CHECK(mean.average.wide == doctest::Approx(-2.999).epsilon(1e-9));
}
