// reverse_loop: the way back through a loop is a loop again, in opposite order. What its steps read of the loop's own steps is kept, side
// by side, or computed again. (Reverse mode of a scan: Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016, for what is
// kept.)
#pragma once

#include <etch/pass/activity.hpp>
#include <etch/pass/adjoint.hpp>
#include <etch/pass/prune.hpp>

namespace etch::inline ETCH_ABI::pass {

/// An adjoint to start from: of node `node`, in the graph that is being built.
struct seed {
  int node;
  term adjoint;
};

/// What a reverse sweep leaves: where the nodes of the graph that it went through now are, and the adjoints asked for (-1: none).
struct swept {
  sequence<int> forward, adjoints;
};

namespace detail {

/// A value of rank 4 is stacked as a vector.
constexpr shape stackable(shape const& s) { return s.rank < max_rank ? s : make_shape(s.size()); }
/// The entries of `x` in memory order in the shape `s`.
constexpr term reshaped(term x, shape const& s) { return x.extent() == s ? x : emit_to<op::reshape>(s, x); }

/// Which nodes of the body `b` of a backward loop are to be kept from the forward loop: what depends on no input from `first_seed` on, and
/// is read by what does. Views, constants, what is the same at every step, and what only the way back asked for, entry by entry, is
/// computed again from what is kept.
constexpr sequence<char> saved_nodes(graph_view b, const_span<feed> in, int first_seed, const_span<char> original) {
  sequence<char> backward = sequence<char>::zeros(b.nodes.size()), varies = backward, live = backward, needed = backward, saved = backward;
  for (int id = 0; id < b.size(); ++id) {
    node const& n = b[id];
    if (n.op == opcode_of<op::input>) {
      int const position = static_cast<int>(n.attributes);
      backward.entry[id] = position >= first_seed;
      varies.entry[id] = position >= first_seed || in[static_cast<std::size_t>(position)] != feed::captured;
    }
    for (int operand : b.operands(id)) {
      backward.entry[id] |= backward.entry[operand];
      varies.entry[id] |= varies.entry[operand];
    }
  }
  for (int output : b.outputs) (backward.entry[output] ? live : needed).entry[output] = 1;
  for (int id = b.size() - 1; id >= 0; --id) {
    op_facts const& op = facts_of(b[id]);
    if (needed.entry[id] && !op.is_nullary) {
      bool const again = op.is_view || op.is_loop || !varies.entry[id] || (op.is_elementwise && !original[static_cast<std::size_t>(id)]);
      saved.entry[id] = !again;
    }
    if (live.entry[id] || (needed.entry[id] && !saved.entry[id]))
      for (int operand : b.operands(id)) (backward.entry[operand] ? live : needed).entry[operand] = 1;
  }
  return saved;
}

}  // namespace detail

/// A loop as the sweep finds it.
struct loop_in_sweep {
  loop_body body;
  const_span<int> operands;  ///< nodes of the graph, and of the graph that is being built
  loop_activity active;
  sequence<term> arrived;  ///< adjoint of each result; none where nothing arrived
};

/// What the sweep gets back.
struct reversed_loop {
  loop_body extended;            ///< the loop, with what is kept among its results
  int backward = -1;             ///< node of the loop that goes back
  sequence<seed> contributions;  ///< adjoints of operands, in order
};

/// Puts the loop that goes back into `to`. `sweep(graph, to, seeds, wrt)` is the reverse sweep through the body.
constexpr reversed_loop reverse_loop(graph& to, loop_in_sweep const& forward, auto sweep) {
  loop_body const& l = forward.body;
  int const own_inputs = static_cast<int>(l.in.size());
  sequence<int> const carries_from = carries_in(l.in), carries_to = carries_in(l.out), inputs = input_nodes(l.body, l.in.size());
  auto const output = [&](int r) { return l.body.outputs.entry[r]; };

  // The body, and the adjoints that come into it: those of carries from the step that was after it, the others from outside.
  graph b = copy_of(l.body);
  b.simplifying = true;
  sequence<feed> seed_feeds;
  sequence<int> seed_operands;
  sequence<seed> seeds;
  auto const add_seed = [&](int r, feed f, term from) {
    node const& n = l.body[output(r)];
    seeds.push_back({output(r), input(b, n.type, n.extent, own_inputs + static_cast<int>(seed_feeds.size()))});
    seed_feeds.push_back(f);
    seed_operands.push_back(from.id);
  };
  auto const zero_like = [&](graph& g, int r) { return fit(constant(g, l.body[output(r)].type, 0), l.body[output(r)].extent); };
  struct wanted {
    int input;
    int carry = -1;  ///< output that is handed to the input
  };
  sequence<wanted> wrt;
  for (std::size_t c = 0; c < carries_from.size(); ++c) {
    int const i = carries_from.entry[c], r = carries_to.entry[c];
    if (!forward.active.in.entry[i]) continue;
    wrt.push_back({i, r});
    term const arrived = forward.arrived.entry[r];
    add_seed(r, feed::carry, arrived.exists() ? arrived : zero_like(to, r));
  }
  for (int r = 0; r < static_cast<int>(l.out.size()); ++r)
    if (l.out.entry[r] != yield::carry && forward.arrived.entry[r].exists())
      add_seed(r, l.out.entry[r] == yield::stack ? feed::slice : feed::captured, forward.arrived.entry[r]);
  for (int i = 0; i < own_inputs; ++i)
    if (l.in.entry[i] != feed::carry && forward.active.in.entry[i]) wrt.push_back({i});

  sequence<int> leaves;
  for (wanted const& each : wrt)
    if (inputs.entry[each.input] >= 0) leaves.push_back(inputs.entry[each.input]);
  swept const body = sweep(l.body, b, seeds, leaves);

  loop_body back;
  back.count = l.count;
  back.backward = !l.backward;
  back.keeps_carries = l.keeps_carries;
  b.outputs.clear();
  sequence<int> input_of_result;
  for (std::size_t i = 0, leaf = 0; i < wrt.size(); ++i) {
    wanted const& each = wrt.entry[i];
    int adjoint = inputs.entry[each.input] >= 0 ? body.adjoints.entry[leaf++] : -1;
    if (adjoint < 0 && each.carry < 0) continue;
    if (adjoint < 0) adjoint = zero_like(b, each.carry).id;
    b.outputs.push_back(adjoint);
    back.out.push_back(each.carry >= 0 ? yield::carry : l.in.entry[each.input] == feed::captured ? yield::sum : yield::stack);
    input_of_result.push_back(each.input);
  }

  // What is kept of the forward steps, and what the way back reads besides.
  auto const b_nodes = static_cast<std::size_t>(b.size());
  sequence<char> original = sequence<char>::zeros(b_nodes), read = sequence<char>::zeros(b_nodes), saved = sequence<char>::zeros(b_nodes);
  for (int id : body.forward) original.entry[id] = 1;
  if (!l.keeps_carries) saved = detail::saved_nodes(b, l.in, own_inputs, original);
  for (int each : b.outputs) read.entry[each] = 1;
  for (int id = b.size() - 1; id >= 0; --id)
    if (read.entry[id] && !saved.entry[id])
      for (int operand : b.operands(id)) read.entry[operand] = 1;

  // The loop itself, with what is kept stacked beside its results.
  reversed_loop reversed;
  loop_body& e = reversed.extended;
  e.count = l.count, e.backward = l.backward, e.keeps_carries = l.keeps_carries, e.in = l.in, e.out = l.out;
  graph with_kept = copy_of(b);
  with_kept.outputs.clear();
  for (int each : l.body.outputs) with_kept.outputs.push_back(body.forward.entry[each]);
  auto const stack_of = [&](int id) {
    int const flat = detail::reshaped({&with_kept, id}, detail::stackable(with_kept[id].extent)).id;
    for (std::size_t r = 0; r < e.out.size(); ++r)
      if (e.out.entry[r] == yield::stack && with_kept.outputs.entry[r] == flat) return static_cast<int>(r);
    e.out.push_back(yield::stack);
    with_kept.outputs.push_back(flat);
    return static_cast<int>(e.out.size()) - 1;
  };

  // The body of the way back: only inputs that are read, and what is kept as inputs. First it is settled what feeds them.
  struct source_of_input {
    int operand;  ///< of the loop that goes back; where `stack` is a result of the extended loop, that
    int stack = -1;
  };
  sequence<source_of_input> sources;
  auto const feed_from = [&](feed f, source_of_input s) {
    back.in.push_back(f);
    sources.push_back(s);
    return static_cast<int>(back.in.size()) - 1;
  };
  graph cut;
  cut.reserve(b.size());
  cut.pool = b.pool;
  sequence<int> at = filled(b_nodes, -1), operands, seed_inputs;
  for (std::size_t i = 0; i < seed_feeds.size(); ++i) seed_inputs.push_back(feed_from(seed_feeds.entry[i], {seed_operands.entry[i]}));
  auto const new_input = [&](node const& n, shape const& s, int position) {
    return detail::reshaped(input(cut, n.type, s, position), n.extent).id;
  };
  for (int id = 0; id < b.size(); ++id) {
    if (!read.entry[id]) continue;
    node const n = b[id];
    if (saved.entry[id]) {
      at.entry[id] = new_input(n, detail::stackable(n.extent), feed_from(feed::slice, {-1, stack_of(id)}));
    } else if (n.op == opcode_of<op::input>) {
      int const old = static_cast<int>(n.attributes);
      if (old >= own_inputs) {
        at.entry[id] = new_input(n, n.extent, seed_inputs.entry[old - own_inputs]);
        continue;
      }
      int const operand = forward.operands[static_cast<std::size_t>(old)];
      feed const f = l.in.entry[old];
      if (f != feed::carry) {
        at.entry[id] = new_input(n, n.extent, feed_from(f, {operand}));
        if (has_companion(f)) feed_from(feed::captured, {forward.operands[static_cast<std::size_t>(old) + 1]});
        continue;
      }
      // What the step before left: for the first step, what the loop began with.
      std::size_t const c = static_cast<std::size_t>(std::find(carries_from.begin(), carries_from.end(), old) - carries_from.begin());
      int const left = body.forward.entry[output(carries_to.entry[c])];
      shape const flat = detail::stackable(n.extent);
      at.entry[id] = new_input(n, flat, feed_from(l.backward ? feed::after : feed::before, {-1, stack_of(left)}));
      feed_from(feed::captured, {detail::reshaped({&to, operand}, flat).id});
    } else {
      operands.clear();
      for (int operand : b.operands(id)) operands.push_back(at.entry[operand]);
      at.entry[id] = cut.insert(n.op, n.type, n.extent, n.attributes, operands);
    }
  }
  for (int each : b.outputs) cut.outputs.push_back(at.entry[each]);
  back.body = drop_dead(cut);  // not pruned: that is done once, not for every loop that is around
  e.body = drop_dead(with_kept);
  int const extended = insert_loop(to, e, forward.operands);
  sequence<int> feeds;
  for (source_of_input const& each : sources) feeds.push_back(each.stack < 0 ? each.operand : result_of(to, e, extended, each.stack).id);
  reversed.backward = insert_loop(to, back, feeds);

  // Adjoints of the operands.
  for (std::size_t r = 0; r < input_of_result.size(); ++r) {
    auto const i = static_cast<std::size_t>(input_of_result.entry[r]);
    int const operand = forward.operands[i];
    term const d = result_of(to, back, reversed.backward, static_cast<int>(r));
    feed const f = l.in.entry[i];
    if (!has_companion(f)) {
      reversed.contributions.push_back({operand, detail::reshaped(d, to[operand].extent)});
      continue;
    }
    // Entry p of the operand was read one step later (or earlier), and its last one never.
    shape const one = l.body[inputs.entry[i]].extent;
    int const axis = one.rank, first_operand = forward.operands[i + 1];
    bool const is_before = f == feed::before;
    shape const whole = to[operand].extent, first = to[first_operand].extent;  // copies: `to` grows
    if (l.count > 1)
      reversed.contributions.push_back(
          {operand, embed(slice(d, region(axis, is_before ? 1 : 0), l.count - 1), whole, region(axis, is_before ? 0 : 1))});
    reversed.contributions.push_back({first_operand, detail::reshaped(entry_at(d, is_before ? 0 : l.count - 1, one), first)});
  }
  return reversed;
}

}  // namespace etch::inline ETCH_ABI::pass
