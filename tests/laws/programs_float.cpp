#include "laws/programs.hpp"

TEST_CASE("reductions and broadcasts agree with their graphs, in float") {
  laws::reductions<float, 1, 1>();
  laws::reductions<float, 10, 3>();
  laws::reductions<float, 35, 2>();
  laws::reductions<float, 1, 17>();
}

TEST_CASE("shared values agree with their graphs, in float") {
  laws::sharing<float, 1>();
  laws::sharing<float, 7>();
  laws::sharing<float, 32>();
}

TEST_CASE("scalar programs agree with their graphs, in float") { laws::scalars<float>(); }
