// interpret: evaluates a graph node by node, in plain loops. It serves constant evaluation, and tests as
// the oracle of fusing and planning.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// Entries of one value in memory order. Every element type fits into a double; f32 results are rounded to float.
using numbers = std::vector<double>;

namespace detail {

/// Calls `f(position, index)` for every entry of `s` in memory order.
constexpr void for_each_entry(shape const& s, auto f) {
  std::array<int, max_rank> i{};
  std::size_t position = 0;
  for (i[3] = 0; i[3] < s[3]; ++i[3])
    for (i[2] = 0; i[2] < s[2]; ++i[2])
      for (i[1] = 0; i[1] < s[1]; ++i[1])
        for (i[0] = 0; i[0] < s[0]; ++i[0]) f(position++, i);
}

constexpr std::size_t offset_of(layout const& where, std::array<int, max_rank> const& i) {
  std::int64_t at = where.offset;
  for (std::size_t axis = 0; axis < max_rank; ++axis) at += where.step[axis] * i[axis];
  return static_cast<std::size_t>(at);
}

/// Strides with which a value of shape `from` is read at the positions of `to`, to which it broadcasts.
constexpr layout broadcast_layout(shape const& from, shape const& to) {
  layout where{0, contiguous_strides(from)};
  for (std::size_t axis = 0; axis < max_rank; ++axis)
    if (from.extent[axis] != to.extent[axis]) where.step[axis] = 0;
  return where;
}

constexpr double in_type(element type, double x) {
  return type == element::f32 ? static_cast<double>(static_cast<float>(x)) : x;
}

using function_span = const_span<opaque_function const*>;

constexpr std::vector<numbers> run_loop(loop_body const& l, std::vector<numbers> const& operands,
                                        function_span functions);

constexpr numbers evaluate(graph_view g, int id, const_span<numbers> inputs, const_span<numbers> earlier,
                           function_span functions) {
  node const& n = g[id];
  op_facts const& op = facts_of(n);
  auto const of = [&](int i) -> numbers const& {
    return earlier[static_cast<std::size_t>(g.operands(id)[static_cast<std::size_t>(i)])];
  };
  auto const extent = [&](int i) -> shape const& { return g[g.operands(id)[static_cast<std::size_t>(i)]].extent; };
  numbers y = filled(static_cast<std::size_t>(n.extent.size()), 0.0);

  if (n.op == opcode_of<op::input>) return inputs[static_cast<std::size_t>(n.attributes)];
  if (n.op == opcode_of<op::fill>) y[0] = value_of(n.attributes);
  if (n.op == opcode_of<op::iota>)
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i);
  if (op.is_view) {
    // A layout over a contiguous operand; one always exists.
    layout const where = *op.project(n.attributes, {0, contiguous_strides(extent(0))}, extent(0), n.extent);
    for_each_entry(n.extent, [&](std::size_t at, auto const& i) { y[at] = of(0)[offset_of(where, i)]; });
  }
  if (n.op == opcode_of<op::embed>) {
    layout const where = region(n.attributes).within({0, contiguous_strides(n.extent)});
    for_each_entry(extent(0), [&](std::size_t at, auto const& i) { y[offset_of(where, i)] = of(0)[at]; });
  }
  if (n.op == opcode_of<op::join>)  // parts are +0, no bit of it set, outside regions of their own
    for (int part = 0; part < n.arity; ++part)
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = value_of(attribute_of(y[i]) | attribute_of(of(part)[i]));
  if (rules_of(n).compute != nullptr || op.is_opaque) {
    block<double> const result{y.data(), n.extent, contiguous_strides(n.extent)};
    sequence<block<double const>> x;
    for (int o = 0; o < n.arity; ++o) x.push_back({of(o).data(), extent(o), contiguous_strides(extent(o))});
    if (op.is_opaque) function_named(n.attributes, functions)->compute(opaque_call(n.attributes), result, x);
    else rules_of(n).compute(n.attributes, result, x);
    for (double& entry : y) entry = in_type(n.type, entry);
  }
  if (op.is_loop) {  // all results, one after the other
    y.clear();
    std::vector<numbers> operands;
    for (int o = 0; o < n.arity; ++o) operands.push_back(of(o));
    for (numbers const& result : run_loop(loop_at(g, id), operands, functions))
      for (double entry : result) y.push_back(entry);
  }
  if (op.is_result) {
    loop_body const l = loop_at(g, g.operands(id)[0]);
    std::size_t at = 0;
    for (std::size_t r = 0; r < n.attributes; ++r)
      at += static_cast<std::size_t>(l.body[l.body.outputs[r]].extent.size() *
                                     (l.out[r] == loop_output::stack ? l.count : 1));
    for (double& entry : y) entry = of(0)[at++];
  }
  if (op.is_elementwise) {
    std::array<layout, 3> where{};
    for (int o = 0; o < n.arity; ++o) where[static_cast<std::size_t>(o)] = broadcast_layout(extent(o), n.extent);
    for_each_entry(n.extent, [&](std::size_t at, auto const& i) {
      std::array<double, 3> x{};
      for (int o = 0; o < n.arity; ++o)
        x[static_cast<std::size_t>(o)] = of(o)[offset_of(where[static_cast<std::size_t>(o)], i)];
      y[at] =
          in_type(n.type, rules_of(n).value(n.type, const_span<double>(x).first(static_cast<std::size_t>(n.arity))));
    });
  }
  if (op.is_reduction) {
    for (double& start : y) start = op.start;
    layout const where = broadcast_layout(n.extent, extent(0));
    for_each_entry(extent(0), [&](std::size_t at, auto const& i) {
      double& sum = y[offset_of(where, i)];
      sum = rules_of(n).combine(n.type, sum, of(0)[at]);
    });
  }
  if (op.is_product && rules_of(n).compute == nullptr) {
    std::size_t const rows = static_cast<std::size_t>(extent(0)[0]), inner = static_cast<std::size_t>(extent(0)[1]),
                      columns = static_cast<std::size_t>(extent(1)[1]);
    shape one = n.extent;  // of every product in the batch
    one[0] = one[1] = 1;
    layout const whole{0, contiguous_strides(n.extent)}, a = broadcast_layout(extent(0), n.extent),
                                                         b = broadcast_layout(extent(1), n.extent);
    for_each_entry(one, [&](std::size_t, auto const& at) {
      std::size_t const to = offset_of(whole, at), left = offset_of(a, at), right = offset_of(b, at);
      for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t k = 0; k < inner; ++k)
          for (std::size_t i = 0; i < rows; ++i) {
            double& sum = y[to + i + j * rows];
            sum = in_type(n.type, sum + of(0)[left + i + k * rows] * of(1)[right + k + j * inner]);
          }
    });
  }
  return y;
}

}  // namespace detail

/// The values of all nodes of a graph without composites, from the entries of its leaves; of a loop all results, one
/// after the other. `functions` are those of the user's that it calls.
constexpr std::vector<numbers> values_of_nodes(graph_view g, const_span<numbers> inputs,
                                               const_span<opaque_function const*> functions = {}) {
  std::vector<numbers> values;
  for (int id = 0; id < g.size(); ++id) values.push_back(detail::evaluate(g, id, inputs, values, functions));
  return values;
}
/// The values of its outputs.
constexpr std::vector<numbers> interpret(graph_view g, const_span<numbers> inputs,
                                         const_span<opaque_function const*> functions = {}) {
  std::vector<numbers> const values = values_of_nodes(g, inputs, functions);
  std::vector<numbers> outputs;
  for (int output : g.outputs) outputs.push_back(values[static_cast<std::size_t>(output)]);
  return outputs;
}

namespace detail {

/// The position of step `n` of a loop.
constexpr int position_of_step(loop_body const& l, int n) { return l.backward ? l.count - 1 - n : n; }

/// Sets the inputs of a loop's body to what they are at position `p`, carries excepted.
constexpr void feed(loop_body const& l, std::vector<numbers> const& operands, int p, std::vector<numbers>& inputs) {
  auto const entry = [&](numbers const& whole, int at) {
    std::size_t const size = whole.size() / static_cast<std::size_t>(l.count),
                      from = static_cast<std::size_t>(at) * size;
    numbers part;
    for (std::size_t i = 0; i < size; ++i) part.push_back(whole[from + i]);
    return part;
  };
  for (std::size_t i = 0; i < l.in.size(); ++i) {
    if (l.in[i] == loop_input::slice) inputs[i] = entry(operands[i], p);
    // Not by ?:, whose temporaries g++ 12 destroys twice in constant evaluation.
    if (has_companion(l.in[i])) inputs[i] = operands[i + 1];
    if (l.in[i] == loop_input::before && p > 0) inputs[i] = entry(operands[i], p - 1);
    if (l.in[i] == loop_input::after && p < l.count - 1) inputs[i] = entry(operands[i], p + 1);
  }
}

/// All results of a loop. Calls `observe` with the inputs of the body at every step.
constexpr std::vector<numbers> run_loop(loop_body const& l, std::vector<numbers> const& operands,
                                        function_span functions, auto observe) {
  std::vector<numbers> inputs, results, last;
  sequence<int> const carries = carries_in(l.out);
  for (std::size_t i = 0; i < l.in.size(); ++i) inputs.push_back(operands[i]);
  for (std::size_t r = 0; r < l.out.size(); ++r)
    results.push_back(filled(static_cast<std::size_t>(l.body[l.body.outputs[r]].extent.size() *
                                                      (l.out[r] == loop_output::stack ? l.count : 1)),
                             0.0));
  for (int n = 0; n < l.count; ++n) {
    int const p = position_of_step(l, n);
    feed(l, operands, p, inputs);
    std::size_t carry = 0;
    for (std::size_t i = 0; i < l.in.size(); ++i) {
      if (l.in[i] != loop_input::carry) continue;
      std::size_t const from = static_cast<std::size_t>(carries[carry++]);
      if (n > 0) inputs[i] = last[from];
    }
    observe(inputs);
    if (l.gate >= 0 && inputs[static_cast<std::size_t>(l.gate)][0] == 0) {  // carries stay what they are
      last.resize(l.out.size());
      carry = 0;
      for (std::size_t i = 0; i < l.in.size(); ++i) {
        if (l.in[i] != loop_input::carry) continue;
        auto const to = static_cast<std::size_t>(carries[carry++]);
        results[to] = last[to] = inputs[i];
      }
      continue;
    }
    last = interpret(l.body, inputs, functions);
    for (std::size_t r = 0; r < l.out.size(); ++r)
      for (std::size_t i = 0; i < last[r].size(); ++i) {
        if (l.out[r] == loop_output::stack) results[r][static_cast<std::size_t>(p) * last[r].size() + i] = last[r][i];
        else if (l.out[r] == loop_output::sum)
          results[r][i] = in_type(l.body[l.body.outputs[r]].type, results[r][i] + last[r][i]);
        else results[r][i] = last[r][i];
      }
  }
  return results;
}
constexpr std::vector<numbers> run_loop(loop_body const& l, std::vector<numbers> const& operands,
                                        function_span functions) {
  return run_loop(l, operands, functions, [](auto const&) {});
}

}  // namespace detail

}  // namespace run
ETCH_NAMESPACE_END
