// steps: what goes into every step of a loop and what becomes of what it leaves, in words.
#pragma once

#include <etch/op/statement.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN

/// Describes the source of input `i` of the body of loop `l`, at node `loop` of `g`: `carry, first %4`,
/// `slice of %1`, `%0 at every step`.
inline std::string fed_from(graph_view g, int loop, loop_body const& l, std::size_t i) {
  auto const operand = [&](std::size_t position) { return "%" + std::to_string(g.operands(loop)[position]); };
  switch (l.in[i]) {
    case loop_input::carry:
      return "carry, first " + operand(i);
    case loop_input::slice:
      return "slice of " + operand(i);
    case loop_input::captured:
      return operand(i) + " at every step";
    case loop_input::before:
      return "slice before, of " + operand(i) + ", first " + operand(i + 1);
    case loop_input::after:
      return "slice after, of " + operand(i) + ", last " + operand(i + 1);
  }
  return "";
}

/// Describes the use of output `r` of the body of loop `l`, at node `loop` of `g`: `carry, last %8`,
/// `stacked in %9`, `summed in %10`.
inline std::string becomes(graph_view g, int loop, loop_body const& l, std::size_t r) {
  std::string result;
  for (int id = loop + 1; id < g.size() && result.empty(); ++id)
    if (facts_of(g[id]).is_result && g.operands(id)[0] == loop && g[id].attributes == r)
      result = "%" + std::to_string(id);
  switch (l.out[r]) {
    case loop_output::carry:
      return "carry" + (result.empty() ? "" : ", last " + result);
    case loop_output::stack:
      return "stacked in " + result;
    case loop_output::sum:
      return "summed in " + result;
  }
  return "";
}

/// The body of the loop at node `loop` of `g`, one statement a line, loops in it further to the
/// right; empty where that is no loop.
inline std::string steps_of(graph_view g, int loop, std::string const& indentation) {
  if (!facts_of(g[loop]).is_loop) return "";
  loop_body const l = loop_at(g, loop);
  graph_view const body = l.body;
  auto const is_input = [&](int id) { return body[id].op == opcode_of<op::input>; };
  std::size_t width = 0;
  for (int id = 0; id < body.size(); ++id)
    if (is_input(id)) width = std::max(width, statement_of(body, id).size() + 2);
  std::string text;
  for (int id = 0; id < body.size(); ++id) {
    std::string statement = statement_of(body, id);
    if (is_input(id)) {
      statement.resize(width, ' ');
      statement += fed_from(g, loop, l, static_cast<std::size_t>(body[id].attributes));
    }
    text += indentation + statement + "\n" + steps_of(body, id, indentation + "    ");
  }
  for (std::size_t r = 0; r < l.out.size(); ++r)
    text += indentation + "yield %" + std::to_string(body.outputs[r]) + "  " + becomes(g, loop, l, r) + "\n";
  return text;
}

ETCH_NAMESPACE_END
