#include "laws/every_op.hpp"

TEST_CASE("every element-wise op compiles to what its graph says, in double: third part") {
  laws::every_op<laws::part<2, 3>, double>();
}
