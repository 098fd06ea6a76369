// loop_kernel: how a loop runs: its body as a program of its own, what every step's outputs are written
// to, and the memory between steps.
#pragma once

#include <etch/rewrite/in_lanes.hpp>
#include <etch/rewrite/strided_slices.hpp>
#include <etch/lower/kernel.hpp>
#include <etch/lower/sampled_carries.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The destination of an output of the body.
struct step_output {
  loop_output kind{};
  int result = -1;  ///< node of the graph outside that holds it, or for a carry its last; -1 where none is asked for
  int carry = -1;   ///< which carry it is for the next step; -1 if none
};

/// A loop as it runs. A carry that is stacked in memory of the program's own is read from the stack by the next step;
/// the others, and all of a loop with a gate, alternate between two buffers, of which the result is one, and the
/// operand that they begin with another where it may be written over. Of a sampled carry snapshots are copied. The body
/// of a loop of points is in the form for lanes, where it has one.
struct loop_kernel {
  loop_body loop;  ///< its body's outputs are those below
  sequence<step_output> out;
  sampled_carries kept;  ///< of the forward loop: what is kept; `outputs` are those above
  steps_again again;     ///< of the loop that goes back: how it computes the others again
};

/// The memory of which the body of the loop `l` at node `id` reads slices where they lie, by input, of no rank where
/// they adjoin. Empty if all do. (`materialise` has copied all that can be read neither way, or are views of a part.)
constexpr sequence<shape> memory_of_strided_slices(graph_view g, int id, loop_body const& l) {
  sequence<shape> memory;
  for (std::size_t i = 0; i < l.in.size(); ++i) {
    int const operand = g.operands(id)[i];
    if (l.in.entry[i] != loop_input::slice || !facts_of(g[operand]).is_view) continue;
    layout const where = *layout_in_root(g, operand);
    if (is_contiguous(where, g[operand].extent)) continue;
    if (memory.empty()) memory = filled(l.in.size(), shape{});
    memory.entry[i] = *memory_of_slices(l, i, where, g[operand]);
  }
  return memory;
}

/// How the loop at node `id` of a materialised graph runs.
constexpr loop_kernel loop_kernel_of(graph_view g, int id) {
  loop_kernel r;
  r.loop = loop_at(g, id);
  if (sequence<shape> const memory = memory_of_strided_slices(g, id, r.loop); !memory.empty())
    r.loop.body = with_strided_slices(r.loop.body, memory);
  sequence<loop_output> const kinds = r.loop.out;
  sequence<int> const outputs = r.loop.body.outputs;
  sequence<int> node_of = filled(kinds.size(), -1);  // by result
  sequence<char> is_gradient = sequence<char>::zeros(kinds.size()), done = is_gradient;
  for (int later = id + 1; later < g.size(); ++later)
    if (facts_of(g[later]).is_result && g.operands(later)[0] == id) node_of.entry[g[later].attributes] = later;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t slot = 1; slot < g.outputs.size(); ++slot)
      if (g.outputs[slot] == node_of.entry[i] && node_of.entry[i] >= 0) is_gradient.entry[i] = 1;

  r.kept = sampled_by(g, id);
  r.again = steps_again_in(g, id);
  for (std::size_t i = 0; i < kinds.size(); ++i)  // what is copied is no output
    if (node_of.entry[i] >= 0 && r.kept.number_of(node_of.entry[i]) < r.kept.stacks.size()) done.entry[i] = 1;
  r.loop.body.outputs.clear();
  r.loop.out.clear();
  auto const add = [&](std::size_t i, int carry) {
    r.out.push_back({kinds.entry[i], node_of.entry[i], carry});
    r.loop.out.push_back(kinds.entry[i]);
    r.loop.body.outputs.push_back(outputs.entry[i]);
    done.entry[i] = 1;
  };
  int carry = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds.entry[i] != loop_output::carry) continue;
    std::size_t home = i;
    for (std::size_t s = 0; s < kinds.size(); ++s)
      if (node_of.entry[i] < 0 && r.loop.gate < 0 && kinds.entry[s] == loop_output::stack &&
          outputs.entry[s] == outputs.entry[i] && !is_gradient.entry[s] && !done.entry[s])
        home = s;
    for (int& each : r.kept.outputs)
      if (each == static_cast<int>(i)) each = ~static_cast<int>(r.out.size());
    add(home, carry++);
    done.entry[i] = 1;
  }
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (!done.entry[i]) add(i, -1);
  for (int& each : r.kept.outputs) each = ~each;
  if (lane_form form = in_lanes(r.loop); form.fits()) r.loop.body = std::move(form.body);
  return r;
}

/// Whether a carry's operand can be one of the two buffers between which it alternates for `count` steps. The first
/// step reads the operand, so it is the second that writes there, and the last step writes the result.
constexpr bool alternates_with_operand(loop_output kind, bool has_result, int count) {
  return kind == loop_output::carry && count > 1 && (!has_result || count % 2 == 1);
}

/// The number of buffers besides its result, and its operand where it alternates with that, that an output
/// of the body needs for `count` steps.
constexpr int spare_buffers(loop_output kind, bool has_result, bool with_operand, int count) {
  if (kind != loop_output::carry) return 0;
  return (count > 1 ? 2 : 1) - (has_result ? 1 : 0) - (with_operand ? 1 : 0);
}

/// Bytes for the positions of so many snapshots and of the beginning.
constexpr std::int64_t bytes_of_positions(int snapshots) {
  return padded((std::int64_t{snapshots} + 1) * static_cast<std::int64_t>(sizeof(int)));
}

/// Whether the body of a loop is in the form for lanes.
constexpr bool runs_in_lanes(loop_body const& l) { return l.points && is_lanes(l.body[l.body.outputs.entry[0]].type); }

/// The memory that the body of a loop runs in.
struct loop_room {
  std::int64_t bytes = 0;
  int abreast = 1;        ///< registers of points that a step takes one after the other,
  std::int64_t kept = 0;  ///< and how much of the memory's beginning is kept of each of them to the step's end; 0 if
                          ///< products are not apart
};

/// Bytes in which a loop in lanes takes `entries` of a slice, or leaves as many of a result, of type `lanes`.
constexpr std::int64_t strip_bytes(std::int64_t entries, element lanes) { return padded(entries * bytes_of(lanes)); }

}  // namespace pass
ETCH_NAMESPACE_END
