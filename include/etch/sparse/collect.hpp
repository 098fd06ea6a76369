// collect: writes the stored entries of a matrix of derivatives, each from its place among the numbers of a program.
#pragma once

#include <etch/base/sequence.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// Entries whose places repeat: from entry `first` on, `count` groups of `width` entries, the places of each `step`
/// behind those of the group before.
struct places_that_repeat {
  int first = 0, width = 1, count = 0, step = 0;
};
/// The longest such stretch of at most eight entries a group.
template <int N>
constexpr places_that_repeat find_places_that_repeat(fixed<int, N> const& places) {
  places_that_repeat best;
  if (N > 16'384) return best;  // within a compiler's usual limit
  for (int width = 1, covered = 0; width <= 8; ++width)
    for (int first = 0, k = width; k < N; first = ++k - width) {
      int const step = places.entry[k] - places.entry[k - width];
      while (k + 1 < N && places.entry[k + 1] - places.entry[k + 1 - width] == step) ++k;
      int const entries = (k + 1 - first) / width * width;
      if (entries > covered && entries >= 4 * width) covered = entries, best = {first, width, entries / width, step};
    }
  return best;
}
/// Writes the entries, each from its place.
template <auto const& Places, class T>
void collect(T const* from, T* to) {
  constexpr places_that_repeat same = find_places_that_repeat(Places);
  constexpr int end = same.first + same.width * same.count;
  auto const one_by_one = [&](int first, int last) {
    for (int k = first; k < last; ++k) to[k] = from[Places.entry[k]];
  };
  one_by_one(0, same.first);
  for (int n = 0; n < same.count; ++n)
    for (int k = 0; k < same.width; ++k)
      to[same.first + same.width * n + k] = from[Places.entry[same.first + k] + same.step * n];
  one_by_one(end, static_cast<int>(Places.size()));
}

}  // namespace detail
ETCH_NAMESPACE_END
