// instructions: how many a call executes, counted by the kernel's single steps: the same number
// whatever else the machine does.
#pragma once

#include <functional>

namespace bench {

/// Machine instructions of a call of `once` after the first; negative where they cannot be
/// counted, or are more than `most`.
double instructions(std::function<void()> const& once, long most = 1'000'000);

}  // namespace bench
