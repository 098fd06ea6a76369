// custom: a value whose derivative is the user's own.
#pragma once

#include <etch/graph/loop_body.hpp>
#include <etch/op/permute.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Its first operand, a value computed without derivatives, as a function of the others. The attribute says which words
/// of the graph's pool are its rule: a body with the inputs u (the adjoint), y (this node) and the operands, and the
/// adjoints of these as outputs. Being a graph, the rule is differentiated like any other part of a program.
struct custom : composite_kind {
  static constexpr auto name = "custom";
  static constexpr auto part_of = "custom_vjp, custom_jvp";
  static constexpr auto formula = "x, with a derivative of the user's own";
  static constexpr int arity = any_number;
  static constexpr bool has_words = true;

  static constexpr term expand(graph& g, const_span<int> operands) { return {&g, operands[0]}; }
  static constexpr void adjoints(node const& n, term g, term y, const_span<term> x, sequence<term>& adjoints) {
    graph& to = *g.owner;
    graph const rule = loop_of(words_at(to.pool, n.attributes)).body;
    sequence<int> at, operands;
    for (node const& each : rule.nodes) {  // as they are: identities are applied when this op is expanded
      if (each.op == opcode_of<op::input>) {
        at.push_back(each.attributes == 0 ? g.id : each.attributes == 1 ? y.id : x[each.attributes - 1].id);
        continue;
      }
      operands.clear();
      for (int i = 0; i < each.arity; ++i) operands.push_back(at.entry[rule.edges.entry[each.first_operand + i]]);
      bool const names_words = each.op == opcode_of<op::loop> || each.op == opcode_of<op::custom>;
      attribute const a = names_words ? to.keep(words_at(rule.pool, each.attributes)) : each.attributes;
      at.push_back(to.insert(each.op, each.type, each.extent, a, operands));
    }
    adjoints.clear();
    adjoints.push_back(g);  // of the value, to which nothing flows
    for (int output : rule.outputs) adjoints.push_back({&to, at.entry[output]});
  }
};

}  // namespace op

namespace detail {

/// `value` with the rule `rule` for its derivatives by `operands`.
constexpr term with_rule(term value, loop_body const& rule, const_span<int> operands) {
  graph& g = *value.owner;
  sequence<int> all;
  all.push_back(value.id);
  for (int id : operands) all.push_back(id);
  make_known<op::custom>();
  return {&g, g.insert(opcode_of<op::custom>, value->type, value.extent(), g.keep(words_of(rule)), all)};
}

}  // namespace detail
ETCH_NAMESPACE_END
