// unroll: a loop on a tape, whose steps are recorded one after the other, or taken back where no gradient needs them.
#pragma once

#include <etch/rewrite/activity.hpp>
#include <etch/rewrite/replay.hpp>
#include <etch/tape/copy.hpp>

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

/// Puts the steps of loop `l` into `g`, as many as there are until one is shut by a carry, which stays as it is.
/// Returns the loop's results.
inline sequence<int> unroll(graph& g, loop_body const& l, const_span<int> operands) {
  loop_inputs inputs(g, l, operands);
  sequence<int> const carries = carries_in(l.in);
  auto const zero_of = [&](std::size_t r) {
    node const& value = l.body[l.body.outputs.entry[r]];
    return fit(constant(g, value.type, 0), value.extent).id;
  };
  // Results of single steps, in the order of these; a carry has none.
  sequence<sequence<int>> of_steps;
  for (std::size_t r = 0; r < l.out.size(); ++r) of_steps.push_back({});
  sequence<int> last;
  for (int step = 0; step < l.count; ++step) {
    sequence<int> const given = inputs.at(l.backward ? l.count - 1 - step : step, last);
    bool const shut = l.gate >= 0 && is_shut(g, given.entry[l.gate]);
    sequence<int> const at = shut ? sequence<int>{} : record_body(g, l.body, given);
    last.clear();
    for (std::size_t r = 0, carry = 0; r < l.out.size(); ++r) {
      bool const is_carry = l.out.entry[r] == loop_output::carry;
      last.push_back(!shut      ? at.entry[l.body.outputs.entry[r]]
                     : is_carry ? given.entry[carries.entry[carry++]]
                                : zero_of(r));
      if (!is_carry) of_steps.entry[r].push_back(last.entry[r]);
    }
    if (shut && l.in.entry[l.gate] == loop_input::carry) break;
  }
  sequence<int> results;
  for (std::size_t r = 0; r < l.out.size(); ++r) {
    sequence<int>& each = of_steps.entry[r];
    if (l.out.entry[r] == loop_output::carry) {
      results.push_back(last.entry[r]);
    } else if (l.out.entry[r] == loop_output::stack) {
      while (static_cast<int>(each.size()) < l.count) each.push_back(each.back());  // zeros, after one that is shut
      sequence<int> by_position;
      for (int p = 0; p < l.count; ++p) by_position.push_back(each.entry[l.backward ? l.count - 1 - p : p]);
      results.push_back(stack_of(g, by_position, l.body[l.body.outputs.entry[r]].extent).id);
    } else {
      term sum{&g, each.entry[0]};
      for (std::size_t step = 1; step < each.size(); ++step) sum = sum + term{&g, each.entry[step]};
      results.push_back(sum.id);
    }
  }
  return results;
}

template <class T>
class recorder;

/// Whether the steps of loop `l` leave carries alone, and no derivative flows through them.
template <class T>
bool leaves_carries_alone(recorder<T>& r, loop_body const& l, const_span<int> operands) {
  if (r.values_wait()) return false;
  for (int id : operands)
    if (r.records[id].is_active) return false;
  for (loop_output each : l.out)
    if (each != loop_output::carry) return false;
  return true;
}

/// The results of such a loop: each step is taken back once its carries have been copied, so that memory does not grow
/// with the number of steps.
template <class T>
sequence<int> carries_alone(recorder<T>& r, loop_body const& l, const_span<int> operands) {
  graph& g = r.graph();
  sequence<int> now, next;  // two sets of memory, filled in turn
  for (sequence<int>* each : {&now, &next})
    for (int id : l.body.outputs) {
      node const& n = l.body[id];
      each->push_back(r.leaf(n.type, n.extent, r.room(n.type, n.extent), false));
    }
  if (l.gate >= 0) g.recorder->settle(*g.recorder, operands.start[l.gate]);  // not in memory that is taken back
  loop_inputs inputs(g, l, operands);
  sequence<int> last;
  for (int step = 0; step < l.count; ++step) {
    typename recorder<T>::stretch const alone(r, g.simplifying);
    sequence<int> const given = inputs.at(l.backward ? l.count - 1 - step : step, last);
    if (l.gate >= 0 && is_shut(g, given.entry[l.gate])) {
      if (l.in.entry[l.gate] == loop_input::carry) break;
      continue;
    }
    sequence<int> const at = record_body(g, l.body, given);
    for (std::size_t i = 0; i < next.size(); ++i)
      copy(r.records.at(next.entry[i]), r.records.at(at.entry[l.body.outputs.entry[i]]));
    std::swap(now, next);
    last = now;
  }
  if (!last.empty()) return last;
  for (int position : carries_in(l.in)) last.push_back(operands.start[position]);
  return last;
}

}  // namespace dynamic
ETCH_NAMESPACE_END
