// recorded_op: what a tape asks of the ops in its graph.
#pragma once

#include <etch/op/table.hpp>

namespace etch::inline ETCH_ABI::dynamic {

/// What a recorder asks of an op: few of its facts, so that a program does not carry the functions behind the others.
struct recorded_op {
  bool is_result, is_loop, is_view, is_composite, is_elementwise, differentiable;
  int active_operands;
  reach reaches;
  std::optional<layout> (*project)(attribute, layout of, shape const& from, shape const& to);
};
inline constexpr auto recorded_ops = [] {
  fixed<recorded_op, op::list::size> all;
  for (std::size_t i = 0; i < op::list::size; ++i) {
    op_facts const& f = op_table[i];
    all[i] = {f.is_result, f.is_loop, f.is_view, f.is_composite, f.is_elementwise, f.differentiable, f.active_operands, f.reaches, f.project};
  }
  return all;
}();

/// The rules that it asks for, of each op.
struct recorded_rules {
  void (*pullback)(node const&, term g, term y, const_span<term> x, sequence<term>& adjoints);
  term (*expand)(graph&, node const&, const_span<int> operands);
};
inline constexpr auto recorded_rule_table = [] {
  fixed<recorded_rules, op::list::size> all;
  for (std::size_t i = 0; i < op::list::size; ++i) all[i] = {rule_table[i].pullback, rule_table[i].expand};
  return all;
}();

}  // namespace etch::inline ETCH_ABI::dynamic
