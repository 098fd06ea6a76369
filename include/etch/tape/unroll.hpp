// unroll: a loop on a tape, whose steps are recorded one after the other.
#pragma once

#include <etch/rewrite/activity.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// The nodes in `g` that those of `body` become, where its inputs are the nodes `inputs`: as they
/// are, for `g` computes them at once.
inline sequence<int> record_body(graph& g, graph_view body, sequence<int> const& inputs) {
  return pass::replay(body, g, [&](graph& to, node const& n, const_span<int> operands) -> term {
    if (n.op == opcode_of<op::input>) return {&to, inputs.entry[n.attributes]};
    return {&to, to.insert(n.op, n.type, n.extent, pass::attribute_in(to, body.pool, n), operands)};
  });
}

/// The operands of a loop, as its body sees them at one position after the other.
class loop_inputs {
 public:
  loop_inputs(graph& g, loop_body const& l, const_span<int> operands)
      : g_(g),
        l_(l),
        operands_(operands),
        leaves_(pass::input_nodes(l.body, l.in.size())),
        carries_(carries_in(l.out)) {}

  /// The nodes of the inputs at position `p`; `last` are the outputs of the step before, empty at the first one.
  sequence<int> at(int p, sequence<int> const& last) {
    sequence<int> inputs(operands_.begin(), operands_.end());
    for (std::size_t i = 0, carry = 0; i < l_.in.size(); ++i) {
      loop_input const f = l_.in.entry[i];
      if (f == loop_input::carry) {
        int const from = carries_.entry[carry++];
        if (!last.empty()) inputs.entry[i] = last.entry[from];
      }
      if (has_companion(f)) inputs.entry[i] = operands_.start[i + 1];
      int const q = f == loop_input::before ? p - 1 : f == loop_input::after ? p + 1 : p;
      bool const is_entry = f == loop_input::slice || (has_companion(f) && q >= 0 && q < l_.count);
      bool const is_gate = static_cast<int>(i) == l_.gate;  // the body need not read it
      if (is_entry && (is_gate || leaves_.entry[i] >= 0))
        inputs.entry[i] =
            entry_at({&g_, operands_.start[i]}, q, is_gate ? shape{} : l_.body[leaves_.entry[i]].extent).id;
    }
    return inputs;
  }

 private:
  graph& g_;
  loop_body const& l_;
  const_span<int> operands_;
  sequence<int> leaves_, carries_;
};

/// Values of shape `s` side by side along a new last axis.
inline term stack_of(graph& g, const_span<int> parts, shape const& s) {
  shape const whole = stacked(s, static_cast<int>(parts.size())), one = stacked(s, 1);
  sequence<term> placed;
  for (std::size_t p = 0; p < parts.size(); ++p)
    placed.push_back(embed(fit({&g, parts.start[p]}, one), whole, region(s.rank, static_cast<int>(p))));
  return sum_of(placed);
}

/// Whether node `id` of a tape's graph, the gate of a step, is 0.
inline bool is_shut(graph& g, int id) {
  std::byte const* const entry = g.recorder->settle(*g.recorder, id);
  if (g[id].type == element::f32) return *reinterpret_cast<float const*>(entry) == 0;
  return *reinterpret_cast<double const*>(entry) == 0;
}

/// Puts the steps of loop `l` into `g`. Returns its results.
inline sequence<int> unroll(graph& g, loop_body const& l, const_span<int> operands) {
  loop_inputs inputs(g, l, operands);
  sequence<sequence<int>> by_position;
  for (std::size_t r = 0; r < l.out.size(); ++r) by_position.push_back(filled(static_cast<std::size_t>(l.count), -1));
  sequence<int> last;
  for (int step = 0; step < l.count; ++step) {
    int const p = l.backward ? l.count - 1 - step : step;
    sequence<int> const given = inputs.at(p, last);
    if (l.gate >= 0 && is_shut(g, given.entry[l.gate])) {
      sequence<int> const from = carries_in(l.in);
      last.clear();
      for (std::size_t r = 0, carry = 0; r < l.out.size(); ++r) {
        node const& value = l.body[l.body.outputs.entry[r]];
        last.push_back(l.out.entry[r] == loop_output::carry ? given.entry[from.entry[carry++]]
                                                            : fit(constant(g, value.type, 0), value.extent).id);
        by_position.entry[r].entry[p] = last.entry[r];
      }
      continue;
    }
    sequence<int> const at = record_body(g, l.body, given);
    last.clear();
    for (std::size_t r = 0; r < l.out.size(); ++r)
      last.push_back(by_position.entry[r].entry[p] = at.entry[l.body.outputs.entry[r]]);
  }
  sequence<int> results;
  for (std::size_t r = 0; r < l.out.size(); ++r) {
    sequence<int> const& each = by_position.entry[r];
    if (l.out.entry[r] == loop_output::stack) {
      results.push_back(stack_of(g, each, l.body[l.body.outputs.entry[r]].extent).id);
    } else if (l.out.entry[r] == loop_output::carry) {
      results.push_back(last.entry[r]);
    } else {
      int const begin = l.backward ? l.count - 1 : 0, by = l.backward ? -1 : 1;
      term sum{&g, each.entry[begin]};
      for (int step = 1; step < l.count; ++step) sum = sum + term{&g, each.entry[begin + by * step]};
      results.push_back(sum.id);
    }
  }
  return results;
}

}  // namespace dynamic
ETCH_NAMESPACE_END
