// windows: slices of a loop's operand that do not adjoin in memory, such as rows of a matrix whose columns do. Where
// each slice is a corner of memory that begins with it, the body reads it in its place, and no copy is made.
#pragma once

#include <etch/graph/loop_body.hpp>
#include <etch/rewrite/replay.hpp>

#include <limits>
#include <optional>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// Entries that adjoin in a window; where fewer do, a copy is read faster.
inline constexpr int shortest_stretch = 8;

/// The extents of contiguous memory of which the first entries along each axis lie as those of a value of shape `s` do
/// at `where`. Nothing where they lie otherwise, or too few of them adjoin.
constexpr std::optional<shape> memory_around(layout const& where, shape const& s) {
  if (where.step[0] != 1 || s[0] < shortest_stretch) return std::nullopt;
  shape memory = s;
  int before = 0;  // the last axis of more than one entry
  for (int axis = 1; axis < s.rank; ++axis) {
    if (s[axis] == 1) continue;
    std::int64_t const inner = where.step.entry[before], step = where.step.entry[axis], extent = step / inner;
    if (step % inner != 0 || extent < s[before] || extent > std::numeric_limits<int>::max()) return std::nullopt;
    memory[before] = static_cast<int>(extent);
    before = axis;
  }
  return memory;
}

/// That of the slices of operand `i` of loop `l`, which is of shape `s` and lies at `where`; nothing where the body
/// cannot read them there.
constexpr std::optional<shape> memory_of_slices(loop_body const& l, std::size_t i, layout const& where, shape s) {
  if (l.in.entry[i] != loop_input::slice || l.points || s.counted != 0 || l.snapshots > 0) return std::nullopt;
  if (where.step.entry[s.rank - 1] == 0) return std::nullopt;  // one slice, repeated
  s[--s.rank] = 1;
  return memory_around(where, s);
}

/// The body of a loop whose input `i` is all of the memory `memory[i]`, of which it reads what the input was; where
/// that has no rank, the input stays as it is.
constexpr graph with_windows(graph_view body, sequence<shape> const& memory) {
  return rebuild(body, false, [&](graph& to, node const& n, const_span<int> operands) -> term {
    if (n.op != opcode_of<op::input> || memory.entry[n.attributes].rank == 0)
      return {&to, to.insert(n.op, n.type, n.extent, n.attributes, operands)};
    shape now = memory.entry[n.attributes];
    term x = input(to, n.type, now, static_cast<int>(n.attributes));
    for (int axis = 0; axis < now.rank; ++axis) {
      if (now[axis] == n.extent[axis]) continue;
      now[axis] = n.extent[axis];
      x = emit_to<op::slice>(now, x, region(axis, 0));
    }
    return x;
  });
}

}  // namespace pass
ETCH_NAMESPACE_END
