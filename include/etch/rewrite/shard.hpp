// shard: from the graph of a loss the graph that one of several workers computes, which has its block of a batch.
#pragma once

#include <etch/rewrite/counted.hpp>
#include <etch/rewrite/replay.hpp>
#include <etch/rewrite/shares.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// A batch of `whole` entries, of which a worker has `part`. Of one that is `counted` so many entries count as a call
/// says, and at a worker as many of these as it has.
struct sharding {
  int whole = 1, part = 1, workers = 1;
  bool counted = false;

  /// Whether other entries count at a worker than in the whole.
  constexpr bool counts_apart() const { return counted && workers > 1; }
};

namespace detail {

/// The graph of a worker, node by node. Numbers stay those of the whole: a mean divides by the whole batch.
class sharder {
 public:
  hindrance why = hindrance::none;
  opcode at_op{};          ///< of the node that hinders
  sequence<piece> wanted;  ///< by input: the share that it should have had, where it was whole

  constexpr sharder(graph_view g, sequence<piece> const& inputs, sharding const& of, graph& to)
      : wanted(inputs), g_(g), of_(of), inputs_(inputs), to_(to) {
    std::size_t const count = g.nodes.size();
    at_ = results_ = filled(count, -1);
    thin_ = filled(count * max_rank, -1);
    has_ = filled(count, piece{});
  }

  /// Builds all nodes that outputs need. Returns whether nothing hinders.
  constexpr bool run() {
    sequence<char> needed = sequence<char>::zeros(g_.nodes.size());
    for (int output : g_.outputs) needed.entry[output] = 1;
    for (int id = g_.size() - 1; id >= 0; --id)
      if (needed.entry[id])
        for (int operand : g_.operands(id)) needed.entry[operand] = 1;
    for (int id = 0; id < g_.size() && why == hindrance::none; ++id)
      if (needed.entry[id] || g_[id].op == opcode_of<op::input>) put(id);
    return why == hindrance::none;
  }
  constexpr piece share_of(int id) const { return has_[static_cast<std::size_t>(id)]; }

  /// The node that has `p` of the value `id`.
  constexpr int as(int id, piece p) {
    piece const has = share_of(id);
    if (has == p) return at_[static_cast<std::size_t>(id)];
    if (has.kind == share::whole) return p.is_split() ? thinned(id, p.axis) : counted_once(id);
    return stop(has.is_partial() ? hindrance::sum_is_needed : hindrance::entries_meet, id);
  }

 private:
  graph_view g_;
  sharding of_;
  sequence<piece> inputs_;
  graph& to_;
  sequence<int> at_, thin_;
  sequence<piece> has_;
  sequence<int> results_;  // by loop: where the shares of its results begin
  sequence<piece> of_results_;

  constexpr int stop(hindrance reason, int id) {
    if (why == hindrance::none) why = reason, at_op = g_[id].op;
    return 0;
  }
  constexpr shape part_of(shape s, piece p) const {
    if (p.is_split()) s[p.axis] = s[p.axis] / of_.whole * of_.part;
    return s;
  }
  constexpr void keep(int id, piece p, int at) {
    has_[static_cast<std::size_t>(id)] = p;
    at_[static_cast<std::size_t>(id)] = at;
  }
  /// Node `id` with the extents `s` on these operands.
  constexpr int inserted(int id, shape const& s, const_span<int> operands) {
    node n = g_[id];
    n.extent = s;
    n.attributes = attribute_in(to_, g_.pool, g_[id]);
    term const made = rules_of(n).insert(to_, n, operands);
    return same_extents(made.extent(), s) ? made.id : stop(hindrance::op_is_not_known, id);
  }

  constexpr void put(int id) {
    node const& n = g_[id];
    const_span<int> const from = g_.operands(id);
    if (n.op == opcode_of<op::input>) {
      piece const p = inputs_[static_cast<std::size_t>(n.attributes)];
      return keep(id, p, input(to_, n.type, part_of(n.extent, p), static_cast<int>(n.attributes)).id);
    }
    if (n.op == opcode_of<op::count>)
      return keep(id, {}, to_.insert(n.op, n.type, n.extent, op::count::of_all_workers, {}));
    bool const is_loop = facts_of(n).is_loop;
    if (facts_of(n).is_result) {
      piece const p = of_results_[static_cast<std::size_t>(results_[static_cast<std::size_t>(from[0])]) + n.attributes];
      fixed<int, 1> const loop{at_[static_cast<std::size_t>(from[0])]};
      return keep(id, p, to_.insert(n.op, n.type, part_of(n.extent, p), n.attributes, loop));
    }
    sequence<piece> given;
    bool all_whole = true;
    for (int each : from) {
      given.push_back(share_of(each));
      all_whole = all_whole && share_of(each).kind == share::whole;
    }
    if (is_loop && !all_whole) return put_loop(id);
    sharing const shared(g_, id, given, of_.whole);
    if (shared.why != hindrance::none) return void(stop(shared.why, id));
    if (is_told_too_few(id, shared.operands)) return void(stop(hindrance::position_matters, id));
    sequence<int> operands;
    for (std::size_t i = 0; i < from.size() && why == hindrance::none; ++i)
      operands.push_back(as(from[i], shared.operands[i]));
    if (why == hindrance::none) keep(id, shared.result, inserted(id, part_of(n.extent, shared.result), operands));
    if (is_loop) keep_whole_results(id);
  }

  /// Whether node `id` goes through all entries that count of a value that is not split along them: a worker knows only
  /// how many of its own do. What treats each by itself may be of use where it is split later.
  constexpr bool is_told_too_few(int id, sequence<piece> const& taken) const {
    if (!of_.counts_apart()) return false;
    op_facts const& op = facts_of(g_[id]);
    const_span<int> const from = g_.operands(id);
    bool along = false;
    for (std::size_t i = 0; i < from.size(); ++i)
      along = along || (is_counted(from[i]) && taken[i] != piece::along(g_[from[i]].extent.counted - 1));
    if (op.is_loop) {
      loop_body const l = loop_at(g_, id);
      return along || l.counted || counts(l.body);
    }
    return along && !(is_counted(id) && (op.is_elementwise || op.is_view || op.is_reduction || op.is_assembly));
  }
  constexpr bool is_counted(int id) const { return g_[id].extent.counted != 0; }

  /// A value that all workers have as one summand of each, so that it counts once.
  constexpr int counted_once(int id) {
    term const x{&to_, at_[static_cast<std::size_t>(id)]};
    if (!is_floating(x->type)) return stop(hindrance::sum_is_needed, id);
    return emit<op::div>(0, x, constant(to_, x->type, of_.workers)).id;
  }

  /// A worker's entries along `axis` of a value that all have: of one whose entries there are the same, since it
  /// repeats them, or is computed from what does.
  constexpr int thinned(int id, int axis) {
    node const& n = g_[id];
    if (int const known = thin_[static_cast<std::size_t>(id * max_rank + axis)]; known >= 0) return known;
    if (n.op == opcode_of<op::input>) wanted[static_cast<std::size_t>(n.attributes)] = piece::along(axis);
    bool const repeats = n.op == opcode_of<op::broadcast> && g_[g_.operands(id)[0]].extent[axis] == 1;
    if (n.extent[axis] % of_.whole != 0 || facts_of(n).is_result) return stop(hindrance::position_matters, id);
    sequence<piece> from = filled(static_cast<std::size_t>(n.arity), piece{});
    if (!repeats && !finds_split(id, axis, from)) return stop(hindrance::position_matters, id);
    sequence<int> operands;
    for (std::size_t i = 0; i < from.size() && why == hindrance::none; ++i)
      operands.push_back(as(g_.operands(id)[i], from[i]));
    if (why != hindrance::none) return 0;
    return thin_[static_cast<std::size_t>(id * max_rank + axis)] =
               inserted(id, part_of(n.extent, piece::along(axis)), operands);
  }
  /// Whether node `id` is split along `axis` where some operand is split; `from` says how it then takes all of them.
  constexpr bool finds_split(int id, int axis, sequence<piece>& from) const {
    const_span<int> const operands = g_.operands(id);
    for (std::size_t i = 0; i < operands.size(); ++i)
      for (int a = 0; a < max_rank; ++a) {
        if (g_[operands[i]].extent[a] == 1 || g_[operands[i]].extent[a] % of_.whole != 0) continue;
        sequence<piece> given = filled(operands.size(), piece{});
        given[i] = piece::along(a);
        sharing const shared(g_, id, given, of_.whole);
        if (shared.why != hindrance::none || shared.result != piece::along(axis)) continue;
        from = shared.operands;
        return true;
      }
    return false;
  }

  constexpr void keep_whole_results(int loop) {
    results_[static_cast<std::size_t>(loop)] = static_cast<int>(of_results_.size());
    loop_body const l = loop_at(g_, loop);
    for (std::size_t r = 0; r < l.out.size(); ++r) of_results_.push_back(piece{});
  }

  constexpr void put_loop(int id) {
    loop_body const l = loop_at(g_, id);
    const_span<int> const from = g_.operands(id);
    for (std::size_t i = 0; i < from.size(); ++i)
      if (share_of(from[i]).is_split() && l.in[i] != loop_input::captured && l.in[i] != loop_input::carry &&
          share_of(from[i]).axis == g_[from[i]].extent.rank - 1)
        return put_steps(id, l);
    put_body_of(id, l);
  }

  /// A loop of which each worker takes its own steps.
  constexpr void put_steps(int id, loop_body l) {
    const_span<int> const from = g_.operands(id);
    sequence<int> operands;
    for (loop_output each : l.out)
      if (each == loop_output::carry) return void(stop(hindrance::steps_are_ordered, id));
    for (std::size_t i = 0; i < from.size(); ++i) {
      bool const is_slice = l.in[i] == loop_input::slice;
      if (!is_slice && l.in[i] != loop_input::captured) return void(stop(hindrance::steps_are_ordered, id));
      if (!is_slice && share_of(from[i]).kind != share::whole)
        return void(stop(share_of(from[i]).is_split() ? hindrance::entries_meet : hindrance::sum_is_needed, id));
      if (!is_slice && of_.counts_apart() && is_counted(from[i])) return void(stop(hindrance::position_matters, id));
      operands.push_back(as(from[i], is_slice ? piece::along(g_[from[i]].extent.rank - 1) : piece{}));
      if (why != hindrance::none) return;
    }
    if (l.count % of_.whole != 0) return void(stop(hindrance::op_is_not_known, id));
    // What counts in a step is not what the worker is told.
    if (of_.counts_apart() && counts(l.body)) return void(stop(hindrance::position_matters, id));
    results_[static_cast<std::size_t>(id)] = static_cast<int>(of_results_.size());
    for (std::size_t r = 0; r < l.out.size(); ++r)
      of_results_.push_back(l.out[r] == loop_output::sum ? piece::summand()
                                                         : piece::along(l.body[l.body.outputs[r]].extent.rank));
    l.count = l.count / of_.whole * of_.part;
    keep(id, {}, insert_loop(to_, l, operands));
  }

  /// A loop whose steps all workers take, each with its entries of what flows through them.
  constexpr void put_body_of(int id, loop_body const& l) {
    const_span<int> const from = g_.operands(id);
    sequence<int> const into = carries_in(l.in), out_of = carries_in(l.out);
    if (of_.counts_apart() && l.counted) return void(stop(hindrance::position_matters, id));
    sequence<piece> inputs;
    for (int each : from) inputs.push_back(share_of(each));
    for (std::size_t i = 0; i < from.size(); ++i)
      if (has_companion(l.in[i])) return void(stop(hindrance::op_is_not_known, id));
    // A carry has one share in all steps: that which a step leaves, or needs.
    for (std::size_t tries = 0;; ++tries) {
      loop_body made = l;
      made.body = graph{};
      sharder inside(l.body, inputs, of_, made.body);
      bool changed = false;
      if (inside.run()) {
        for (std::size_t c = 0; c < into.size(); ++c) {
          piece const left = inside.share_of(l.body.outputs[static_cast<std::size_t>(out_of[c])]);
          piece& taken = inputs[static_cast<std::size_t>(into[c])];
          if (taken.kind == share::whole && left.kind != share::whole) taken = left, changed = true;
        }
      } else {
        for (std::size_t i = 0; i < inputs.size(); ++i)
          if (inside.wanted[i] != inputs[i]) inputs[i] = inside.wanted[i], changed = true;
      }
      if (changed && tries <= inputs.size()) continue;
      if (l.gate >= 0 && inputs[static_cast<std::size_t>(l.gate)].kind != share::whole)
        inside.stop(hindrance::sum_is_needed, 0);
      if (inside.why != hindrance::none) return void((why = inside.why, at_op = inside.at_op));
      return finish(id, made, inside, l, inputs);
    }
  }
  constexpr void finish(int id, loop_body& made, sharder& inside, loop_body const& l, sequence<piece> const& inputs) {
    sequence<int> const into = carries_in(l.in);
    sequence<int> operands;
    for (std::size_t i = 0; i < inputs.size() && why == hindrance::none; ++i)
      operands.push_back(as(g_.operands(id)[i], inputs[i]));
    results_[static_cast<std::size_t>(id)] = static_cast<int>(of_results_.size());
    std::size_t carry = 0;
    for (std::size_t r = 0; r < l.out.size(); ++r) {
      int const output = l.body.outputs[r];
      piece const p =
          l.out[r] == loop_output::carry ? inputs[static_cast<std::size_t>(into[carry++])] : inside.share_of(output);
      made.body.outputs.push_back(inside.as(output, p));
      of_results_.push_back(p);
    }
    if (why == hindrance::none && inside.why != hindrance::none) why = inside.why, at_op = inside.at_op;
    if (why == hindrance::none) keep(id, {}, insert_loop(to_, made, operands));
  }
};

}  // namespace detail

/// The work of one worker: a graph with the outputs of the whole, and which share of them it has.
struct shard_of_graph {
  graph part;
  sequence<piece> outputs;
  hindrance why = hindrance::none;
  opcode at{};
};

/// The graph of a worker, of a loss whose input `i` is split along axis `axes[i]`, or not where that is -1. With
/// `adds_value` the first output is a summand, whatever it was. Where something hinders, the graph is of no use.
constexpr shard_of_graph shard(graph_view g, const_span<int> axes, sharding const& of, bool adds_value) {
  shard_of_graph made;
  sequence<piece> inputs;
  for (int axis : axes) inputs.push_back(axis < 0 ? piece{} : piece::along(axis));
  detail::sharder all(g, inputs, of, made.part);
  all.run();
  for (std::size_t i = 0; i < g.outputs.size() && all.why == hindrance::none; ++i) {
    int const id = g.outputs[i];
    piece const p = i == 0 && adds_value ? piece::summand() : all.share_of(id);
    made.part.outputs.push_back(all.as(id, p));
    made.outputs.push_back(p);
    if (of.counts_apart() && !p.is_split() && g[id].extent.counted != 0)
      all.why = hindrance::position_matters, all.at_op = g[id].op;
    if (!p.is_split() || all.why != hindrance::none) continue;
    for (int axis = p.axis + 1; axis < max_rank; ++axis)
      if (g[id].extent[axis] != 1) all.why = hindrance::result_is_scattered, all.at_op = g[id].op;
  }
  made.why = all.why, made.at = all.at_op;
  return made;
}

}  // namespace pass
ETCH_NAMESPACE_END
