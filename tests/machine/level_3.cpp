#include <etch/machine/level_3.hpp>

#include "op/level_3.hpp"

TEST_CASE("matrices in blocks, on registers, have the factors and solutions that they should") {
  level_3_tests::all<double>(etch::run::level_3<etch::run::level_3_work::all>{});
  level_3_tests::all<float>(etch::run::level_3<etch::run::level_3_work::all>{});
}
