// The smaller and the larger of two values, and clamping between them.
#pragma once

#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI::op {

}  // namespace etch::inline ETCH_ABI::op
