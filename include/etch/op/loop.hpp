// Loops: a body that is run again and again, in code of its own whose size does not depend on the number of steps.
#pragma once

#include <etch/graph/loop_body.hpp>
#include <etch/op/slice.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// A loop. The attribute says which words of the graph's pool are its body's; it is no value itself, its results are.
struct loop : loop_kind {
  static constexpr auto name = "loop";
  static constexpr auto part_of = "scan, repeat, map, checkpoint";
  static constexpr auto formula = "a body run step by step; its results are nodes of their own";
  static constexpr int arity = any_number;
};

/// A result of a loop, at the position in the attribute.
struct loop_result : result_kind {
  static constexpr auto formula = "what a loop leaves";
  static constexpr int arity = 1;
  static std::string describe(node const& n) { return "<" + std::to_string(n.attributes) + ">"; }
};
struct last_carry : loop_result {
  static constexpr auto name = "last_carry";
  static constexpr auto part_of = "scan, repeat";
  static constexpr auto formula = "the carry that the last step of a loop leaves";
};
struct stacked_steps : loop_result {
  static constexpr auto name = "stacked_steps";
  static constexpr auto part_of = "scan, map";
  static constexpr auto formula = "what the steps of a loop leave, side by side";
  static constexpr bool accumulates = true;
};
struct summed_steps : loop_result {
  static constexpr auto name = "summed_steps";
  static constexpr auto part_of = "sum_map, and the gradient of scan";
  static constexpr auto formula = "what the steps of a loop leave, added up";
  static constexpr bool accumulates = true;
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The node of loop `l` in `to`.
constexpr int insert_loop(graph& to, loop_body const& l, const_span<int> operands) {
  make_known<op::loop>();
  return to.insert(opcode_of<op::loop>, element::f32, shape{}, to.keep(words_of(l)), operands);
}

/// Result `r` of loop `l`, whose node is `loop`.
constexpr term result_of(graph& to, loop_body const& l, int loop, int r) {
  node const& value = l.body[l.body.outputs.entry[r]];
  loop_output const kind = l.out.entry[r];
  opcode const op = kind == loop_output::sum     ? opcode_of<op::summed_steps>
                    : kind == loop_output::stack ? opcode_of<op::stacked_steps>
                                                 : opcode_of<op::last_carry>;
  int const from[] = {loop};
  return {&to, to.insert(op, value.type,
                         kind == loop_output::stack ? stacked(value.extent, l.count, l.counted) : value.extent,
                         static_cast<attribute>(r), from)};
}

/// Entry `at` of the last axis of `x`, whose other axes are those of `s`.
constexpr term entry_at(term x, int at, shape const& s) { return fit(slice(x, region(s.rank, at), 1), s); }

ETCH_NAMESPACE_END
