#include "machine/conv.hpp"

TEST_CASE("a convolution and its adjoints are what plain loops give, in float") { convolutions::check_all<float>(); }
