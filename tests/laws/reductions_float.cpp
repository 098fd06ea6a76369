#include "laws/programs.hpp"

TEST_CASE("reductions and broadcasts agree with their graphs, in float") {
  laws::reductions<float, 10, 3>();
  laws::reductions<float, 1, 17>();
}
