// strided_slices: slices of a loop's operand that do not adjoin in memory, such as blocks of rows of a matrix whose
// columns do. Where each slice is a corner of memory that begins with it, the body reads it in its place, and no copy
// is made.
#pragma once

#include <etch/base/machine.hpp>
#include <etch/graph/loop_body.hpp>
#include <etch/rewrite/replay.hpp>

#include <algorithm>
#include <limits>
#include <optional>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// Entries of the widest register that kernels are compiled for; 1, which is no register, where there is none.
constexpr int entries_of_register(element type) {
  return std::max(1, register_bytes / static_cast<int>(bytes_of(type)));
}
/// Whether rows of `n` entries fill registers well enough to be read where they lie: a copy, whose entries all adjoin,
/// is read faster where they do not.
constexpr bool fills_registers(int n, element type) {
  int const width = entries_of_register(type);
  return n >= 8 && (n % width == 0 || n >= 4 * width);
}

/// The extents of contiguous memory of which the first entries along each axis lie as those of a value of shape `s` do
/// at `where`. Nothing where they lie otherwise, or rows of them are short.
constexpr std::optional<shape> memory_around(layout const& where, shape const& s, element type) {
  if (where.step.entry[0] != 1 || !fills_registers(s[0], type)) return std::nullopt;
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

/// The memory around slices of `x`, which lies at `where` and is operand `i` of loop `l`; nothing where its body cannot
/// read them there. (Steps that run again, between snapshots, have a body of their own.)
constexpr std::optional<shape> memory_of_slices(loop_body const& l, std::size_t i, layout const& where, node const& x) {
  shape s = x.extent;
  if (l.in.entry[i] != loop_input::slice || l.points || s.counted != 0 || l.snapshots > 0) return std::nullopt;
  if (where.step.entry[s.rank - 1] == 0) return std::nullopt;  // one slice, repeated
  s[--s.rank] = 1;
  return memory_around(where, s, x.type);
}

/// The body of a loop whose input `i` is all of the memory `memory[i]`, of which it reads what the input was; where
/// that has no rank, the input stays as it is.
constexpr graph with_strided_slices(graph_view body, sequence<shape> const& memory) {
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
