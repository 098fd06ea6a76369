// The sum of the angles of the points (2, x).
#pragma once

#include <etch/etch.hpp>

namespace sum_atan2_problem {

inline constexpr auto loss = [](auto x) { return sum(atan2(x, 2.0f)); };

}  // namespace sum_atan2_problem
