// computed_scope: a graph with the values of its nodes, and what a person is told of them: names, places and ranges.
#pragma once

#include <etch/base/finite.hpp>
#include <etch/lower/place.hpp>
#include <etch/machine/reads.hpp>
#include <etch/op/statement.hpp>

#include <cstdio>
#include <utility>

ETCH_NAMESPACE_BEGIN
namespace run {

/// A call of a program: its graph, the memory of its leaves and, if it has run, of its outputs, and what these are
/// called. The first `results` outputs are results, the others gradients, which may have been added to what was there.
struct observed_call {
  graph_view graph;
  const_span<opaque_function const*> functions;  ///< of the user's, that it calls
  std::byte const* const* leaves;
  std::byte const* const* outputs;
  bool accumulates;
  int results;
  std::string (*name_of_leaf)(int leaf);
  std::string (*name_of_output)(int output, int results);
  bool (*is_turned)(int leaf);  ///< whether the leaf's memory holds the transpose of what is traced

  template <class Executable, class Names>
  static observed_call of(std::byte const* const* leaves, std::byte const* const* outputs, bool accumulates) {
    int const results = static_cast<int>(Executable::graph.outputs.size()) - Names::gradient_count();
    return {Executable::materialised,
            Executable::functions,
            leaves,
            outputs,
            accumulates,
            results,
            Names::leaf,
            Names::output,
            Names::is_turned};
  }
};

namespace detail {

/// An entry of a node's value; node -1 where there is none.
struct node_entry {
  int node = -1;
  std::size_t entry = 0;
};

inline std::string text_of_number(double x) {
  if (is_nan(x)) return "nan";
  if (!all_finite(&x, 1)) return attribute_of(x) >> 63 != 0 ? "-inf" : "inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", x);
  return text;
}
/// ", entry [1, 0] is inf"; of a number ", which is inf". `is_turned`: of a matrix in memory as its transpose.
inline std::string text_of_entry(shape const& s, std::size_t entry, double x, bool is_turned = false) {
  if (s.rank == 0) return ", which is " + text_of_number(x);
  std::array<int, max_rank> i = index_of_entry(s, entry);
  if (is_turned) std::swap(i[0], i[1]);
  std::string text = ", entry [";
  for (int axis = 0; axis < s.rank; ++axis)
    text += (axis == 0 ? "" : ", ") + std::to_string(i[static_cast<std::size_t>(axis)]);
  return text + "] is " + text_of_number(x);
}
/// ", from -1 to 2", ", from 0 to inf and nan", ", nan"; empty of nothing.
inline std::string text_of_range(numbers const& x) {
  double least = 0, most = 0;
  bool numbers_found = false, nan_found = false;
  for (double each : x)
    if (is_nan(each)) nan_found = true;
    else if (!std::exchange(numbers_found, true)) least = most = each;
    else least = each < least ? each : least, most = each > most ? each : most;
  return (numbers_found ? ", from " + text_of_number(least) + " to " + text_of_number(most) : "") + (!nan_found ? ""
                                                                                                     : numbers_found
                                                                                                         ? " and nan"
                                                                                                         : ", nan");
}

/// Whether a node only hands its operand's entries on.
inline bool hands_on(node const& n) { return facts_of(n).is_view || n.op == opcode_of<op::copy>; }

/// A graph with the values of its nodes: the program's, or the body of a loop in another one at a step.
struct scope {
  observed_call const& call;
  graph_view graph;
  std::vector<numbers> values;
  scope const* outer = nullptr;
  int loop = -1, step = 0;
  loop_body const* body = nullptr;

  numbers const& of(int id) const { return values[static_cast<std::size_t>(id)]; }
  double at(node_entry const& e) const { return of(e.node)[e.entry]; }

  /// By node: whether results need it, not only gradients.
  sequence<char> forward_part() const {
    sequence<char> needed = sequence<char>::zeros(graph.nodes.size());
    auto const need = [&](int id) { return std::exchange(needed[static_cast<std::size_t>(id)], '\1') == 0; };
    if (outer == nullptr) {
      for (int i = 0; i < call.results; ++i) need(graph.outputs[static_cast<std::size_t>(i)]);
    } else {
      sequence<char> const outside = outer->forward_part();
      for (int id = loop + 1; id < outer->graph.size(); ++id)
        if (facts_of(outer->graph[id]).is_result && outer->graph.operands(id)[0] == loop &&
            outside[static_cast<std::size_t>(id)])
          need(graph.outputs[static_cast<std::size_t>(outer->graph[id].attributes)]);
    }
    for (bool more = true; more;) {  // carries that are needed are outputs that are
      more = false;
      for (int id = graph.size() - 1; id >= 0; --id) {
        if (!needed[static_cast<std::size_t>(id)]) continue;
        for (int operand : graph.operands(id)) need(operand);
        if (outer == nullptr || !pass::is_input(graph[id])) continue;
        sequence<int> const in = carries_in(body->in), out = carries_in(body->out);
        for (std::size_t c = 0; c < in.size(); ++c)
          if (in[c] == static_cast<int>(graph[id].attributes))
            more |= need(graph.outputs[static_cast<std::size_t>(out[c])]);
      }
    }
    return needed;
  }
  bool is_forward(int id) const { return forward_part()[static_cast<std::size_t>(id)] != 0; }
  /// The loops around, each with the position: ", at position 3 of %4 = loop(%1) : 8 steps".
  std::string position() const {
    if (outer == nullptr) return "";
    return outer->position() + ", at position " + std::to_string(position_of_step(*body, step)) + " of " +
           statement_of(outer->graph, loop);
  }
  /// The source of input `i` of the body of a loop: a node outside, and which slice of it, -1 for all; node -1 for what
  /// the step before left.
  struct source {
    int node = -1, slice = -1;
  };
  source source_of(int i) const {
    auto const operand = [&](int o) { return outer->graph.operands(loop)[static_cast<std::size_t>(o)]; };
    int const p = position_of_step(*body, step);
    loop_input const in = body->in[static_cast<std::size_t>(i)];
    if (in == loop_input::slice) return {operand(i), p};
    if (in == loop_input::before && p > 0) return {operand(i), p - 1};
    if (in == loop_input::after && p + 1 < body->count) return {operand(i), p + 1};
    if (in == loop_input::carry && step > 0) return {};
    return {operand(has_companion(in) ? i + 1 : i), -1};
  }
  /// Whether node `id` is a constant of the program, or only hands one on.
  bool is_constant(int id) const {
    while (hands_on(graph[id])) id = graph.operands(id)[0];
    if (!pass::is_input(graph[id]) || outer == nullptr) return graph[id].op == opcode_of<op::fill>;
    int const from = source_of(static_cast<int>(graph[id].attributes)).node;
    return from >= 0 && outer->is_constant(from);
  }
  /// The name of input `i`: "argument 0.weight", "slice 3 of argument 1", "%4 outside", "carry of position 2".
  std::string name_of_input(int i) const {
    if (outer == nullptr) return call.name_of_leaf(i);
    source const from = source_of(i);
    if (from.node < 0) return "carry of position " + std::to_string(position_of_step(*body, step - 1));
    std::string const name = outer->name_of(from.node);
    return (from.slice < 0 ? "" : "slice " + std::to_string(from.slice) + " of ") +
           (name.empty() ? "%" + std::to_string(from.node) + " outside" : name);
  }
  /// The name of the input that node `id` is or only hands on; empty where there is none.
  std::string name_of(int id) const {
    while (hands_on(graph[id])) id = graph.operands(id)[0];
    return pass::is_input(graph[id]) ? name_of_input(static_cast<int>(graph[id].attributes)) : "";
  }
  /// Node `id` and its name as a line.
  std::string line_of(int id) const {
    std::string const name = name_of(id);
    if (pass::is_input(graph[id])) return "%" + std::to_string(id) + " = " + name + " : " + type_of(graph[id]);
    return statement_of(graph, id) + (name.empty() ? "" : ", of " + name);
  }
  /// The statement of an entry that is not finite, with the ranges of its operands.
  std::string report(node_entry const& e) const {
    std::string const text = (is_forward(e.node) ? "the forward part computes" : "the backward part computes") +
                             position() + (outer == nullptr ? "" : ",") + "\n    " + line_of(e.node) +
                             text_of_entry(graph[e.node].extent, e.entry, at(e));
    return graph[e.node].arity == 0 ? text : text + "\nof" + operands_of(e.node, 3, "\n    ");
  }

  /// The operands of node `id` with their ranges, each behind `indentation`. Derivatives are told by what they are
  /// computed from: behind those of the backward part come theirs, `depth` deep.
  std::string operands_of(int id, int depth, std::string const& indentation) const {
    std::string text;
    int before = -1;
    for (int operand : graph.operands(id)) {
      if (operand == std::exchange(before, operand)) continue;
      bool const is_loop = facts_of(graph[operand]).is_loop;
      text += indentation + line_of(operand) + (is_loop ? "" : text_of_range(of(operand)));
      if (depth > 1 && !is_loop && !is_forward(operand)) text += operands_of(operand, depth - 1, indentation + "    ");
    }
    return text;
  }
};

}  // namespace detail
}  // namespace run
ETCH_NAMESPACE_END
