#include "tape/functions.hpp"

TEST_CASE(
    "every function of two doubles on a tape: both derivatives, and those with a constant in the place of either") {
  tapes::functions_of_two<double>();
}
