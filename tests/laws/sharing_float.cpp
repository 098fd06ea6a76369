#include "laws/programs.hpp"

TEST_CASE("shared values agree with their graphs, in float") {
  laws::sharing<float, 1>();
  laws::sharing<float, 19>();
}

TEST_CASE("scalar programs agree with their graphs, in float") { laws::scalars<float>(); }
