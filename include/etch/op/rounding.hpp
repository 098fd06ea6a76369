// Magnitude, sign and rounding.
#pragma once

#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI::op {

}  // namespace etch::inline ETCH_ABI::op
