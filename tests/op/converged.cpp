// converged: the iterate where its state is 0, else NaN and a status, in every evaluation.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace etch;

TEST_CASE("an iterate counts where its state is 0") {
  auto const outcome = [](auto x, auto state) { return apply<op::converged>(x, state); };
  auto step = compile<wrt<>>(outcome, tensor<double, 2, 3>{}, 0.0);
  tensor<double, 2, 3> const x{1, 2, 3, 4, 5, 6};
  CHECK(step(x, 0.0) == x);
  CHECK(step.status() == status::ok);
  for (double const state : {1.0, -1.0, double(NAN)}) {
    for (double each : step(x, state)) CHECK(std::isnan(each));
    CHECK(step.status() == status::not_converged);
  }
  tape<double> t;
  CHECK(value(t.apply(outcome, t.watch(x), t.watch(0.0)))(1, 2) == 6);
  CHECK(std::isnan(value(t.apply(outcome, t.watch(x), t.watch(1.0)))(1, 2)));
  auto const sum_of = [](auto y, auto state) { return sum(apply<op::converged>(y, state)) + sum(y); };
  constexpr auto rests = value_and_grad(sum_of)(tensor<float, 2>{1, 2}, 0.0f);
  static_assert(rests.value == 6 && rests.grad(0) == 1);  // no derivative flows through it
}
