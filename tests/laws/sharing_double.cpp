#include "laws/programs.hpp"

TEST_CASE("shared values agree with their graphs, in double") {
  laws::sharing<double, 1>();
  laws::sharing<double, 19>();
}

TEST_CASE("scalar programs agree with their graphs, in double") { laws::scalars<double>(); }
