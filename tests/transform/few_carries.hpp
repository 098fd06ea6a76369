// few_carries: what the tests of loops that keep few carries share.
#pragma once

#include <etch/transform/scan.hpp>

#include "transform/same.hpp"

#include <doctest/doctest.h>

namespace few_carries {

using matrix_type = etch::tensor<double, 3, 3>;
template <int Steps>
using series = etch::tensor<double, 3, Steps>;
inline constexpr std::int64_t vector_bytes = 3 * 8;
inline constexpr std::integer_sequence<int, 0, 1> both;

}  // namespace few_carries
