// report: how an example ends: what training took of memory, and an exit status that follows from what it claims.
#pragma once

#include "heap_count.hpp"

#include <etch/run/facts.hpp>

#include <cstdio>
#include <initializer_list>

namespace report {

/// To be called before the first output: stdio's own buffer would come from the heap.
inline void keep_output_off_the_heap() {
  static char buffer[1 << 16];
  std::setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
}

/// A line each for the workspace and for the heap allocations during training.
inline void memory(etch::program_facts const& facts, long allocations) {
  std::printf("workspace          %lld bytes\n", static_cast<long long>(facts.workspace_bytes));
  if (char const* const reason = heap::why_not_counted()) std::printf("heap allocations   %s\n", reason);
  else std::printf("heap allocations   %ld during training\n", allocations);
}

/// What must hold, and the sentence for the case that it does not.
struct claim {
  bool holds;
  char const* otherwise;
};

/// The exit status: 0 if all claims hold, else 1, after a line for the first that does not.
inline int judge(char const* program, std::initializer_list<claim> claims) {
  for (claim const& each : claims)
    if (!each.holds) {
      std::fprintf(stderr, "%s: %s\n", program, each.otherwise);
      return 1;
    }
  return 0;
}

}  // namespace report
