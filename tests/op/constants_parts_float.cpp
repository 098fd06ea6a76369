#include "constants_everywhere.hpp"

using namespace constants_everywhere;

TEST_CASE("shapes of constants, in float") { check_kinds<float, shapes_of>(); }
TEST_CASE("products of constants, in float") { check_kinds<float, products>(); }
