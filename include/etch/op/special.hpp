// Special functions: the error function, the gamma function's logarithm and its derivatives.
#pragma once

#include <etch/op/exponential.hpp>

namespace etch::inline ETCH_ABI::op {

}  // namespace etch::inline ETCH_ABI::op
