#include "optim/recurrence.hpp"

#include <limits>

using recurrence::filled, recurrence::mixed;

TEST_CASE("entries are clamped one by one; NaN stays") {
  mixed g = filled(3);
  etch::optim::clip_by_value(g, 2);
  CHECK(g.wide == 2);
  CHECK(g.narrow == etch::tensor<float, 2>{2, -2});
  CHECK(g.deep.first == etch::tensor<double, 2>{-2, 2});
  CHECK(g.labels == etch::tensor<int, 3>{1, 2, 3});
  g.wide = std::numeric_limits<double>::quiet_NaN();
  etch::optim::clip_by_value(g, 1);
  CHECK(g.wide != g.wide);
}

TEST_CASE("the norm of all entries together is kept within a limit") {
  mixed g = filled(2);  // six floating entries of magnitude 2
  double const had = etch::optim::clip_by_norm(g, 1);
  CHECK(had == doctest::Approx(std::sqrt(24.0)).epsilon(1e-14));
  CHECK(etch::optim::norm(g) == doctest::Approx(1).epsilon(1e-7));
  CHECK(g.deep.first(0) == doctest::Approx(-2 / had).epsilon(1e-14));
  mixed small = filled(0.25);
  CHECK(etch::optim::clip_by_norm(small, 1) == doctest::Approx(std::sqrt(6 / 16.0)).epsilon(1e-14));
  CHECK(small.wide == 0.25);
}
