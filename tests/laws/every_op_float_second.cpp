#include "laws/every_op.hpp"

TEST_CASE("every element-wise op compiles to what its graph says, in float: second part") {
  laws::every_op<laws::part<1, 3>, float>();
}
