// in_place: which results may take the storage of an operand, and which values may wait in an
// output's storage until they are complete.
#pragma once

#include <etch/lower/buffer_uses.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// Whether `body` may write buffer `to` over buffer `from`: whatever it reads of `from` it reads exactly where it
/// writes a part of `to`, so at every point of its space the entries it overwrites are those it has just loaded.
constexpr bool overwrites(kernel const& body, int to, int from) {
  if (reads_whole_operands(body.head.computes)) return false;
  if (body.head.computes == form::product && (body.head.a.root == from || body.head.b.root == from)) return false;
  auto const is_replaced = [&](access const& a) {
    for (result const& r : body.results)
      if (r.root == to && !r.reduces && a.type == r.type && a.where == r.where) return true;
    return false;
  };
  bool reads = false;
  access const* const end = body.inputs.end();
  for (access const* a = body.inputs.begin(); a < end; ++a)
    if (a->root == from && a->from == source::memory) {
      if (!is_replaced(*a)) return false;
      reads = true;
    }
  return reads;
}

/// How often each value of a kernel's body is used: inputs, then instructions.
constexpr sequence<int> uses_in(kernel const& body) {
  int const inputs = static_cast<int>(body.inputs.size());
  sequence<int> uses = filled(body.inputs.size() + body.code.size(), 0);
  auto const use = [&](int operand) { ++uses.entry[operand < 0 ? ~operand : inputs + operand]; };
  for (instruction const& step : body.code)
    for (int i = 0; i < op_table.entry[step.op].arity; ++i) use(step.operand.entry[i]);
  for (result const& r : body.results) use(r.value);
  return uses;
}

/// Whether result `r` is input `in` plus something that does not depend on it, and nothing else in the kernel does.
constexpr bool adds_to_input(kernel const& body, const_span<int> uses, result const& r, int in) {
  int const inputs = static_cast<int>(body.inputs.size());
  int running = ~in;
  for (int i = 0; i < static_cast<int>(body.code.size()); ++i) {
    if (uses.start[running < 0 ? ~running : inputs + running] != 1) return false;
    if (running == r.value) return false;  // the input itself: a copy
    instruction const& step = body.code.entry[i];
    bool const left = step.operand.entry[0] == running, right = step.operand.entry[1] == running;
    bool const adds = step.op == opcode_of<op::add> && (left || right),
               subtracts = step.op == opcode_of<op::sub> && left;
    if (!adds && !subtracts) continue;
    running = i;
    if (running == r.value) return uses.start[inputs + running] == 1;
  }
  return false;
}

}  // namespace detail

/// Values in the storage of gradients, by node. A sum of many contributions lies there from its first term on.
struct output_storage {
  sequence<int> slot;           ///< the output in whose storage the node's buffer is, -1 where it is in none
  sequence<char> is_continued;  ///< whether the kernel that computes the node finds the sum of all earlier terms there
};

/// Only a sum may grow in an output, one term after the other: where the caller wants gradients added to what his
/// storage holds, what is read back from it contains that, too. The value, which is output 0, is written once. The
/// order of kernels makes no difference.
constexpr output_storage storage_in_outputs(graph_view g, const_span<kernel> kernels, buffer_uses const& t) {
  output_storage s{filled(g.nodes.size(), -1), sequence<char>::zeros(g.nodes.size())};
  int* const slot = s.slot.begin();
  for (std::size_t i = 0; i < g.outputs.size(); ++i) slot[g.outputs.start[i]] = static_cast<int>(i);
  sequence<int> uses;
  for (int k = t.kernels - 1; k >= 0; --k) {
    kernel const& body = kernels.start[k];
    if (reads_whole_operands(body.head.computes)) continue;
    uses.clear();
    for (result const& r : body.results) {
      if (slot[r.root] < 1 || r.reduces || r.node != r.root) continue;
      int earliest = -1;
      for (int i = 0; i < static_cast<int>(body.inputs.size()); ++i) {
        access const& a = body.inputs.entry[i];
        if (a.from != source::memory || is_input(g.nodes.start[a.root]) || slot[a.root] >= 0 ||
            t.readers.count(a.root) != 1)
          continue;
        node const& n = g.nodes.start[a.root];
        if (!op_table.entry[n.op].accumulates || n.extent.size() != g.nodes.start[r.root].extent.size()) continue;
        if (!detail::overwrites(body, r.root, a.root)) continue;
        if (uses.empty()) uses = detail::uses_in(body);
        if (!detail::adds_to_input(body, uses, r, i)) continue;
        if (earliest < 0 || a.root < earliest) earliest = a.root;
      }
      if (earliest < 0) continue;
      slot[earliest] = slot[r.root];
      s.is_continued.entry[r.node] = 1;
    }
  }
  return s;
}

}  // namespace pass
ETCH_NAMESPACE_END
