#include "laws/programs.hpp"

TEST_CASE("reductions and broadcasts agree with their graphs, in double") {
  laws::reductions<double, 10, 3>();
  laws::reductions<double, 1, 17>();
}
