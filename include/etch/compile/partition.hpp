// partition: a function with its way back in two graphs that run at different times: the forward half leaves its
// results and what the way back reads besides; the backward half computes gradients from arguments, results, those
// saved values and the adjoints of the results.
#pragma once

#include <etch/rewrite/differentiate.hpp>
#include <etch/lower/buffer_uses.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// How many values go into a function and how many come out of it, and where they stand among the inputs of its
/// backward half: the arguments' leaves, the results, one adjoint for each result, the saved values.
struct halves_layout {
  int leaves = 0, results = 0;

  constexpr int result(int k) const { return leaves + k; }
  constexpr int seed(int k) const { return leaves + results + k; }
  constexpr int saved(int s) const { return leaves + 2 * results + s; }
  constexpr bool is_leaf(int position) const { return position < leaves; }
};

/// Whether node `id` is the constant 0, in any shape.
constexpr bool is_zero(graph_view g, int id) {
  id = beneath_views(g, id);
  return g[id].op == opcode_of<op::fill> && value_of(g[id].attributes) == 0;
}

/// The function `g` with its gradients as further outputs, one for each of the nodes `wrt`, of the sum over all results
/// of seed times result. Seeds are further inputs, of the results' shapes; that of a result which no node in `wrt`
/// influences is not read. In seeds, and in gradients that are a `mark_arrival`, -0 stands where nothing arrived. (At a
/// single number something did, else nobody asks.)
constexpr graph with_seeds(graph_view g, halves_layout at, const_span<int> wrt, bool precise = false) {
  graph to = copy_to_differentiate(g);
  to.precise = precise;
  sequence<seed> seeds;
  for (int k = 0; k < at.results; ++k) {
    node const n = g[g.outputs[static_cast<std::size_t>(k)]];
    term const from = input(to, n.type, n.extent, at.seed(k));
    bool const is_one_number = at.results == 1 && n.extent.size() == 1;
    seeds.push_back({g.outputs[static_cast<std::size_t>(k)],
                     {from, is_one_number || !is_floating(n.type) ? term{} : emit<op::arrived>(0, from)}});
  }
  swept const back = backpropagate(g, to, seeds, wrt);
  for (std::size_t i = 0; i < wrt.size(); ++i) {
    node const& leaf = g[wrt[i]];
    int const adjoint = back.adjoints.entry[i], mask = back.masks.entry[i];
    if (adjoint < 0) to.outputs.push_back(fit(constant(to, leaf.type, 0), leaf.extent).id);
    else if (mask < 0 || is_zero(to, adjoint)) to.outputs.push_back(adjoint);
    else to.outputs.push_back(fit(emit<op::mark_arrival>(0, term{&to, mask}, term{&to, adjoint}), leaf.extent).id);
  }
  return to;
}

namespace detail {

/// Divides a function with its gradients, as `with_seeds` made it and other passes left it.
class division {
 public:
  constexpr division(graph_view joint, halves_layout at)
      : g_(joint),
        at_(at),
        forward_(sequence<char>::zeros(joint.nodes.size())),
        read_(forward_),
        saved_(forward_),
        held_(filled(joint.nodes.size(), -1)) {
    find_forward();
    find_held();
  }

  /// By node: whether it is saved.
  constexpr sequence<char> choose() {
    find_read();
    for (int id = 0; id < g_.size(); ++id)
      if (read_.entry[id]) want(id);
    find_costs();
    drop(0);
    exchange();
    return std::move(saved_);
  }

  /// The results, then the saved values.
  constexpr graph forward(const_span<char> saved) const {
    graph half = copy_of(g_);
    half.outputs.clear();
    for (int k = 0; k < at_.results; ++k) half.outputs.push_back(result(k));
    for (int id = 0; id < g_.size(); ++id)
      if (saved.start[id]) half.outputs.push_back(id);
    return half;
  }

  /// The gradients that are not zero.
  constexpr graph backward(const_span<char> saved) const {
    sequence<char> needed = sequence<char>::zeros(g_.nodes.size());
    for (int each : gradients()) needed.entry[each] = 1;
    for (int id = g_.size() - 1; id >= 0; --id)
      if (needed.entry[id] && held_.entry[id] < 0 && !saved.start[id])
        for (int operand : g_.operands(id)) needed.entry[operand] = 1;
    graph half;
    half.reserve(g_.size());
    half.pool = sequence<std::uint64_t>(g_.pool.begin(), g_.pool.end());
    sequence<int> at = filled(g_.nodes.size(), -1), operands;
    int next = 0;
    for (int id = 0; id < g_.size(); ++id) {
      node const& n = g_[id];
      int const position = saved.start[id] ? at_.saved(next++) : -1;
      if (!needed.entry[id]) continue;
      if (held_.entry[id] >= 0) {
        at.entry[id] = from_result(half, id);
      } else if (position >= 0) {
        at.entry[id] = input(half, n.type, n.extent, position).id;
      } else {
        operands.clear();
        for (int operand : g_.operands(id)) operands.push_back(at.entry[operand]);
        at.entry[id] = half.insert(n.op, n.type, n.extent, n.attributes, operands);
      }
    }
    for (int each : gradients()) half.outputs.push_back(at.entry[each]);
    return half;
  }

 private:
  static constexpr int dear = 1 << 20;  ///< the cost of what is not there in the backward half
  static constexpr int never = -1;  ///< instead of a cost: of what the backward half has, or the forward half has not
  static constexpr int cheap =
      6;  ///< cost up to which a value is rather computed again than kept, as in `lower/group.hpp`
  static constexpr int nodes_looked_at = 5'000;  ///< by `exchange`, for compilers count steps

  graph_view g_;
  halves_layout at_;
  sequence<char> forward_, read_, saved_;  // by node: needed for results; of these, read by what is not; saved
  sequence<int> held_;                     // by node: the result in whose memory it lies, or -1
  sequence<int> own_, cost_;               // by node: of making it of its operands, of having it in the backward half
  sequence<int> changed_;                  // nodes of which `saved_` has changed

  constexpr int result(int k) const { return g_.outputs.start[k]; }
  constexpr sequence<int> gradients() const {
    sequence<int> all;
    for (std::size_t i = static_cast<std::size_t>(at_.results); i < g_.outputs.size(); ++i)
      if (!is_zero(g_, g_.outputs.start[i])) all.push_back(g_.outputs.start[i]);
    return all;
  }

  /// Marks what results need, and what loops among that leave besides.
  constexpr void find_forward() {
    char* const forward = forward_.begin();
    for (int k = 0; k < at_.results; ++k) forward[result(k)] = 1;
    for (int id = g_.size() - 1; id >= 0; --id)
      if (forward[id])
        for (int operand : g_.operands(id)) forward[operand] = 1;
    for (int id = 0; id < g_.size(); ++id)
      if (facts_of(g_[id]).is_result && forward[g_.operands(id)[0]]) forward[id] = 1;
  }

  /// A result holds what it is a view of, too, where that is all of its entries in another shape.
  constexpr void find_held() {
    for (int k = 0; k < at_.results; ++k)
      for (int id = result(k); held_.entry[id] < 0 && !facts_of(g_[id]).is_nullary; id = g_.operands(id)[0]) {
        held_.entry[id] = k;
        if (g_[id].op != opcode_of<op::reshape> && g_[id].op != opcode_of<op::transpose>) break;
      }
  }
  /// Such a node, from the result that holds it.
  constexpr int from_result(graph& half, int id) const {
    int const k = held_.entry[id];
    int each = result(k);
    term x = input(half, g_[each].type, g_[each].extent, at_.result(k));
    for (; each != id; each = g_.operands(each)[0]) {
      shape const& before = g_[g_.operands(each)[0]].extent;
      x = reshaped(g_[each].op == opcode_of<op::transpose> ? transpose(x) : x, before);
    }
    return x.id;
  }

  constexpr void find_read() {
    sequence<char> needed = sequence<char>::zeros(g_.nodes.size());
    for (int each : gradients()) needed.entry[each] = 1;
    for (int id = g_.size() - 1; id >= 0; --id) {
      if (!needed.entry[id]) continue;
      if (forward_.entry[id]) read_.entry[id] = 1;
      else
        for (int operand : g_.operands(id)) needed.entry[operand] = 1;
    }
  }

  constexpr bool is_there(int id) const { return facts_of(g_[id]).is_nullary || held_.entry[id] >= 0; }
  /// Whether `id` is a view that picks some entries of something larger.
  constexpr bool picks(int id) const { return g_[id].extent.size() < g_[g_.operands(id)[0]].extent.size(); }

  /// Saves `id` unless it is there; of a view, what it is a view of.
  constexpr void want(int id) {
    while (!is_there(id) && facts_of(g_[id]).is_view && !picks(id)) id = g_.operands(id)[0];
    if (!is_there(id)) saved_.entry[id] = 1;
  }

  /// The cost of making `id` of its operands; `dear` where it is no element-wise op, view or join.
  constexpr int own_cost(int id) const {
    op_facts const& op = facts_of(g_[id]);
    return op.is_elementwise ? op.cost : op.is_view ? 0 : op.is_assembly ? 1 : dear;
  }
  constexpr void find_costs() {
    own_ = filled(g_.nodes.size(), never);
    cost_ = filled(g_.nodes.size(), dear);
    for (int id = 0; id < g_.size(); ++id)
      if (is_there(id)) cost_.entry[id] = 0;
      else if (forward_.entry[id]) own_.entry[id] = own_cost(id);
  }

  /// Saves nothing from node `first` on that follows cheaply from what is there. Returns the bytes that this
  /// frees; notes what is no more saved.
  constexpr std::int64_t drop(int first) {
    std::int64_t bytes = 0;
    int* const cost = cost_.begin();
    char* const saved = saved_.begin();
    for (int id = first; id < g_.size(); ++id) {
      int sum = own_.entry[id];
      if (sum == never) continue;
      node const& n = g_.nodes.start[id];
      for (int i = 0; i < n.arity && sum <= cheap; ++i) sum += cost[g_.edges.start[n.first_operand + i]];
      if (sum > cheap) {
        cost[id] = saved[id] ? 0 : dear;
        continue;
      }
      cost[id] = sum;
      if (!saved[id]) continue;
      saved[id] = 0;
      changed_.push_back(id);
      bytes += padded_bytes(n);
    }
    return bytes;
  }

  /// Saves what of `id` is not there: its operands, or with `deep` what they are made of, as far
  /// as is cheap. Returns the bytes.
  constexpr std::int64_t save_sources(int id, bool deep) {
    std::int64_t bytes = 0;
    sequence<int> open{id};
    int spent = 0;
    for (std::size_t i = 0; i < open.size(); ++i)
      for (int operand : g_.operands(open.entry[i])) {
        if (cost_.entry[operand] < dear || saved_.entry[operand]) continue;
        int const cost = own_.entry[operand];
        if ((facts_of(g_[operand]).is_view && !picks(operand)) || (deep && spent + cost < cheap)) {
          open.push_back(operand);
          spent += cost;
        } else {
          saved_.entry[operand] = 1;
          changed_.push_back(operand);
          bytes += padded_bytes(g_[operand]);
        }
      }
    return bytes;
  }

  /// Saves what values are cheaply made of in their place, where that is less.
  constexpr void exchange() {
    int looked_at = 0;
    for (int id = g_.size() - 1; id >= 0; --id)
      for (bool deep : {false, true}) {
        if (!saved_.entry[id] || own_.entry[id] == dear || looked_at > nodes_looked_at) continue;
        changed_.clear();
        std::int64_t const more = save_sources(id, deep);
        int first = id;
        for (int each : changed_) first = std::min(first, each);
        std::int64_t const less = drop(first);
        looked_at += g_.size() - first;
        if (!saved_.entry[id] && (less > more || (less == more && facts_of(g_[id]).is_view))) continue;
        for (int each : changed_) saved_.entry[each] ^= 1;  // what was saved and dropped is there twice
        drop(first);
      }
  }
};

}  // namespace detail

/// By node of `joint`, which is `with_seeds` of a function in the form in which it is to run: whether it is saved
/// between the halves. Saved is what results need and the way back reads too, unless it is an argument or a result, a
/// view, or follows cheaply from what is there.
constexpr sequence<char> saved_between(graph_view joint, halves_layout at) {
  return detail::division(joint, at).choose();
}

/// The half that computes the results, then the saved values in order of nodes.
constexpr graph forward_half(graph_view joint, halves_layout at, const_span<char> saved) {
  return drop_dead(detail::division(joint, at).forward(saved));
}

/// The half that computes those gradients which are not zero throughout. Inputs stand as in `halves_layout`.
constexpr graph backward_half(graph_view joint, halves_layout at, const_span<char> saved) {
  return detail::division(joint, at).backward(saved);
}

}  // namespace pass
ETCH_NAMESPACE_END
