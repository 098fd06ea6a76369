#include "laws/every_op.hpp"

TEST_CASE("every element-wise op compiles to what its graph says, in double") { laws::every_op<double>(); }
