// fuse_maps: what is the same at all points leaves a loop of points; loops over the same points become one, so that the
// way back finds what the way forward computed in registers.
#pragma once

#include <etch/rewrite/activity.hpp>
#include <etch/rewrite/in_lanes.hpp>
#include <etch/rewrite/replay.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace pass {

constexpr graph hoist(graph_view g);
constexpr graph fuse_maps(graph_view g);

namespace detail {

/// Moves what is the same at all points out of the body of one loop: constants go in, computations go out.
class hoisting {
 public:
  constexpr hoisting(graph& to, loop_body const& l, const_span<int> operands)
      : to_(to), l_(l), operands_(operands.begin(), operands.end()) {}

  constexpr int run() {
    graph const& b = l_.body;
    sequence<char> const varies = varying_nodes(l_, false);
    sequence<int> outside = filled(static_cast<std::size_t>(b.size()), -1), inside = outside, from;
    loop_body moved;
    moved.count = l_.count, moved.keeps_carries = l_.keeps_carries, moved.points = true, moved.counted = l_.counted,
    moved.out = l_.out;
    graph& body = moved.body;
    body.simplifying = true;
    body.pool = b.pool;
    for (int id = 0; id < b.size(); ++id) {
      node const& n = b[id];
      op_facts const& op = facts_of(n);
      auto const operands_in = [&](sequence<int> const& at) -> const_span<int> {
        from.clear();
        for (int operand : b.operands(id)) from.push_back(at.entry[operand]);
        return from;
      };
      bool const is_input = n.op == opcode_of<op::input>;
      if (varies.entry[id] || op.is_nullary) {
        int const position = static_cast<int>(n.attributes);
        if (is_input && l_.in.entry[position] == loop_input::captured) {
          outside.entry[id] = operands_.entry[position];
          inside.entry[id] = inner_form(body, outside.entry[id], position);
        } else {
          if (!is_input && op.is_nullary) outside.entry[id] = to_.insert(n.op, n.type, n.extent, n.attributes, {});
          inside.entry[id] = same_node(body, n, operands_in(inside)).id;
        }
        continue;
      }
      if (op.has_words) {
        outside.entry[id] = to_.insert(n.op, n.type, n.extent, attribute_in(to_, b.pool, n), operands_in(outside));
        if (!op.is_loop) inside.entry[id] = captured(body, outside.entry[id]);
        continue;
      }
      to_.simplifying = true;  // what turns out to be a constant goes back in
      outside.entry[id] = same_node(to_, n, operands_in(outside)).id;
      to_.simplifying = false;
      inside.entry[id] = op.is_view ? same_node(body, n, operands_in(inside)).id : captured(body, outside.entry[id]);
    }
    for (int output : b.outputs) body.outputs.push_back(inside.entry[output]);
    moved.in = l_.in;
    for (std::size_t i = l_.in.size(); i < operands_.size(); ++i) moved.in.push_back(loop_input::captured);
    return insert_loop(to_, moved, operands_);
  }

 private:
  graph& to_;
  loop_body const& l_;
  sequence<int> operands_;

  /// The value `outside` as an input of the body, at `position`; a constant is made anew.
  constexpr int inner_form(graph& body, int outside, int position) {
    node const n = to_[outside];
    int const base = facts_of(n).is_view ? to_.operands(outside)[0] : outside;
    if (to_[base].op != opcode_of<op::fill>) return input(body, n.type, n.extent, position).id;
    return fit({&body, body.insert(to_[base].op, to_[base].type, to_[base].extent, to_[base].attributes, {})}, n.extent)
        .id;
  }
  constexpr int captured(graph& body, int outside) {
    int position = 0;
    while (position < static_cast<int>(operands_.size()) &&
           (operands_.entry[position] != outside ||
            (position < static_cast<int>(l_.in.size()) && l_.in.entry[position] != loop_input::captured)))
      ++position;
    if (position == static_cast<int>(operands_.size())) operands_.push_back(outside);
    return inner_form(body, outside, position);
  }
};

/// The loops of points `a` and `b` at nodes `first` and `second` as one, in the place of the second.
class point_merger {
 public:
  constexpr point_merger(graph_view g, int first, loop_body const& a, int second, loop_body const& b)
      : g_(g), first_(first), second_(second), a_(a), b_(b) {}

  /// Whether the second loop reads nothing that the first leaves only at its end, and they read something in common.
  constexpr bool is_possible() {
    if (a_.count != b_.count || a_.counted != b_.counted) return false;
    find_dependents();
    bool related = false;
    for (std::size_t i = 0; i < b_.in.size(); ++i) {
      int const operand = g_.operands(second_)[i];
      bool const is_slice = b_.in.entry[i] == loop_input::slice;
      if (is_slice && is_stack_of_first(operand)) {
        related = true;
        continue;
      }
      if (depends_.entry[operand]) return false;
      for (std::size_t j = 0; j < a_.in.size(); ++j)
        related = related || (is_slice && a_.in.entry[j] == loop_input::slice && g_.operands(first_)[j] == operand);
    }
    return related;
  }

  constexpr graph run() {
    graph to;
    to.reserve(g_.size());
    to.pool = sequence<std::uint64_t>(g_.pool.begin(), g_.pool.end());
    sequence<int> at = filled(g_.nodes.size(), -1), operands;
    int const shift = static_cast<int>(a_.out.size());
    for (bool dependents : {false, true})
      for (int id = 0; id < g_.size(); ++id) {
        if (id == first_ || (depends_.entry[id] != 0) != dependents) continue;
        node const& n = g_[id];
        operands.clear();
        if (id == second_) {
          loop_body const both = merged(operands);
          for (int& operand : operands) operand = at.entry[operand];
          at.entry[id] = at.entry[first_] = insert_loop(to, both, operands);
          continue;
        }
        for (int operand : g_.operands(id)) operands.push_back(at.entry[operand]);
        bool const moves = facts_of(n).is_result && g_.operands(id)[0] == second_;
        at.entry[id] =
            to.insert(n.op, n.type, n.extent, n.attributes + static_cast<attribute>(moves ? shift : 0), operands);
      }
    for (int output : g_.outputs) to.outputs.push_back(at.entry[output]);
    return to;
  }

 private:
  graph_view g_;
  int first_, second_;
  loop_body const &a_, &b_;
  sequence<char> depends_;  // on the first loop, other than through the second

  constexpr bool is_stack_of_first(int id) const {
    return g_[id].op == opcode_of<op::stacked_steps> && g_.operands(id)[0] == first_;
  }
  constexpr void find_dependents() {
    depends_ = sequence<char>::zeros(g_.nodes.size());
    depends_.entry[first_] = 1;
    for (int id = first_ + 1; id < g_.size(); ++id) {
      if (id == second_) continue;
      for (int operand : g_.operands(id)) depends_.entry[id] |= depends_.entry[operand];
    }
  }

  /// Both bodies as one, and the nodes that feed it.
  constexpr loop_body merged(sequence<int>& operands) const {
    loop_body both = a_;
    graph& body = both.body;
    body.simplifying = true;
    for (int operand : g_.operands(first_)) operands.push_back(operand);
    sequence<int> const inputs = input_nodes(a_.body, a_.in.size());
    sequence<int> at, from;
    for (int id = 0; id < b_.body.size(); ++id) {
      node const& n = b_.body[id];
      if (n.op == opcode_of<op::input>) {
        at.push_back(merged_input(both, operands, inputs, n));
        continue;
      }
      from.clear();
      for (int operand : b_.body.operands(id)) from.push_back(at.entry[operand]);
      attribute const a = attribute_in(body, b_.body.pool, n);
      at.push_back(same_node(body, {n.op, n.type, n.extent, a, 0, n.arity}, from).id);
    }
    for (std::size_t r = 0; r < b_.out.size(); ++r) {
      both.out.push_back(b_.out.entry[r]);
      body.outputs.push_back(at.entry[b_.body.outputs.entry[r]]);
    }
    return both;
  }
  constexpr int merged_input(loop_body& both, sequence<int>& operands, const_span<int> inputs, node const& n) const {
    loop_input const kind = b_.in.entry[n.attributes];
    int const operand = g_.operands(second_)[n.attributes];
    if (kind == loop_input::slice && is_stack_of_first(operand)) return a_.body.outputs.entry[g_[operand].attributes];
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (operands.entry[i] == operand && both.in.entry[i] == kind)
        return i < inputs.size() && inputs[i] >= 0 ? inputs[i]
                                                   : input(both.body, n.type, n.extent, static_cast<int>(i)).id;
    operands.push_back(operand);
    both.in.push_back(kind);
    return input(both.body, n.type, n.extent, static_cast<int>(operands.size()) - 1).id;
  }
};

}  // namespace detail

/// The most loops of points that lie beside each other: in `g`, or in the body of a loop.
constexpr int most_points_beside(graph_view g) {
  int here = 0, inside = 0;
  for (int id = 0; id < g.size(); ++id) {
    if (!facts_of(g[id]).is_loop) continue;
    const_span<std::uint64_t> const words = words_at(g.pool, g[id].attributes);
    here += is_of_points(words);
    if (may_hold_loops(words)) inside = std::max(inside, most_points_beside(loop_of(words).body));
  }
  return std::max(here, inside);
}
constexpr bool has_loops_of_points(graph_view g) { return most_points_beside(g) > 0; }
constexpr bool has_several_loops_of_points(graph_view g) { return most_points_beside(g) > 1; }

/// Hoists out of loops of points: they compute only what differs from point to point.
constexpr graph hoist(graph_view g) {
  return rebuild(g, false, [](graph& to, node const& n, const_span<int> operands) -> term {
    if (!facts_of(n).is_loop) return {&to, to.insert(n.op, n.type, n.extent, n.attributes, operands)};
    loop_body l = loop_of(words_at(to.pool, n.attributes));
    l.body = hoist(l.body);
    return {&to, l.points ? detail::hoisting(to, l, operands).run() : insert_loop(to, l, operands)};
  });
}

/// Fuses loops over the same points.
constexpr graph fuse_maps(graph_view g) {
  graph merged = rebuild(g, false, [](graph& to, node const& n, const_span<int> operands) -> term {
    if (!facts_of(n).is_loop) return {&to, to.insert(n.op, n.type, n.extent, n.attributes, operands)};
    return changed_loop(to, n, operands, [](loop_body& l) { l.body = fuse_maps(l.body); });
  });
  for (bool settled = false; !settled;) {
    settled = true;
    sequence<int> loops;
    sequence<loop_body> bodies;
    for (int id = 0; id < merged.size(); ++id)
      if (facts_of(merged[id]).is_loop && is_of_points(words_at(merged.pool, merged[id].attributes))) {
        loops.push_back(id);
        bodies.push_back(loop_at(merged, id));
      }
    for (std::size_t second = 1; settled && second < loops.size(); ++second)
      for (std::size_t first = 0; settled && first < second; ++first) {
        detail::point_merger pair(merged, loops.entry[first], bodies.entry[first], loops.entry[second],
                                  bodies.entry[second]);
        if (!pair.is_possible()) continue;
        merged = pair.run();
        settled = false;
      }
  }
  return merged;
}

}  // namespace pass
ETCH_NAMESPACE_END
