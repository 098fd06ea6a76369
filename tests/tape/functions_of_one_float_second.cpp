#include "tape/functions.hpp"

TEST_CASE("functions of one float on a tape, second half: value and derivative are those of the compiled program") {
  tapes::functions_of_one<1, float>();
}
