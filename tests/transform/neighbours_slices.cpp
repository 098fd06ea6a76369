// Hessians of functions of slices of many kinds.
#include "transform/neighbours.hpp"

using namespace etch;
using namespace neighbours;

TEST_CASE("slices of slices, a slice beside its whole, and a value that is a slice") {
  auto const x = same::filled_with<tensor<double, 18>>(6);
  CHECK(wrong_entries(
            [](auto v) {
              auto const inner = v.template segment<10>(3);
              return sum(cwise_product(exp(inner.template head<9>()), inner.template tail<9>())) + sum(cube(v));
            },
            x) == 0);
  CHECK(wrong_entries(
            [](auto v) {
              auto const once = v.template tail<17>() - v.template head<17>();
              return sum(cube(once.template tail<16>() - once.template head<16>()));
            },
            x) == 0);
  CHECK(wrong_entries([](auto v) { return sum(v * square(v.template head<1>())); }, x) == 0);
  CHECK(wrong_entries([](auto v) { return sum(cwise_product(square(reshape<9, 2>(v)), reshape<9, 2>(sin(v)))); }, x) ==
        0);
  CHECK(wrong_entries([](auto v) { return sum(select(v > 0, cube(v), square(v))) + 2 * sum(v); }, x) == 0);
  CHECK(wrong_entries([](auto v) { return sum(v); }, x) == 0);
}
