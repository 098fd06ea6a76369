// in_lanes: the body of a loop of points over registers: what differs from point to point holds one point in each lane,
// in loops within the body too.
#pragma once

#include <etch/rewrite/counted.hpp>

#include <utility>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// Marks the nodes of the body `b` that differ from point to point, where its inputs `from` do; with `parts`, also
/// whatever is put together from parts, which lie in one buffer.
constexpr sequence<char> varying_nodes(graph_view b, sequence<char> const& from, bool parts) {
  sequence<char> varies = sequence<char>::zeros(static_cast<std::size_t>(b.size()));
  for (int id = 0; id < b.size(); ++id) {
    if (b[id].op == opcode_of<op::input>) varies.entry[id] = from.entry[b[id].attributes];
    bool varying = varies.entry[id] != 0 || (parts && facts_of(b[id]).is_assembly);
    for (int operand : b.operands(id)) varying = varying || varies.entry[operand];
    varies.entry[id] = varying;
  }
  return varies;
}
/// Marks those that differ from step to step, of any loop.
constexpr sequence<char> varying_nodes(loop_body const& l, bool parts) {
  sequence<char> from = sequence<char>::zeros(l.in.size());
  for (std::size_t i = 0; i < l.in.size(); ++i) from.entry[i] = l.in.entry[i] != loop_input::captured;
  return varying_nodes(l.body, from, parts);
}

}  // namespace detail

/// The reason why the steps of a loop are not taken in lanes.
enum class lane_obstacle : std::uint8_t {
  none,
  counts,        ///< of a value within a step so many entries count as the program is told
  no_points,     ///< steps depend on each other, or there is but one
  no_registers,  ///< the machine has none, as far as the compiler's options say
  op,            ///< an op that works on one point at a time,
  few_points,    ///< fewer points than lanes, and an op that runs for one lane after the other
  op_in_branch,  ///< or one that can fail, in a loop within steps that run at some points and not at others
};

/// A body in lanes, or why there is none.
struct lane_form {
  graph body;  ///< its outputs all are registers; what is the same at every point stays as it is
  lane_obstacle why = lane_obstacle::none;
  opcode op{};  ///< that stands in the way

  constexpr bool fits() const { return why == lane_obstacle::none; }
};

namespace detail {

/// Writes the body of a loop in lanes.
class lane_writer {
 public:
  constexpr lane_writer(loop_body const& l, sequence<char> const& varies, element points, bool are_few, bool is_chosen)
      : l_(l), b_(l.body), varies_(varies), points_(points), are_few_(are_few), is_chosen_(is_chosen) {}

  /// Writes all nodes and outputs. Of a loop of points all outputs are registers; of another one those that are
  /// computed from what differs, and the carries that do.
  constexpr lane_form run() {
    to_.reserve(b_.size());
    first_type_ = filled(static_cast<std::size_t>(b_.size()), 0);
    for (int id = 0; id < b_.size() && form_.fits(); ++id) at_.push_back(node_in_lanes(id));
    if (!form_.fits()) return std::move(form_);
    sequence<int> const from = carries_in(l_.in);
    for (std::size_t r = 0, c = 0; r < l_.out.size(); ++r) {
      bool const is_carry = l_.out.entry[r] == loop_output::carry;
      int const output = at_.entry[b_.outputs.entry[r]], begin = is_carry ? from.entry[c++] : -1;
      bool const whole = l_.points || chooses_lanes() || (is_carry && varies_.entry[begin]);
      to_.outputs.push_back(whole ? in_register(masked(output, begin)) : output);
    }
    form_.body = std::move(to_);
    return std::move(form_);
  }

 private:
  loop_body const& l_;
  graph const& b_;
  sequence<char> const& varies_;  // by input
  element points_;                // the register whose lanes are the points
  element gate_type_{};
  bool are_few_;    // whether there are fewer points than lanes
  bool is_chosen_;  // whether steps around it run at some points and not at others
  graph to_;
  lane_form form_;
  sequence<int> at_, operands_;
  sequence<int> first_type_;  // by loop: of its outputs' types
  sequence<element> types_;

  constexpr bool in_lanes(int id) const { return is_lanes(to_[id].type); }
  constexpr element lanes_of(element e) const { return lanes_like(points_, e); }
  constexpr int in_register(int id) {
    if (in_lanes(id)) return id;
    node const n = to_[id];
    int const operand[] = {id};
    return to_.insert(opcode_of<op::copy>, lanes_of(n.type), n.extent, 0, operand);
  }
  constexpr lane_form stopped(lane_obstacle why, opcode op) const { return {{}, why, op}; }

  /// Whether steps run at some points and not at others.
  constexpr bool chooses_lanes() const { return !l_.points && l_.gate >= 0 && varies_.entry[l_.gate]; }
  constexpr int input_of(int position, element type, shape const& extent) {
    return input(to_, varies_.entry[position] ? lanes_of(type) : type, extent, position).id;
  }
  constexpr int gate() { return input_of(l_.gate, gate_type_, shape{}); }
  /// Output `id`, where the step does not run what it leaves then: the carry that it began with, at input `begin`, or
  /// nothing.
  constexpr int masked(int id, int begin) {
    if (!chooses_lanes()) return id;
    node const n = to_[id];
    int const otherwise =
        begin >= 0 ? input_of(begin, entry_of(n.type), n.extent) : fit(constant(to_, entry_of(n.type), 0), n.extent).id;
    int const operands[] = {fit({&to_, gate()}, n.extent).id, id, otherwise};
    return to_.insert(opcode_of<op::select>, lanes_of(n.type), n.extent, 0, operands);
  }

  constexpr int node_in_lanes(int id) {
    node const& n = b_[id];
    op_facts const& op = facts_of(n);
    if (n.op == opcode_of<op::input>) return input_of(static_cast<int>(n.attributes), n.type, n.extent);
    bool varies = op.is_assembly;
    operands_.clear();
    for (int operand : b_.operands(id)) {
      operands_.push_back(op.is_assembly ? in_register(at_.entry[operand]) : at_.entry[operand]);
      varies = varies || in_lanes(operands_.entry[operands_.size() - 1]);
    }
    if (op.is_loop) return loop_in_lanes(id, varies);
    element type = varies ? lanes_of(n.type) : n.type;
    if (op.is_result) type = types_.entry[first_type_.entry[b_.operands(id)[0]] + static_cast<int>(n.attributes)];
    bool const known = op.is_elementwise || op.is_reduction || op.is_view || op.is_assembly || op.is_result ||
                       (op.is_product && op.convolves == convolved::nothing) || (op.is_block && !op.is_opaque);
    if (varies && !known) form_ = stopped(lane_obstacle::op, n.op);
    else if (varies && op.is_block && are_few_ && !op.runs_in_lanes) form_ = stopped(lane_obstacle::few_points, n.op);
    else if (varies && op.is_block && is_chosen_) form_ = stopped(lane_obstacle::op_in_branch, n.op);
    else if (varies && op.is_block && chooses_lanes()) operands_.push_back(gate());  // see machine/block_kernel.hpp
    return to_.insert(n.op, type, n.extent, n.attributes, operands_);
  }

  /// A loop within the body: one step after the other, each at all points of a register.
  constexpr int loop_in_lanes(int id, bool varies) {
    loop_body inner = loop_at(b_, id);
    first_type_.entry[id] = static_cast<int>(types_.size());
    if (varies) {
      sequence<char> from = sequence<char>::zeros(inner.in.size());
      for (std::size_t i = 0; i < inner.in.size(); ++i) {
        if (!in_lanes(operands_.entry[i])) continue;
        from.entry[i] = 1;
        if (has_companion(inner.in.entry[i])) from.entry[i + 1] = 1;
        else if (i > 0 && has_companion(inner.in.entry[i - 1])) from.entry[i - 1] = 1;
      }
      find_varying_carries(inner, from);
      for (std::size_t i = 0; i < inner.in.size(); ++i)
        if (from.entry[i]) operands_.entry[i] = in_register(operands_.entry[i]);
      inner.points = false;
      lane_writer writer(inner, from, points_, are_few_, is_chosen_ || chooses_lanes());
      if (inner.gate >= 0) writer.gate_type_ = entry_of(to_[operands_.entry[inner.gate]].type);
      form_ = writer.run();
      inner.body = std::move(form_.body);
      form_.body = {};
      if (!form_.fits()) return -1;
    }
    for (int output : inner.body.outputs) types_.push_back(inner.body[output].type);
    return insert_loop(to_, inner, operands_);
  }
  /// Marks the carries that differ, in the end, from point to point: those whose beginnings do, or that are computed
  /// from what does.
  static constexpr void find_varying_carries(loop_body const& l, sequence<char>& varies) {
    sequence<int> const from = carries_in(l.in), to = carries_in(l.out);
    for (bool settled = false; !settled;) {
      settled = true;
      sequence<char> const nodes = varying_nodes(l.body, varies, true);
      bool const chooses = l.gate >= 0 && varies.entry[l.gate];
      for (std::size_t c = 0; c < from.size(); ++c)
        if (!varies.entry[from.entry[c]] && (chooses || nodes.entry[l.body.outputs.entry[to.entry[c]]]))
          varies.entry[from.entry[c]] = 1, settled = false;
    }
  }
};

/// Whether the body of `l` or one within it computes doubles.
constexpr bool computes_doubles(loop_body const& l) {
  for (int id = 0; id < l.body.size(); ++id) {
    node const& n = l.body[id];
    if (n.type == element::f64 || (facts_of(n).is_loop && computes_doubles(loop_at(l.body, id)))) return true;
  }
  return false;
}
/// The register whose lanes are the points of `l`: it holds as many as the widest numbers that differ allow.
constexpr element register_of_points(loop_body const& l) {
  sequence<char> const varies = varying_nodes(l, true);
  for (int output : l.body.outputs)
    if (l.body[output].type == element::f64) return element::f64_lanes;
  for (int id = 0; id < l.body.size(); ++id) {
    node const& n = l.body[id];
    if (varies.entry[id] && (n.type == element::f64 || (facts_of(n).is_loop && computes_doubles(loop_at(l.body, id)))))
      return element::f64_lanes;
  }
  return element::f32_lanes;
}

}  // namespace detail

/// The body of `l` in lanes, where its steps can be taken so: they are independent, and every op on what differs from
/// point to point works on registers, or on one lane after the other.
constexpr lane_form in_lanes(loop_body const& l) {
  if (!l.points || l.count < 2) return {{}, lane_obstacle::no_points};
  if (register_bytes == 0) return {{}, lane_obstacle::no_registers};
  if (counts(l.body)) return {{}, lane_obstacle::counts};
  sequence<char> from = sequence<char>::zeros(l.in.size());
  for (std::size_t i = 0; i < l.in.size(); ++i) from.entry[i] = l.in.entry[i] == loop_input::slice;
  element const points = detail::register_of_points(l);
  return detail::lane_writer(l, from, points, l.count < points_in(points), false).run();
}

}  // namespace pass
ETCH_NAMESPACE_END
