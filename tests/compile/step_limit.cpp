#include <etch/compile/step_limit.hpp>

#include <doctest/doctest.h>

using namespace etch::detail;

static_assert(count_to(0) && count_to(1) && count_to(250'000));
static_assert(allows_steps<1000>);
static_assert(within_limit<1000, steps_of_pruned>() && within_limit<5000, steps_of_pruned>(),
              "5,000 nodes are within the compilers' own limits");

TEST_CASE("counting ends where it should, across its pieces") {
  CHECK(count_to(100'000));
  CHECK(count_to(100'001));
}
