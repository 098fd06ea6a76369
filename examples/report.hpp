// report: how an example ends: what training took of memory, and an exit status that follows from what it claims.
#pragma once

#include "heap_count.hpp"

#include <etch/compile/facts.hpp>
#include <etch/tape/tape.hpp>

#include <cstdio>
#include <initializer_list>

namespace report {

/// To be called before the first output: stdio's own buffer would come from the heap.
inline void keep_output_off_the_heap() {
  static char buffer[1 << 16];
  std::setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
}

/// The memory that a lesson works in: a program's workspace, or a tape.
struct memory_held {
  char const* name;
  long long bytes;
  char const* when;  ///< allocations are counted

  memory_held(etch::program_facts const& facts)
      : name("workspace"), bytes(static_cast<long long>(facts.workspace_bytes)), when("during training") {}
  template <class T>
  memory_held(etch::tape<T> const& t)
      : name("tape"), bytes(static_cast<long long>(t.bytes())), when("after the tape had grown") {}
};

/// A line each for what is held and for the heap allocations.
inline void memory(memory_held const& held, long allocations) {
  std::printf("%-18s %lld bytes\n", held.name, held.bytes);
  if (char const* const reason = heap::why_not_counted()) std::printf("heap allocations   %s\n", reason);
  else std::printf("heap allocations   %ld %s\n", allocations, held.when);
}

/// A condition that must hold, and the sentence for the case that it does not.
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
