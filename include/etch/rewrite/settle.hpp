// settle: rounds products before a sum reads them of which a comparison, a rounding or a condition is made. g++
// contracts both to one operation where it sees fit, kernel by kernel: square(x) - square(y) would not be 0 for equal
// operands, and a number that a comparison finds positive in one kernel not be so in another.
#pragma once

#include <etch/op/jumps.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// Works on one graph, the bodies of its loops included.
class settling {
 public:
  /// `wanted` says of each output whether a jump is made of it.
  constexpr settling(graph_view g, const_span<char> wanted)
      : g_(g), made_(sequence<char>::zeros(g.nodes.size())), to_(empty_like(g, false)), words_(made_.size(), 0) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i]) made_.entry[g.outputs[i]] = 1;
    for (int id = g.size() - 1; id >= 0; --id) {
      if (facts_of(g[id]).is_loop) enter(id);
      else mark_made_into_jumps(g, id, made_);
    }
  }

  /// Marks the inputs of which jumps are made, by position.
  constexpr sequence<char> wanted_inputs(std::size_t count) const {
    sequence<char> wanted = sequence<char>::zeros(count);
    for (int id = 0; id < g_.size(); ++id)
      if (made_.entry[id] && g_[id].op == opcode_of<op::input>) wanted[static_cast<std::size_t>(g_[id].attributes)] = 1;
    return wanted;
  }

  constexpr graph run() && {
    sequence<int> const at = replay(g_, to_, [&, id = -1](graph& to, node const& n, const_span<int> operands) mutable {
      if (++id; facts_of(n).is_loop) return term{&to, to.insert(n.op, n.type, n.extent, words_.entry[id], operands)};
      sequence<int> from(operands.begin(), operands.end());
      for (std::size_t i = 0; made_.entry[id] && i < from.size(); ++i)
        if (may_contract(id, g_.operands(id)[i])) from.entry[i] = emit<op::settled>(0, term{&to, from.entry[i]}).id;
      return term{&to, to.insert(n.op, n.type, n.extent, n.attributes, from)};
    });
    for (int output : g_.outputs) to_.outputs.push_back(at.entry[output]);
    return std::move(to_);
  }

 private:
  graph_view g_;
  sequence<char> made_;
  graph to_;
  sequence<attribute> words_;  // by node: of a loop, those of its new body

  /// Whether a compiler may contract the node and its operand, where one kernel computes both: a sum, or an op of many
  /// instructions, and what may end in a multiplication. A sign, or an identity, hides none.
  constexpr bool may_contract(int id, int operand) const {
    auto const is_sum = [](op_facts const& op) { return op.sums_of == 0b11; };
    int const o = beneath_views(g_, operand);
    op_facts const &reader = facts_of(g_[id]), &read = facts_of(g_[o]);
    return reader.is_elementwise && (is_sum(reader) || reader.cost > 1) && read.is_elementwise && !is_sum(read) &&
           g_[o].extent.size() == g_[operand].extent.size();
  }

  /// Goes into the loop at node `id`: what its results, or the next step's carries, are wanted for is wanted inside.
  constexpr void enter(int id) {
    loop_body l = loop_at(g_, id);
    sequence<char> wanted = sequence<char>::zeros(l.out.size());
    for (int reader = id + 1; reader < g_.size(); ++reader)
      if (made_.entry[reader] && facts_of(g_[reader]).is_result && g_.operands(reader)[0] == id)
        if (std::size_t const r = static_cast<std::size_t>(g_[reader].attributes); l.out[r] != loop_output::sum)
          wanted[r] = 1;
    sequence<int> const from = carries_in(l.in), to = carries_in(l.out);
    for (bool again = true; again;) {
      settling inside(l.body, wanted);
      sequence<char> const inputs = inside.wanted_inputs(l.in.size());
      again = false;
      for (std::size_t c = 0; c < from.size(); ++c)
        if (inputs.entry[from.entry[c]] && !wanted.entry[to.entry[c]]) wanted.entry[to.entry[c]] = again = true;
      if (again) continue;
      // Where a step does not run, the carry is what it was.
      for (std::size_t c = 0; l.gate >= 0 && c < from.size(); ++c)
        if (wanted.entry[to.entry[c]]) made_.entry[g_.operands(id)[static_cast<std::size_t>(from.entry[c])]] = 1;
      for (std::size_t i = 0; i < l.in.size(); ++i) {
        if (!inputs.entry[i]) continue;
        made_.entry[g_.operands(id)[i]] = 1;
        if (has_companion(l.in[i])) made_.entry[g_.operands(id)[i + 1]] = 1;
      }
      l.body = std::move(inside).run();
    }
    words_.entry[id] = to_.keep(words_of(l));
  }
};

}  // namespace detail

/// Whether the graph has loops, or jumps beside sums, and the compiler contracts what stood in different functions:
/// clang does not, unless it is told to.
constexpr bool may_have_to_settle([[maybe_unused]] graph_view g) {
#if !defined(__clang__)
  bool jumps = false, sums = false;
  for (node const& n : g.nodes) {
    op_facts const& op = facts_of(n);
    if (op.is_loop) return true;
    sums = sums || op.sums_of == 0b11 || op.cost > 1;
    jumps = jumps || jumps_with(n, 0);
  }
  return jumps && sums;
#else
  return false;
#endif
}
/// Puts `op::settled` between such products and sums.
constexpr graph settle(graph_view g) { return detail::settling(g, sequence<char>::zeros(g.outputs.size())).run(); }

}  // namespace pass
ETCH_NAMESPACE_END
