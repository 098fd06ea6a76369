#include "constants_everywhere.hpp"

using namespace constants_everywhere;

TEST_CASE("shapes of constants, in double") { check_kinds<double, shapes_of>(); }
TEST_CASE("products of constants, in double") { check_kinds<double, products>(); }
