// The sum of the squares of all entries.
#pragma once

#include <etch/etch.hpp>

namespace sum_squares_problem {

inline constexpr auto loss = [](auto x) { return sum(square(x)); };

}  // namespace sum_squares_problem
