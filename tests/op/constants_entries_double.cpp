#include "constants_everywhere.hpp"

using namespace constants_everywhere;

TEST_CASE("constants entry by entry, in double") { check_kinds<double, element_by_element>(); }
TEST_CASE("choices between constants, in double") { check_kinds<double, choices>(); }
TEST_CASE("reductions of constants, in double") { check_kinds<double, reductions>(); }
