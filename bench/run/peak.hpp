// peak: what the machine can do at most, as contestants: a loop of fused multiply-adds, and a
// triad in each level of memory.
#pragma once

#include "contest.hpp"

namespace bench {

/// "peak/float" and "peak/double" in flops; "peak/L1", "peak/L2" and "peak/memory" in bytes.
std::vector<contestant> peaks();

}  // namespace bench
