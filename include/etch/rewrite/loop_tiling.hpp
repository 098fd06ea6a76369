// loop_tiling: a program that does the same to every entry along one axis, such as a batch, or adds up along it,
// becomes a loop over strips of that axis: what lies between its inputs and its sums is only ever as large as a strip.
// (Strip mining, or tiling, of a whole program.)
#pragma once

#include <etch/rewrite/axes.hpp>
#include <etch/rewrite/replay.hpp>
#include <etch/base/machine.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// How large strips are.
struct strip_sizes {
  std::int64_t worth_it = second_cache_bytes;  ///< bytes of a workspace beyond which strips are tried
  std::int64_t at_once =
      worth_it / 2;  ///< bytes in use at once in a strip, or an eighth more, if the narrowest needs no more
  /// Entries along the axis that is cut: fewer are not worth the overhead. 0: eight, or as many as fill a register.
  int narrowest = 0;
  /// Whether strips serve nothing but arguments that are read again: then a strip needs to fit into the cache, with
  /// what all share or add to, and to be large enough to be worth its overhead.
  bool for_arguments = false;
  std::int64_t nearest = first_cache_bytes;  ///< `at_once` where strips have little in common

  constexpr std::int64_t most_at_once() const { return at_once + at_once / 8; }
  constexpr int least_entries(element type) const {
    return narrowest > 0 ? narrowest : std::max(8, entries_of_register(type));
  }
  /// Whether strips of `part` out of `whole` entries leave no register partly filled that was full.
  constexpr bool keeps_registers(int whole, int part, element type) const {
    return narrowest > 0 || whole % least_entries(type) != 0 || part % least_entries(type) == 0;
  }
};

namespace detail {

class strip_mining {
 public:
  constexpr strip_mining(graph_view g, std::int64_t live_bytes, strip_sizes const& sizes) : g_(g), axes_(g) {
    choose(live_bytes, sizes);
  }

  constexpr bool exists() const { return count_ > 1; }

  constexpr graph run() {
    to_.reserve(g_.size());
    to_.pool = sequence<std::uint64_t>(g_.pool.begin(), g_.pool.end());
    outside_ = inside_ = filled(g_.nodes.size(), -1);
    for (int id = 0; id < g_.size(); ++id)
      if (role_.entry[id] == role::before || (role_.entry[id] == role::within && is_input(id))) put_outside(id);
    loop_.count = count_;
    for (int id = 0; id < g_.size(); ++id)
      if (role_.entry[id] == role::within || role_.entry[id] == role::summed) put_inside(id);
    leave_results();
    for (int id = 0; id < g_.size(); ++id)
      if (role_.entry[id] == role::after) put_outside(id);
    for (int output : g_.outputs) to_.outputs.push_back(outside_.entry[output]);
    return std::move(to_);
  }

 private:
  /// The role of a node: computed before it, in strips, the sum of what strips give, or after it.
  enum class role : char { before, within, summed, after };

  graph_view g_;
  axes axes_;
  int cut_ = -1;   // the class of axes that is cut
  int count_ = 1;  // into so many strips
  sequence<role> role_;
  graph to_;
  loop_body loop_;
  sequence<int> outside_, inside_;  // by node: the node in `to_` and in the body
  sequence<int> operands_;          // of the loop

  constexpr bool is_input(int id) const { return g_[id].op == opcode_of<op::input>; }

  /// The roles of all nodes if class `of` is cut; empty if a strip would have to wait for a sum over all.
  constexpr sequence<role> roles(int of) {
    sequence<role> all = filled(g_.nodes.size(), role::before);
    for (int id = 0; id < g_.size(); ++id) {
      bool of_strips = false, late = false;
      for (int each : g_.operands(id)) {
        of_strips = of_strips || all.entry[each] == role::within;
        late = late || all.entry[each] == role::summed || all.entry[each] == role::after;
      }
      bool const within = axes_.axis_in(id, of) >= 0;
      if (late && (within || of_strips)) return {};
      all.entry[id] = within ? role::within : of_strips ? role::summed : late ? role::after : role::before;
    }
    return all;
  }

  /// Chooses the axes whose cut makes most values smaller, and how many strips there are.
  constexpr void choose(std::int64_t live_bytes, strip_sizes const& sizes) {
    sequence<std::int64_t> bytes = sequence<std::int64_t>::zeros(g_.nodes.size() * max_rank);
    for (int id = 0; id < g_.size(); ++id)
      for (int axis = 0; axis < max_rank; ++axis)
        if (int const of = axes_.class_of(id, axis);
            of >= 0 && axes_.can_be_cut(of) && !has_known_entries(g_[id]) && !facts_of(g_[id]).is_view)
          bytes.entry[of] += g_[id].extent.size() * bytes_of(g_[id].type);
    for (int best = largest(bytes); best >= 0; best = largest(bytes)) {
      bytes.entry[best] = 0;
      node const& widest = g_[best / max_rank];
      int const entries = widest.extent[best % max_rank], least = sizes.least_entries(widest.type);
      auto const strips_of_at_most = [&](std::int64_t most) {
        int count = 1;
        for (int each = 2; each * least <= entries && (count == 1 || live_bytes / count > most); ++each)
          if (entries % each == 0 && sizes.keeps_registers(entries, entries / each, widest.type)) count = each;
        return count;
      };
      int count = strips_of_at_most(sizes.most_at_once());
      if (count == 1) continue;
      role_ = roles(best);
      if (role_.empty()) continue;
      if (sizes.narrowest == 0 && share_little(sizes))
        if (int const near = strips_of_at_most(sizes.nearest); live_bytes / near <= sizes.nearest) count = near;
      if (sizes.for_arguments && !are_worth_it(live_bytes / count, sizes)) continue;
      cut_ = best;
      count_ = count;
      return;
    }
  }
  /// Whether nothing makes larger strips faster: no product reads what all share once for each, and their sums are few.
  constexpr bool share_little(strip_sizes const& sizes) const {
    std::int64_t summed = 0;
    for (int id = 0; id < g_.size(); ++id) {
      if (role_.entry[id] != role::within && role_.entry[id] != role::summed) continue;
      node const& n = g_[id];
      op_facts const& op = facts_of(n);
      bool const adds_in_place = n.op == opcode_of<op::scatter_add>;
      if (!is_input(id) && !op.is_elementwise && !op.is_reduction && !op.is_view && n.op != opcode_of<op::gather> &&
          !adds_in_place && !has_known_entries(n))
        return false;
      if (role_.entry[id] == role::summed && !adds_in_place) summed += n.extent.size() * bytes_of(n.type);
    }
    return summed <= sizes.nearest / 8;
  }
  /// Whether strips of so many bytes fit into the cache, with what all share, and are worth their overhead.
  constexpr bool are_worth_it(std::int64_t bytes, strip_sizes const& sizes) const {
    return bytes >= sizes.at_once / 8 && bytes <= sizes.most_at_once() && shared_bytes() <= sizes.at_once;
  }
  /// Bytes of what strips read that is the same for all, and of their sums.
  constexpr std::int64_t shared_bytes() const {
    sequence<char> is_shared = sequence<char>::zeros(g_.nodes.size());
    for (int id = 0; id < g_.size(); ++id) {
      if (role_.entry[id] == role::summed) is_shared.entry[id] = 1;
      if (role_.entry[id] != role::within && role_.entry[id] != role::summed) continue;
      for (int each : g_.operands(id))
        if (role_.entry[each] == role::before && !has_known_entries(g_[each])) is_shared.entry[each] = 1;
    }
    std::int64_t bytes = 0;
    for (int id = 0; id < g_.size(); ++id)
      if (is_shared.entry[id]) bytes += g_[id].extent.size() * bytes_of(g_[id].type);
    return bytes;
  }
  static constexpr int largest(sequence<std::int64_t> const& bytes) {
    int best = -1;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      if (bytes.entry[i] > most) most = bytes.entry[i], best = static_cast<int>(i);
    return best;
  }

  constexpr shape strip_of(int id) {
    shape s = g_[id].extent;
    if (int const axis = axes_.axis_in(id, cut_); axis >= 0) s[axis] /= count_;
    return s;
  }

  constexpr void put_outside(int id) {
    sequence<int> from;
    for (int each : g_.operands(id)) from.push_back(outside_.entry[each]);
    outside_.entry[id] = rules_of(g_[id]).insert(to_, g_[id], from).id;
  }

  constexpr term input_from(loop_input f, int operand, element type, shape const& s) {
    loop_.in.push_back(f);
    operands_.push_back(operand);
    return input(loop_.body, type, s, static_cast<int>(loop_.in.size()) - 1);
  }

  /// Values that are the same for every strip: captured, but constants and views are made anew.
  constexpr int captured(int id) {
    if (inside_.entry[id] >= 0) return inside_.entry[id];
    node const& n = g_[id];
    op_facts const& op = facts_of(n);
    if (has_known_entries(n)) {
      inside_.entry[id] = loop_.body.insert(n.op, n.type, n.extent, n.attributes, {});
    } else if (op.is_view) {
      fixed<int, 1> const from{captured(g_.operands(id)[0])};
      inside_.entry[id] = rules_of(n).insert(loop_.body, n, from).id;
    } else {
      inside_.entry[id] = input_from(loop_input::captured, outside_.entry[id], n.type, n.extent).id;
    }
    return inside_.entry[id];
  }

  constexpr void put_inside(int id) {
    node n = g_[id];
    n.extent = strip_of(id);
    if (is_input(id)) {
      bool const adjoins = axes_.axis_in(id, cut_) == slowest_axis(g_[id].extent);
      inside_.entry[id] = adjoins ? adjoining_strip(id, n.extent) : strided_strip(id, n.extent);
      return;
    }
    sequence<int> from;
    for (int each : g_.operands(id))
      from.push_back(role_.entry[each] == role::before ? captured(each) : inside_.entry[each]);
    inside_.entry[id] = rules_of(n).insert(loop_.body, n, from).id;
  }

  /// A strip of argument `id`, which is contiguous.
  constexpr int adjoining_strip(int id, shape const& s) {
    term const strips = reshaped({&to_, outside_.entry[id]}, make_shape(s.size(), count_)),
               strip = input_from(loop_input::slice, strips.id, g_[id].type, make_shape(s.size()));
    return reshaped(strip, s).id;
  }
  /// A strip of argument `id` along another axis; the strips become a last axis.
  constexpr int strided_strip(int id, shape const& s) {
    int const axis = axes_.axis_in(id, cut_), rank = s.rank;
    shape apart = s;
    attribute order = op::permute::identity;
    apart.rank = rank + 1;
    for (int to = rank; to > axis; --to) {
      int const from = to < rank ? to + 1 : axis + 1;
      apart[to] = to > axis + 1 ? s[to - 1] : count_;
      order = (order & ~(attribute{3} << (2 * to))) | static_cast<attribute>(from) << (2 * to);
    }
    term const strips = emit<op::permute>(order, reshaped({&to_, outside_.entry[id]}, apart));
    return input_from(loop_input::slice, strips.id, g_[id].type, s).id;
  }

  /// Puts the loop into the graph outside, and what its strips leave: sums, and outputs side by side.
  constexpr void leave_results() {
    sequence<int> results;
    auto const leave = [&](int id, loop_output y, int value) {
      results.push_back(id);
      loop_.out.push_back(y);
      loop_.body.outputs.push_back(value);
    };
    for (int id = 0; id < g_.size(); ++id)
      if (role_.entry[id] == role::summed) leave(id, loop_output::sum, inside_.entry[id]);
    sequence<char> left = sequence<char>::zeros(g_.nodes.size());
    for (int output : g_.outputs) {
      if (role_.entry[output] != role::within || left.entry[output] || is_input(output)) continue;
      left.entry[output] = 1;
      leave(output, loop_output::stack,
            reshaped({&loop_.body, inside_.entry[output]}, make_shape(strip_of(output).size())).id);
    }
    int const loop = insert_loop(to_, loop_, operands_);
    for (std::size_t r = 0; r < results.size(); ++r) {
      int const id = results.entry[r];
      outside_.entry[id] = reshaped(result_of(to_, loop_, loop, static_cast<int>(r)), g_[id].extent).id;
    }
  }
};

}  // namespace detail

/// Products that compute fewer numbers with each entry of an operand wait for memory where that is in no cache.
inline constexpr int fewest_uses = 16;

/// Bytes of the arguments larger than `cache` that two such products or more would read whole from memory.
constexpr std::int64_t bytes_read_again(graph_view g, std::int64_t cache = second_cache_bytes) {
  bool any = false;
  auto const is_large = [&](node const& n) {
    return n.op == opcode_of<op::input> && n.extent.size() * bytes_of(n.type) > cache;
  };
  for (node const& n : g.nodes) any = any || is_large(n);
  if (!any) return 0;
  sequence<int> root, reads = filled(g.nodes.size(), 0);
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g[id];
    const_span<int> const from = g.operands(id);
    root.push_back(facts_of(n).is_view ? root.entry[from[0]] : id);
    if (n.op != opcode_of<op::matmul>) continue;
    std::int64_t const uses = n.extent.size() * g[from[0]].extent[1];  // of all entries of an operand
    auto const reads_whole = [&](int o) {
      std::int64_t const size = g[o].extent.size();
      return size == g[root.entry[o]].extent.size() && uses < fewest_uses * size;
    };
    reads.entry[root.entry[from[0]]] += reads_whole(from[0]);
    if (root.entry[from[1]] != root.entry[from[0]]) reads.entry[root.entry[from[1]]] += reads_whole(from[1]);
  }
  std::int64_t bytes = 0;
  for (int id = 0; id < g.size(); ++id)
    if (reads.entry[id] > 1 && is_large(g[id])) bytes += g[id].extent.size() * bytes_of(g[id].type);
  return bytes;
}

/// Computes the same values strip by strip, along the axis where that saves most, so that of `live_bytes` bytes in use
/// at once only as many remain as a cache holds. The same graph where no axis can be cut: where values across it meet
/// otherwise than in sums, or where what is done to one entry depends on such a sum.
constexpr graph strips(graph_view g, std::int64_t live_bytes, strip_sizes const& sizes = {}) {
  detail::strip_mining mining(g, live_bytes, sizes);
  if (mining.exists()) return mining.run();
  return copy_of(g);
}

}  // namespace pass
ETCH_NAMESPACE_END
