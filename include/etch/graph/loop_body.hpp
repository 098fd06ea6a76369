// loop_body: what a loop does in each of its steps, as a graph, and how values flow from step to
// step; and the same as a few words.
#pragma once

#include <etch/graph/packed_graph.hpp>

ETCH_NAMESPACE_BEGIN

/// The source of an input of a loop's body, at the step for position p.
enum class loop_input : std::uint8_t {
  carry,     ///< what the step before left; at the first step the operand
  slice,     ///< entry p of the operand's last axis
  captured,  ///< the operand, the same at every step
  before,    ///< entry p - 1 of the operand's last axis, at position 0 the next operand
  after,     ///< entry p + 1 of the operand's last axis, at the last position the next operand
};

/// The use of an output of a loop's body.
enum class loop_output : std::uint8_t {
  carry,  ///< handed to the next step; the result is the last step's
  stack,  ///< entry p of the result's last axis
  sum,    ///< added up over all steps
};

/// A loop of `count` steps. Input i of the body (the attribute of its `op::input`) is fed from operand i of the loop's
/// node; the c-th carry among the inputs belongs to the c-th carry among the outputs. Output r is result r.
struct loop_body {
  graph body;
  int count = 0;
  bool backward = false;       ///< positions run from count - 1 down to 0
  bool keeps_carries = false;  ///< a gradient keeps only the carries, and computes the rest of each step again
  int snapshots = 0;           ///< how many of the carries that a gradient keeps lie in memory at once; 0: all of them
  bool points = false;   ///< steps are independent of each other, and may be taken several at a time, one in each lane
                         ///< of a register
  bool counted = false;  ///< so many steps, which are points, count as the program is told, of `count` at most
  int gate = -1;  ///< an input of one number, -1 if there is none: a step at which it is 0 does not run; carries stay
                  ///< what they are, its entries of stacks are 0, and nothing is added to sums
  sequence<loop_input> in;
  sequence<loop_output> out;
};

/// Whether the input's first or last entry stands in the operand that follows.
constexpr bool has_companion(loop_input f) { return f == loop_input::before || f == loop_input::after; }

/// The positions of the carries in `flow`, in order.
template <class Flow>
constexpr sequence<int> carries_in(sequence<Flow> const& flow) {
  sequence<int> at;
  for (std::size_t i = 0; i < flow.size(); ++i)
    if (flow.entry[i] == Flow::carry) at.push_back(static_cast<int>(i));
  return at;
}

/// The words of a loop; the first is their number.
constexpr sequence<std::uint64_t> words_of(loop_body const& l) {
  detail::byte_writer out;
  out.put(static_cast<std::uint64_t>(l.count));
  bool const samples = l.snapshots > 0;
  out.put(static_cast<std::uint64_t>(l.backward) | static_cast<std::uint64_t>(l.keeps_carries) << 1 |
          static_cast<std::uint64_t>(l.points) << 2 | static_cast<std::uint64_t>(samples) << 3 |
          static_cast<std::uint64_t>(l.counted) << 4 | static_cast<std::uint64_t>(l.gate + 1) << 5);
  if (samples) out.put(static_cast<std::uint64_t>(l.snapshots));
  out.put(l.in.size());
  for (loop_input each : l.in) out.put(static_cast<std::uint64_t>(each));
  out.put(l.out.size());
  for (loop_output each : l.out) out.put(static_cast<std::uint64_t>(each));
  out.align();
  detail::write_graph(out, l.body);
  sequence<std::uint64_t> words;
  words.reserve(out.words().size() + 1);
  words.push_back(out.words().size() + 1);
  for (std::uint64_t word : out.words()) words.push_back(word);
  return words;
}

/// The loop whose words these are.
constexpr loop_body loop_of(const_span<std::uint64_t> words) {
  detail::byte_reader in({words.start + 1, words.size() - 1});
  loop_body l;
  l.count = in.number();
  std::uint64_t const flags = in.get();
  l.backward = (flags & 1) != 0;
  l.keeps_carries = (flags & 2) != 0;
  l.points = (flags & 4) != 0;
  l.counted = (flags & 16) != 0;
  l.gate = static_cast<int>(flags >> 5) - 1;
  if ((flags & 8) != 0) l.snapshots = in.number();
  l.in = filled(static_cast<std::size_t>(in.get()), loop_input{});
  for (loop_input& each : l.in) each = static_cast<loop_input>(in.get());
  l.out = filled(static_cast<std::size_t>(in.get()), loop_output{});
  for (loop_output& each : l.out) each = static_cast<loop_output>(in.get());
  in.align();
  l.body = detail::read_graph(in);
  return l;
}

/// Whether the loop whose words these are is one of points, without reading the rest of it.
constexpr bool is_of_points(const_span<std::uint64_t> words) {
  detail::byte_reader in({words.start + 1, words.size() - 1});
  in.get();
  return (in.get() & 4) != 0;
}
/// Its `snapshots`, likewise.
constexpr int snapshots_in(const_span<std::uint64_t> words) {
  detail::byte_reader in({words.start + 1, words.size() - 1});
  in.get();
  return (in.get() & 8) != 0 ? in.number() : 0;
}

/// Whether its body may hold loops, likewise.
constexpr bool may_hold_loops(const_span<std::uint64_t> words) {
  detail::byte_reader in({words.start + 1, words.size() - 1});
  in.get();
  if ((in.get() & 8) != 0) in.get();
  for (int list = 0; list < 2; ++list)
    for (int left = in.number(); left > 0; --left) in.get();
  in.align();
  for (int i = 0; i < 3; ++i) in.get();  // nodes, edges, outputs
  return in.get() != 0;                  // words of its pool
}

/// The loop at node `id`.
constexpr loop_body loop_at(graph_view g, int id) { return loop_of(words_at(g.pool, g[id].attributes)); }

/// The shape of the stack of `count` values of shape `s`; `counted` says that it is a bound.
constexpr shape stacked(shape s, int count, bool counted = false) {
  s[s.rank++] = count;
  if (counted) s.counted = s.rank;
  return s;
}

ETCH_NAMESPACE_END
