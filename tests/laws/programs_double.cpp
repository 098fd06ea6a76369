#include "laws/programs.hpp"

TEST_CASE("reductions and broadcasts agree with their graphs, in double") {
  laws::reductions<double, 1, 1>();
  laws::reductions<double, 10, 3>();
  laws::reductions<double, 35, 2>();
  laws::reductions<double, 1, 17>();
}

TEST_CASE("shared values agree with their graphs, in double") {
  laws::sharing<double, 1>();
  laws::sharing<double, 7>();
  laws::sharing<double, 32>();
}

TEST_CASE("scalar programs agree with their graphs, in double") { laws::scalars<double>(); }
