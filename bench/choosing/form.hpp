// form: one way of writing a problem: value and gradient, and what they take.
#pragma once

#include <vector>

namespace choosing {

struct form {
  char const* name;
  double (*compute)();                     ///< value and gradient; returns the value
  void (*gradient)(std::vector<double>&);  ///< of the last `compute`, appended
  long long (*bytes)();                    ///< workspace, or what the tape's arena holds
  long (*entries)();                       ///< on the tape after a call; 0 without one
};

/// The contents of a tape.
long entries_of(auto& tape) {
  auto const here = tape.mark();
  return static_cast<long>(here.scalars) + here.nodes.nodes;
}
inline long no_entries() { return 0; }

}  // namespace choosing
