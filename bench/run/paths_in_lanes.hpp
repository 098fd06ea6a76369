// paths_in_lanes: what belongs to several paths of a simulation, one path after the other in memory, as registers with
// a path in each lane.
#pragma once

#include <etch/machine/strips.hpp>

#include <algorithm>

namespace bench {

/// Reads `Entries` numbers of each of as many paths as a register has lanes.
template <int Entries>
void load_paths(double const* from, etch::lanes<double>* to) {
  using number = etch::lanes<double>;
  constexpr int width = number::width;
  for (int at = 0; at < Entries; at += width) {
    int const count = std::min(width, Entries - at);
    number square[width];
    for (int path = 0; path < width; ++path)
      square[path] =
          count == width ? number::load(from + path * Entries + at) : number::load(from + path * Entries + at, count);
    etch::run::transpose_square(square);
    for (int i = 0; i < count; ++i) to[at + i] = square[i];
  }
}

}  // namespace bench
