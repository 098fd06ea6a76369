#include "constants_everywhere.hpp"

using namespace constants_everywhere;

TEST_CASE("constants entry by entry, in float") { check_kinds<float, element_by_element>(); }
TEST_CASE("choices between constants, in float") { check_kinds<float, choices>(); }
TEST_CASE("reductions of constants, in float") { check_kinds<float, reductions>(); }
