// grid: a shape cut into regions along its axes.
#pragma once

#include <etch/graph/shape.hpp>

#include <algorithm>
#include <cstdint>

ETCH_NAMESPACE_BEGIN
namespace pass::detail {

/// The regions that all values of one shape are cut into.
struct grid {
  static constexpr int most_regions = 9;
  /// Of a region, on average: fewer are put together faster than several kernels are called.
  static constexpr int least_entries = 80;

  /// Part of the whole, from `begin` on.
  struct box {
    fixed<int, max_rank> begin{};
    shape extent{};
  };
  /// Where the regions along an axis begin, in order.
  struct cuts {
    int count = 1;
    fixed<int, most_regions> at{};
  };

  shape whole{};
  fixed<cuts, max_rank> along{};
  std::int64_t copied = 0;  ///< entries of parts that lie elsewhere in memory, which putting together copies
  std::int64_t stored = 0;  ///< entries of what is computed by these regions and would else not be put into memory
  int nodes = 0;            ///< that are computed by these regions
  int sliced = 0;           ///< of these, those of which a part is read
  bool is_usable = true;

  constexpr void cut(int axis, int at) {
    cuts& of = along[static_cast<std::size_t>(axis)];
    if (at >= whole[axis] || !is_usable) return;
    int place = of.count;
    while (of.at.entry[place - 1] > at) --place;
    if (of.at.entry[place - 1] == at) return;
    is_usable = of.count < most_regions;
    if (!is_usable) return;
    for (int i = of.count++; i > place; --i) of.at.entry[i] = of.at.entry[i - 1];
    of.at.entry[place] = at;
  }
  constexpr int count() const {
    int n = 1;
    for (cuts const& each : along) n *= each.count;
    return n;
  }
  /// Region `number`, the first axis fastest.
  constexpr box region_at(int number) const {
    box b{{}, whole};
    for (int axis = 0; axis < max_rank; ++axis) {
      cuts const& of = along[static_cast<std::size_t>(axis)];
      int const i = number % of.count;
      number /= of.count;
      b.begin[static_cast<std::size_t>(axis)] = of.at.entry[i];
      b.extent[axis] = (i + 1 < of.count ? of.at.entry[i + 1] : whole[axis]) - of.at.entry[i];
    }
    return b;
  }
  /// Whether it cuts a few numbers, such as a state, into those numbers.
  constexpr bool is_of_numbers() const { return count() == whole.size(); }
  /// Whether it is worth using: one region is most of the whole, the rest its borders, and more is not copied than is
  /// stored for it, by one and a half wholes; or each region is a number that is read as such, and few are stored for
  /// it, so that numbers stay in registers. (Before its nodes are counted it may be.)
  constexpr bool is_worthwhile() const {
    if (is_of_numbers()) return nodes == 0 || (sliced > 0 && 3 * stored <= nodes * whole.size());
    std::int64_t largest = 0;
    for (int i = 0; i < count(); ++i) largest = std::max(largest, region_at(i).extent.size());
    return whole.size() >= least_entries * count() && 2 * largest >= whole.size() &&
           2 * (copied - stored) >= 3 * whole.size();
  }
};

}  // namespace pass::detail
ETCH_NAMESPACE_END
