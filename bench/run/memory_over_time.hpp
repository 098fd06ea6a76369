// memory_over_time: how much memory a process has while it works, sampled from the kernel's account of it.
#pragma once

#include "picture.hpp"

#include <functional>

namespace bench {

/// The measurements of a process of itself: bytes that were resident before it began, the most that were at once,
/// seconds, and a number by which results can be compared. An empty curve means that it failed.
struct measured_memory {
  double before = 0, peak = 0, seconds = 0, result = 0;
  curve over_time;
};

/// Runs `prepare` and then `work`, which returns a result, in a process of its own; takes a sample every `interval`
/// milliseconds. What they write must not have been touched before.
measured_memory measure_memory(std::function<void()> const& prepare, std::function<double()> const& work, int interval);

}  // namespace bench
