// Shapes as values: rank, extents, broadcasting.
#pragma once

#include <etch/base/error.hpp>
#include <etch/base/sequence.hpp>

#include <array>
#include <cstdint>
#include <string>

ETCH_NAMESPACE_BEGIN

/// The highest rank of a tensor.
inline constexpr int max_rank = 4;

namespace detail {
/// Added to a dimension of which a count is known when the program runs.
inline constexpr int counted_dimension = 1 << 30;
template <int N>
consteval int dimension_upto() {
  constexpr bool is_in_range = N > 1 && N < counted_dimension;
  if constexpr (!is_in_range) error::bound_is_out_of_range<N>();
  return (is_in_range ? N : 2) + counted_dimension;
}
}  // namespace detail

/// A dimension of at most `N` entries of which so many count as is said when the program runs: the last one of an
/// argument, such as the batch in `tensor<float, 784, upto<128>>`.
template <int N>
inline constexpr int upto = detail::dimension_upto<N>();

/// Extents of a tensor, first index fastest. Extents beyond the rank are 1, so shapes of different rank
/// broadcast without a special case.
struct shape {
  int rank = 0;
  fixed<int, max_rank> extent{1, 1, 1, 1};
  int counted =
      0;  ///< 1 + the axis of which a count is known at run time, and `extent` is its bound; 0 if there is none

  constexpr bool is_counted(int axis) const { return counted == axis + 1; }
  /// The dimension as it is written in types.
  constexpr int dimension(int axis) const {
    return extent.entry[axis] + (is_counted(axis) ? detail::counted_dimension : 0);
  }

  constexpr int operator[](int axis) const { return extent.entry[axis]; }
  constexpr int& operator[](int axis) { return extent.entry[axis]; }

  /// Number of entries.
  constexpr std::int64_t size() const {
    return std::int64_t{extent.entry[0]} * extent.entry[1] * extent.entry[2] * extent.entry[3];
  }

  friend constexpr bool operator==(shape const& a, shape const& b);
};

/// The shape with the given extents.
template <class... Extent>
constexpr shape make_shape(Extent... extents) {
  static_assert(sizeof...(Extent) <= max_rank, "etch: tensors have rank 0 to 4");
  shape s;
  ((s[s.rank++] = static_cast<int>(extents)), ...);
  for (int axis = 0; axis < s.rank; ++axis)
    if (s[axis] > detail::counted_dimension) s[axis] -= detail::counted_dimension, s.counted = axis + 1;
  return s;
}

/// Whether both hold the same entries in the same order: equal extents, whatever the rank says of trailing ones.
constexpr bool same_extents(shape const& a, shape const& b) {  // in one statement, since compilers count them
  return a.extent.entry[0] == b.extent.entry[0] && a.extent.entry[1] == b.extent.entry[1] &&
         a.extent.entry[2] == b.extent.entry[2] && a.extent.entry[3] == b.extent.entry[3] && a.counted == b.counted;
}
static_assert(max_rank == 4, "etch: size and same_extents look at four extents");

constexpr bool operator==(shape const& a, shape const& b) { return a.rank == b.rank && same_extents(a, b); }

constexpr bool broadcasts(shape const& a, shape const& b) {
  for (int axis = 0; axis < max_rank; ++axis)
    if (a[axis] != b[axis] && a[axis] != 1 && b[axis] != 1) return false;
  // Only along an axis of extent 1 can one be repeated so often as the other counts.
  if (a.counted == b.counted) return true;
  auto const repeats = [](shape const& x, shape const& other) {
    return x.counted == 0 || (other.counted == 0 && other[x.counted - 1] == 1 && x[x.counted - 1] != 1);
  };
  return repeats(a, b) && repeats(b, a);
}

/// The common shape of two operands: each axis equal, or one of them 1.
constexpr shape broadcast_shape(shape const& a, shape const& b) {
  if (b.rank == 0 || a == b) return a;
  if (a.rank == 0) return b;
  if (!broadcasts(a, b)) error::shapes_do_not_broadcast(a, b);
  shape s;
  s.rank = a.rank > b.rank ? a.rank : b.rank;
  for (int axis = 0; axis < max_rank; ++axis) s[axis] = a[axis] == 1 ? b[axis] : a[axis];
  s.counted = a.counted > b.counted ? a.counted : b.counted;
  return s;
}

/// The axis that counts in a value of which two operands have the axes `a` and `b` counted (from 1; 0 for none);
/// `two_counts` where there would be two.
inline constexpr int two_counts = -1;
constexpr int joined_counts(int a, int b) { return a == 0 || a == b ? b : b == 0 ? a : two_counts; }

/// `to`, which has as many entries as `from` in the same order, with the axis of which a count is known; without one
/// where none of `to` has the same entries along it.
constexpr shape counted_as(shape to, shape const& from) {
  to.counted = 0;
  std::int64_t before = 1, before_counted = 1;
  for (int axis = 0; axis + 1 < from.counted; ++axis) before_counted *= from[axis];
  for (int axis = 0; from.counted != 0 && axis < to.rank; before *= to[axis++])
    if (before == before_counted && to[axis] == from[from.counted - 1]) to.counted = axis + 1;
  return to;
}

/// Distance in entries between neighbours along each axis of a contiguous tensor.
using strides = fixed<std::int64_t, max_rank>;

/// The steps of entries that adjoin in memory order.
constexpr strides contiguous_strides(shape const& s) {
  std::int64_t const matrix = s.extent.entry[0], cube = matrix * s.extent.entry[1];
  return {1, matrix, cube, cube * s.extent.entry[2]};
}
static_assert(max_rank == 4, "etch: contiguous_strides gives four strides");

/// The places of the entries of a value in its buffer: entry (i, j, ...) at `offset + i * step[0] + j * step[1] + ...`.
struct layout {
  std::int64_t offset = 0;
  strides step{};
  friend constexpr bool operator==(layout const&, layout const&) = default;
};

/// Whether the entries of shape `s` at layout `l` adjoin in memory order.
constexpr bool is_contiguous(layout const& l, shape const& s) {
  strides const packed = contiguous_strides(s);
  for (std::size_t axis = 0; axis < max_rank; ++axis)
    if (s.extent[axis] != 1 && l.step[axis] != packed[axis]) return false;
  return true;
}

/// Whether two layouts put the entries of a value of shape `s` into the same places.
constexpr bool same_layout(layout const& a, layout const& b, shape const& s) {
  for (std::size_t axis = 0; axis < max_rank; ++axis)
    if (s.extent[axis] != 1 && a.step[axis] != b.step[axis]) return false;
  return a.offset == b.offset;
}

/// A shape as `[2, 3]`.
inline std::string to_string(shape const& s) {
  std::string text = "[";
  for (int axis = 0; axis < s.rank; ++axis)
    text += (axis ? ", " : "") + std::string(s.is_counted(axis) ? "up to " : "") + std::to_string(s[axis]);
  return text + "]";
}

ETCH_NAMESPACE_END
