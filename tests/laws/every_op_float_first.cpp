#include "laws/every_op.hpp"

TEST_CASE("every element-wise op compiles to what its graph says, in float: first part") {
  laws::every_op<laws::part<0, 3>, float>();
}
