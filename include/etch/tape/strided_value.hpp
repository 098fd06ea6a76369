// strided_value: where in memory the entries of a value of the tape lie, and in which order a kernel walks
// through several such values at once.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/graph/element.hpp>
#include <etch/graph/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// A value in memory: entry (i, j, k, l) is number `where.offset + i * where.step[0] + j * where.step[1] + ...` of
/// those at `entries`. Steps may be anything: 0 where entries repeat, negative where they run backwards.
struct strided_value {
  element type{};
  shape extent{};
  layout where{};
  std::byte* entries = nullptr;

  /// The first entry, read as a `U`.
  template <class U>
  U* first() const {
    return reinterpret_cast<U*>(entries) + where.offset;
  }
  bool is_contiguous() const { return etch::is_contiguous(where, extent); }
};

/// A value of shape `extent` whose entries lie side by side at `entries`.
inline strided_value contiguous(element type, shape const& extent, void* entries) {
  return {type, extent, {0, contiguous_strides(extent)}, static_cast<std::byte*>(entries)};
}

/// The entries of a value, as ops with a kernel of their own take them.
template <class T>
block<T> block_of(strided_value const& x) {
  return {x.first<T>(), x.extent, x.where.step};
}

/// `x` at the positions of shape `to`, to which it broadcasts.
inline strided_value stretched(strided_value x, shape const& to) {
  for (std::size_t axis = 0; axis < max_rank; ++axis)
    if (x.extent.extent[axis] != to.extent[axis]) x.where.step[axis] = 0;
  x.extent = to;
  return x;
}

/// The positions of a shape, for values that all have it: axes along which no value has a gap are one
/// axis, and those of extent 1 are none.
class walk {
 public:
  static constexpr std::size_t most = 4;  ///< values: a result and three operands
  using offsets = fixed<std::int64_t, static_cast<int>(most)>;

  int rank = 0;  ///< axes left
  fixed<int, max_rank> extent{1, 1, 1, 1};
  fixed<offsets, max_rank> step{};  ///< along each axis, of each value, in entries

  /// Axes in the order of their longest steps, the smallest first, where they may be `sorted`;
  /// else in the order of the shape.
  [[gnu::noinline]] walk(shape const& s, const_span<strided_value> values, bool sorted) {
    fixed<int, max_rank> axes{0, 1, 2, 3};
    if (sorted)
      for (std::size_t i = 1; i < max_rank; ++i)
        for (std::size_t k = i; k > 0 && longest_step(values, axes[k]) < longest_step(values, axes[k - 1]); --k)
          std::swap(axes[k], axes[k - 1]);
    for (int axis : axes) {
      if (s[axis] == 1) continue;
      offsets along;
      for (std::size_t v = 0; v < values.size(); ++v) along[v] = values[v].where.step.entry[axis];
      auto const last = static_cast<std::size_t>(rank > 0 ? rank - 1 : 0);
      bool joins = rank > 0 && std::int64_t{extent[last]} * s[axis] <= std::numeric_limits<int>::max();
      for (std::size_t v = 0; joins && v < values.size(); ++v) joins = along[v] == step[last][v] * extent[last];
      if (joins) extent[last] *= s[axis];
      else extent[static_cast<std::size_t>(rank)] = s[axis], step[static_cast<std::size_t>(rank++)] = along;
    }
  }

  /// Calls `f(offsets)` with where each value's row along the first axis begins, seen from its own first entry.
  template <class F>
  void rows(F f) const {
    offsets at{};
    for (int l = 0; l < extent[3]; ++l, advance(at, 3))
      for (int k = 0; k < extent[2]; ++k, advance(at, 2))
        for (int j = 0; j < extent[1]; ++j, advance(at, 1)) f(at);
  }

 private:
  static std::int64_t longest_step(const_span<strided_value> values, int axis) {
    std::int64_t longest = 0;
    for (strided_value const& x : values) longest = std::max(longest, std::abs(x.where.step.entry[axis]));
    return longest;
  }
  /// To the next position along `axis`, from the end of those before it.
  void advance(offsets& at, std::size_t axis) const {
    for (std::size_t v = 0; v < most; ++v) {
      at[v] += step[axis][v];
      if (axis > 1) at[v] -= step[axis - 1][v] * extent[axis - 1];
    }
  }
};

}  // namespace dynamic
ETCH_NAMESPACE_END
