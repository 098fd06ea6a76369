// reverse_loop: the way back through a loop is a loop again, in opposite order. What its steps read of the loop's own
// steps is kept, side by side, or computed again. (Reverse mode of a scan; for what is kept: Chen et al., "Training
// Deep Nets with Sublinear Memory Cost", 2016.)
#pragma once

#include <etch/rewrite/activity.hpp>
#include <etch/rewrite/adjoint.hpp>
#include <etch/rewrite/prune.hpp>
#include <etch/rewrite/saved_nodes.hpp>

#include <utility>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// An adjoint to start from, or one that has arrived: of node `node`, in the graph that is being built.
struct seed {
  int node;
  arrival arrived;
};

/// The result of a reverse sweep: where the nodes of the graph that it went through now are, and the adjoints asked for
/// (-1: none) with their masks (-1: all entries count).
struct swept {
  sequence<int> forward, adjoints, masks;
  sequence<int> moved;  ///< where all nodes now are that were being built, if any of them has moved
};

/// A loop as the sweep finds it.
struct loop_in_sweep {
  loop_body body;
  const_span<int> operands;  ///< nodes of the graph, and of the graph that is being built
  loop_activity active;
  sequence<arrival> arrived;  ///< adjoint of each result; none where nothing arrived
  bool is_guarded = false;    ///< whether it matters where adjoints arrive: then masks go with them from step to step
};

/// The result of the sweep.
struct reversed_loop {
  loop_body extended;            ///< the loop, with what is kept among its results
  int backward = -1;             ///< node of the loop that goes back
  sequence<seed> contributions;  ///< adjoints of operands, in order
};

namespace detail {

/// A value of rank 4 is stacked as a vector, or with the axis that counts between those before it and behind.
constexpr shape stackable(shape const& s) {
  if (s.rank < max_rank) return s;
  if (s.counted == 0) return make_shape(s.size());
  int before = 1, behind = 1;
  for (int axis = 0; axis < max_rank; ++axis)
    if (!s.is_counted(axis)) (axis < s.counted ? before : behind) *= s[axis];
  return counted_as(make_shape(before, s[s.counted - 1], behind), s);
}

/// Builds the loop that goes back through one loop.
class loop_reversal {
 public:
  constexpr loop_reversal(graph& to, loop_in_sweep const& forward)
      : to_(to),
        forward_(forward),
        l_(forward.body),
        own_inputs_(static_cast<int>(l_.in.size())),
        carries_from_(carries_in(l_.in)),
        carries_to_(carries_in(l_.out)),
        inputs_(input_nodes(l_.body, l_.in.size())),
        b_(copy_of(l_.body)) {
    if (l_.gate >= 0 && inputs_.entry[l_.gate] < 0)  // nothing reads it but the loop
      inputs_.entry[l_.gate] = input(b_, type_of_gate(), shape{}, l_.gate).id;
    b_.simplifying = true;
    back_.count = l_.count;
    back_.backward = !l_.points && !l_.backward;
    back_.points = l_.points;
    back_.counted = l_.counted;
  }

  constexpr reversed_loop run(auto sweep) {
    put_seeds();
    sequence<int> leaves;
    for (wanted const& each : wrt_)
      if (input_of(each) >= 0) leaves.push_back(input_of(each));
    swept const body = sweep(l_.body, b_, seeds_, leaves);
    take_adjoints(body);
    extend(body.forward);
    cut(body.forward);
    finish();
    contribute();
    return std::move(reversed_);
  }

 private:
  /// An input that an adjoint is wanted for.
  struct wanted {
    int input;
    int carry = -1;  ///< the output that is handed to it
  };
  /// Results of the loop that goes back: the adjoint of an input, and where it arrived (-1: everywhere).
  struct adjoint_result {
    int input, adjoint, mask = -1;
  };
  /// The source of an input of the loop that goes back: a node, or if `stack` is one a result of the extended loop.
  struct source_of_input {
    int operand;
    int stack = -1;
  };

  graph& to_;
  loop_in_sweep const& forward_;
  loop_body const& l_;
  int own_inputs_;
  sequence<int> carries_from_, carries_to_;
  sequence<int> inputs_;  // nodes of the body's inputs
  graph b_;               // the body, and the way back through it
  loop_body back_;
  reversed_loop reversed_;
  sequence<seed> seeds_;
  sequence<source_of_input> seed_sources_;
  sequence<loop_input> seed_inputs_;
  sequence<wanted> wrt_;
  sequence<adjoint_result> adjoints_;
  sequence<char> saved_, read_;  // by node of b_
  graph with_kept_;              // the body of the extended loop, before it is pruned
  sequence<source_of_input> sources_;

  constexpr int input_of(wanted const& each) const { return inputs_.entry[each.input]; }
  constexpr int output(int r) const { return l_.body.outputs.entry[r]; }
  /// `value` in the place of output `r`.
  constexpr term constant_like(graph& g, int r, double value) const {
    return fit(constant(g, l_.body[output(r)].type, value), l_.body[output(r)].extent);
  }
  constexpr int operand(int input) const { return forward_.operands[static_cast<std::size_t>(input)]; }
  constexpr element type_of_gate() const { return to_[operand(l_.gate)].type; }

  /// The adjoints that come into a step: those of carries from the step that was after it, the others from outside.
  constexpr void put_seeds() {
    auto const seed_input = [&](int r, loop_input f, term from) {
      node const& n = l_.body[output(r)];
      int const position = own_inputs_ + static_cast<int>(seed_inputs_.size());
      seed_inputs_.push_back(f);
      seed_sources_.push_back({from.id});
      return input(b_, n.type, n.extent, position);
    };
    auto const add = [&](int r, loop_input f, arrival const& from) {
      arrival arrived{seed_input(r, f, from.adjoint), {}};
      if (from.mask.exists()) arrived.mask = seed_input(r, f, from.mask);
      seeds_.push_back({output(r), arrived});
    };
    for (std::size_t c = 0; c < carries_from_.size(); ++c) {
      int const i = carries_from_.entry[c], r = carries_to_.entry[c];
      if (!forward_.active.in.entry[i]) continue;
      wrt_.push_back({i, r});
      arrival from = forward_.arrived.entry[r];
      if (forward_.is_guarded && !from.mask.exists()) from.mask = constant_like(to_, r, from.exists());
      if (!from.exists()) from.adjoint = constant_like(to_, r, 0);
      add(r, loop_input::carry, from);
    }
    for (int r = 0; r < static_cast<int>(l_.out.size()); ++r)
      if (l_.out.entry[r] != loop_output::carry && forward_.arrived.entry[r].exists())
        add(r, l_.out.entry[r] == loop_output::stack ? loop_input::slice : loop_input::captured,
            forward_.arrived.entry[r]);
    for (int i = 0; i < own_inputs_; ++i)
      if (l_.in.entry[i] != loop_input::carry && forward_.active.in.entry[i]) wrt_.push_back({i});
  }

  /// The outputs of a step of the way back: adjoints of carries go on, those of slices are stacked, those
  /// of what is captured are summed. Masks go where their adjoints do, so that a sum of masks counts the
  /// steps at which something arrived.
  constexpr void take_adjoints(swept const& body) {
    b_.outputs.clear();
    auto const put = [&](int id, loop_output y) {
      b_.outputs.push_back(id);
      back_.out.push_back(y);
      return static_cast<int>(back_.out.size()) - 1;
    };
    std::size_t next = 0;
    for (wanted const& each : wrt_) {
      bool const is_read = input_of(each) >= 0, is_carry = each.carry >= 0;
      int adjoint = is_read ? body.adjoints.entry[next] : -1, mask = is_read ? body.masks.entry[next] : -1;
      next += is_read;
      if (adjoint < 0 && !is_carry) continue;
      if (is_carry && forward_.is_guarded && mask < 0) mask = constant_like(b_, each.carry, adjoint >= 0).id;
      if (adjoint < 0) adjoint = constant_like(b_, each.carry, 0).id;
      loop_output const y = is_carry                                          ? loop_output::carry
                            : l_.in.entry[each.input] == loop_input::captured ? loop_output::sum
                                                                              : loop_output::stack;
      int const result = put(adjoint, y);
      adjoints_.push_back({each.input, result, mask >= 0 ? put(mask, y) : -1});
    }
  }

  /// Lists what is kept of the forward steps and what the way back reads besides. `forward` says where
  /// the nodes of the body are in `b_`.
  constexpr void extend(const_span<int> forward) {
    auto const nodes = static_cast<std::size_t>(b_.size());
    sequence<char> original = sequence<char>::zeros(nodes), stacked = original;
    for (int id : forward) original.entry[id] = 1;
    for (int r = 0; r < static_cast<int>(l_.out.size()); ++r)
      if (l_.out.entry[r] != loop_output::sum) stacked.entry[forward[static_cast<std::size_t>(output(r))]] = 1;
    back_.keeps_carries = l_.keeps_carries;
    saved_ = sequence<char>::zeros(nodes);
    if (!l_.keeps_carries || l_.snapshots > 0) saved_ = saved_nodes(b_, l_.in, own_inputs_, original, stacked);
    find_read();
    if (l_.snapshots > 0) {
      back_.keeps_carries = !fits_whole(forward);
      if (back_.keeps_carries) back_.snapshots = l_.snapshots, saved_ = sequence<char>::zeros(nodes), find_read();
    }

    loop_body& e = reversed_.extended;
    e.count = l_.count, e.backward = l_.backward, e.keeps_carries = back_.keeps_carries, e.snapshots = back_.snapshots,
    e.points = l_.points, e.counted = l_.counted, e.gate = l_.gate, e.in = l_.in, e.out = l_.out;
    with_kept_ = copy_of(b_);
    with_kept_.outputs.clear();
    for (int each : l_.body.outputs) with_kept_.outputs.push_back(forward[static_cast<std::size_t>(each)]);
  }

  /// Marks the values that the way back reads, where `saved_` is kept.
  constexpr void find_read() {
    read_ = sequence<char>::zeros(static_cast<std::size_t>(b_.size()));
    for (int each : b_.outputs) read_.entry[each] = 1;
    if (l_.gate >= 0) read_.entry[inputs_.entry[l_.gate]] = 1;
    for (int id = b_.size() - 1; id >= 0; --id)
      if (read_.entry[id] && !saved_.entry[id])
        for (int each : b_.operands(id)) read_.entry[each] = 1;
  }
  /// Whether what the way back reads of all steps, where `saved_` is kept, takes no more than as many carries as may
  /// be.
  constexpr bool fits_whole(const_span<int> forward) const {
    std::int64_t all = 0, most = 0;
    for (int id = 0; id < b_.size(); ++id)
      if (saved_.entry[id]) all += l_.count * b_[id].extent.size() * bytes_of(b_[id].type);
    for (std::size_t c = 0; c < carries_to_.size(); ++c) {
      int const left = output(carries_to_.entry[c]);
      std::int64_t const bytes = l_.body[left].extent.size() * bytes_of(l_.body[left].type);
      most += l_.snapshots * bytes;
      if (is_read(carries_from_.entry[c], forward) && !saved_.entry[forward[static_cast<std::size_t>(left)]])
        all += l_.count * bytes;
    }
    return all <= most;
  }
  /// Whether the way back reads input `i`.
  constexpr bool is_read(int i, const_span<int> forward) const {
    int const at = inputs_.entry[i];
    return at >= 0 && read_.entry[forward[static_cast<std::size_t>(at)]];
  }
  /// By carry: whether the carries that the way back reads are computed from it.
  constexpr sequence<char> carries_computed_from(const_span<int> forward) const {
    graph_view const body = l_.body;
    sequence<char> needed = sequence<char>::zeros(carries_from_.size());
    auto const need = [&](int input) {
      for (std::size_t c = 0; c < needed.size(); ++c)
        if (carries_from_.entry[c] == input && !std::exchange(needed.entry[c], '\1')) return true;
      return false;
    };
    for (int i = 0; i < own_inputs_; ++i)
      if (is_read(i, forward)) need(i);
    for (bool more = true; more;) {
      more = false;
      sequence<char> live = sequence<char>::zeros(static_cast<std::size_t>(body.size()));
      for (std::size_t c = 0; c < needed.size(); ++c)
        if (needed.entry[c]) live.entry[output(carries_to_.entry[c])] = 1;
      for (int id = body.size() - 1; id >= 0; --id) {
        if (!live.entry[id]) continue;
        for (int operand : body.operands(id)) live.entry[operand] = 1;
        if (body[id].op == opcode_of<op::input>) more |= need(static_cast<int>(body[id].attributes));
      }
    }
    return needed;
  }

  /// The result of the extended loop that stacks node `id` of `b_`.
  constexpr int stack_of(int id) {
    loop_body& e = reversed_.extended;
    int const flat = reshaped({&with_kept_, id}, stackable(with_kept_[id].extent)).id;
    for (std::size_t r = 0; r < e.out.size(); ++r)
      if (e.out.entry[r] == loop_output::stack && with_kept_.outputs.entry[r] == flat) return static_cast<int>(r);
    e.out.push_back(loop_output::stack);
    with_kept_.outputs.push_back(flat);
    return static_cast<int>(e.out.size()) - 1;
  }

  constexpr int input_from(loop_input f, source_of_input s) {
    back_.in.push_back(f);
    sources_.push_back(s);
    return static_cast<int>(back_.in.size()) - 1;
  }

  /// The input for carry `old`: what the step before left; for the first step, what the loop began with.
  constexpr int input_from_step_before(int old, const_span<int> forward) {
    std::size_t const c =
        static_cast<std::size_t>(std::find(carries_from_.begin(), carries_from_.end(), old) - carries_from_.begin());
    int const left = forward[static_cast<std::size_t>(output(carries_to_.entry[c]))];
    int const input = input_from(l_.backward ? loop_input::after : loop_input::before, {-1, stack_of(left)});
    input_from(loop_input::captured, {reshaped({&to_, operand(old)}, stackable(with_kept_[left].extent)).id});
    return input;
  }

  /// The body of the way back: only inputs that are read, and what is kept as further inputs.
  constexpr void cut(const_span<int> forward) {
    graph body;
    body.reserve(b_.size());
    body.pool = b_.pool;
    sequence<int> at = filled(static_cast<std::size_t>(b_.size()), -1), operands, seed_inputs;
    for (std::size_t i = 0; i < seed_inputs_.size(); ++i)
      seed_inputs.push_back(input_from(seed_inputs_.entry[i], seed_sources_.entry[i]));
    auto const put_input = [&](int id, shape const& s, int position) {
      at.entry[id] = reshaped(input(body, b_[id].type, s, position), b_[id].extent).id;
    };
    for (int id = 0; id < b_.size(); ++id) {
      if (!read_.entry[id]) continue;
      node const n = b_[id];
      if (saved_.entry[id]) {
        put_input(id, stackable(n.extent), input_from(loop_input::slice, {-1, stack_of(id)}));
      } else if (n.op != opcode_of<op::input>) {
        operands.clear();
        for (int each : b_.operands(id)) operands.push_back(at.entry[each]);
        at.entry[id] = body.insert(n.op, n.type, n.extent, n.attributes, operands);
      } else if (int const old = static_cast<int>(n.attributes); old >= own_inputs_) {
        put_input(id, n.extent, seed_inputs.entry[old - own_inputs_]);
      } else if (loop_input const f = l_.in.entry[old]; f != loop_input::carry) {
        put_input(id, n.extent, input_from(f, {operand(old)}));
        if (has_companion(f)) input_from(loop_input::captured, {operand(old + 1)});
      } else if (l_.gate >= 0) {
        // A step before it may not have run: the carry that it began with is kept for each step.
        put_input(id, stackable(n.extent), input_from(loop_input::slice, {-1, stack_of(id)}));
      } else {
        put_input(id, stackable(n.extent), input_from_step_before(old, forward));
      }
    }
    if (back_.snapshots > 0) {
      sequence<char> const needed = carries_computed_from(forward);
      for (std::size_t c = 0; c < needed.size(); ++c)
        if (int const old = carries_from_.entry[c]; needed.entry[c] && !is_read(old, forward))
          input_from_step_before(old, forward);
    }
    if (l_.gate >= 0) {
      int gate = at.entry[inputs_.entry[l_.gate]];
      while (body[gate].op != opcode_of<op::input>) gate = body.operands(gate)[0];
      back_.gate = static_cast<int>(body[gate].attributes);
    }
    for (int each : b_.outputs) body.outputs.push_back(at.entry[each]);
    back_.body = drop_dead(body);  // not pruned: that is done once, not for every loop that is around
  }

  constexpr void finish() {
    loop_body& e = reversed_.extended;
    e.body = drop_dead(with_kept_);
    int const extended = insert_loop(to_, e, forward_.operands);
    sequence<int> feeds;
    for (source_of_input const& each : sources_)
      feeds.push_back(each.stack < 0 ? each.operand : result_of(to_, e, extended, each.stack).id);
    reversed_.backward = insert_loop(to_, back_, feeds);
  }

  /// The results of the way back are adjoints of operands.
  constexpr void contribute() {
    sequence<seed>& contributions = reversed_.contributions;
    for (adjoint_result const& each : adjoints_) {
      int const i = each.input;
      shape const whole = to_[operand(i)].extent;
      loop_input const f = l_.in.entry[i];
      arrival d{result_of(to_, back_, reversed_.backward, each.adjoint), {}};
      if (each.mask >= 0) d.mask = result_of(to_, back_, reversed_.backward, each.mask);
      if (d.mask.exists() && f == loop_input::captured) d.mask = not_zero(d.mask);
      auto const add = [&](int to, auto part) {
        contributions.push_back({operand(to), {part(d.adjoint), d.mask.exists() ? part(d.mask) : term{}}});
      };
      if (!has_companion(f)) {
        add(i, [&](term x) { return reshaped(x, whole); });
        continue;
      }
      // Entry p of the operand was read one step later (or earlier), and its last one never.
      shape const one = l_.body[inputs_.entry[i]].extent, companion = to_[operand(i + 1)].extent;
      bool const is_before = f == loop_input::before;
      if (forward_.is_guarded && !d.mask.exists()) d.mask = fit(constant(to_, d.adjoint->type, 1), d.adjoint.extent());
      if (l_.count > 1)
        add(i, [&](term x) {
          return embed(slice(x, region(one.rank, is_before ? 1 : 0), l_.count - 1), whole,
                       region(one.rank, is_before ? 0 : 1));
        });
      add(i + 1, [&](term x) { return reshaped(entry_at(x, is_before ? 0 : l_.count - 1, one), companion); });
    }
  }
};

}  // namespace detail

/// Puts the loop that goes back through `forward` into `to`. `sweep(graph, to, seeds, wrt)` is
/// the reverse sweep through the body.
constexpr reversed_loop reverse_loop(graph& to, loop_in_sweep const& forward, auto sweep) {
  return detail::loop_reversal(to, forward).run(sweep);
}

}  // namespace pass
ETCH_NAMESPACE_END
