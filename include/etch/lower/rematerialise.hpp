// rematerialise: makes a program that needs less memory: at the point where most is in use, one value less is kept. It
// is computed again for its later readers, or what several values are made of is kept in their place.
#pragma once

#include <etch/rewrite/flops.hpp>
#include <etch/lower/pressure.hpp>
#include <etch/rewrite/prune.hpp>

#include <limits>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

class rematerialiser {
 public:
  /// `stamp` tells what this step computes from what earlier ones did.
  constexpr rematerialiser(running_program const& p, std::int64_t budget, attribute stamp)
      : p_(p),
        g_(p.pruned),
        stamp_(stamp),
        last_before_(filled(p.materialised.nodes.size(), -1)),
        first_after_(filled(p.materialised.nodes.size(), never)),
        last_(last_before_) {
    std::int64_t const most = p.most_live();
    while (p.live.start[peak_] != most) ++peak_;
    wanted_ = most > budget ? most - budget : most;  // if packing alone exceeds the budget, whatever helps
    find_uses();
  }

  /// The program without its `rank`-th best candidate; no outputs if there are fewer.
  constexpr graph without(int rank) {
    sequence<candidate> all = candidates();
    if (rank >= static_cast<int>(all.size())) return {};
    std::sort(all.begin(), all.end(), [](candidate const& a, candidate const& b) { return a.is_better_than(b); });
    candidate const& chosen = all.entry[rank];
    if (chosen.keeps_source) return keep_source(chosen.id);
    return recompute(chosen.id);
  }

 private:
  static constexpr int never = std::numeric_limits<int>::max(), largest_cone = 64;

  struct candidate {
    int id;
    bool keeps_source;  ///< rather than what is made of it
    std::int64_t flops, bytes;
    int gap;  ///< kernels for which its memory is free

    constexpr bool is_better_than(candidate const& b) const {
      double const mine = static_cast<double>(flops) * static_cast<double>(b.bytes),
                   other = static_cast<double>(b.flops) * static_cast<double>(bytes);
      return mine != other ? mine < other : gap != b.gap ? gap > b.gap : id < b.id;
    }
  };

  running_program const& p_;
  graph_view g_;
  attribute stamp_;
  int peak_ = 0;
  std::int64_t wanted_ = 0;
  sequence<int> last_before_, first_after_,
      last_;  // kernels that read a node: up to the peak, behind it, and all (of `materialised`)

  constexpr bool passes_through(int m) const { return !p_.values.start[m].computed || p_.of.start[m].repeated; }

  constexpr void find_uses() {
    graph_view const m = p_.materialised;
    int *const before = last_before_.begin(), *const after = first_after_.begin(), *const last = last_.begin();
    for (int id = m.size() - 1; id >= 0; --id) {
      bool const passes = passes_through(id);
      int const k = p_.of.start[id].kernel;
      for (int o : m.operands(id)) {
        int const b = passes       ? before[id]
                      : k <= peak_ ? k
                                   : -1,
                  a = passes      ? after[id]
                      : k > peak_ ? k
                                  : never,
                  l = passes ? last[id] : k;
        if (b > before[o]) before[o] = b;
        if (a < after[o]) after[o] = a;
        if (l > last[o]) last[o] = l;
      }
    }
  }

  constexpr bool is_kept(int id) const {
    int const m = p_.at.start[id];
    return m >= 0 && p_.of.start[m].stored && p_.values.start[m].owner == m && p_.buffer.start[m] >= 0;
  }
  constexpr bool is_repeatable(int id) const {
    op_facts const& op = facts_of(g_[id]);
    return op.is_elementwise || op.is_reduction || op.is_product;
  }
  /// Whether kernel `late` finds the node in memory without its being kept longer.
  constexpr bool is_there(int id, int late) const {
    if (is_input(g_[id])) return true;
    int const m = p_.at.start[id];
    return is_kept(id) && p_.of.start[m].kernel < late && last_.entry[m] >= late;
  }

  /// Flops of computing `id` again for kernel `late`; -1 if that cannot be.
  constexpr std::int64_t cost_of(int id, int late) const {
    std::int64_t flops = 0;
    sequence<int> cone;
    cone.push_back(id);
    for (std::size_t i = 0; i < cone.size(); ++i) {
      int const each = cone.entry[i];
      if (!is_repeatable(each) && !facts_of(g_[each]).is_view) return -1;
      flops += flops_of(g_, each);
      for (int o : g_.operands(each)) {
        if (facts_of(g_[o]).is_nullary || is_there(o, late)) continue;
        bool found = false;
        for (int other : cone) found = found || other == o;
        if (!found) cone.push_back(o);
      }
      if (cone.size() > largest_cone) return -1;
    }
    return flops;
  }

  constexpr sequence<candidate> candidates() const {
    sequence<candidate> all;
    for (int id = 0; id < g_.size(); ++id) {
      int const m = p_.at.start[id];
      if (m < 0 || !p_.values.start[m].computed || !is_repeatable(id)) continue;
      int const made = p_.of.start[m].kernel;
      if (made > peak_) continue;
      if (!p_.of.start[m].stored && made == peak_ && !p_.of.start[m].repeated) {
        std::int64_t freed = -padded_bytes(g_[id]);
        for (int reader = id + 1; reader < g_.size(); ++reader) {
          int const r = p_.at.start[reader];
          if (r < 0 || p_.of.start[r].kernel != made || !is_kept(reader)) continue;
          for (int o : g_.operands(reader))
            if (o == id) {
              freed += padded_bytes(g_[reader]);
              break;
            }
        }
        if (freed > 0) all.push_back({id, true, 0, std::min(freed, wanted_), 0});
      }
      int const late = first_after_.entry[m];
      if (late == never || !is_kept(id) || (last_before_.entry[m] >= peak_ && made < peak_)) continue;
      if (made == peak_ && last_before_.entry[m] >= 0) continue;
      std::int64_t const flops = cost_of(id, late);
      if (flops < 0) continue;
      all.push_back(
          {id, false, flops, std::min(padded_bytes(g_[id]), wanted_), late - std::max(made, last_before_.entry[m])});
    }
    return all;
  }

  constexpr graph begun() const {
    graph to;
    to.reserve(2 * g_.size());
    to.pool = sequence<std::uint64_t>(g_.pool.begin(), g_.pool.end());
    return to;
  }
  constexpr int kept_view(graph& to, int id) const {
    int const operand[] = {id};
    return to.insert(opcode_of<op::reshape>, to[id].type, to[id].extent, stamp_, operand);
  }

  constexpr graph keep_source(int source) const {
    graph to = begun();
    sequence<int> at = filled(g_.nodes.size(), -1), operands;
    for (int id = 0; id < g_.size(); ++id) {
      node const& n = g_[id];
      operands.clear();
      for (int o : g_.operands(id)) operands.push_back(o == source ? kept_view(to, at.entry[o]) : at.entry[o]);
      at.entry[id] = to.insert(n.op, n.type, n.extent, n.attributes, operands);
    }
    for (int output : g_.outputs) to.outputs.push_back(at.entry[output]);
    return drop_dead(to);
  }

  struct rewriting {
    graph to;
    sequence<int> at, again, later;  // by node: in the new graph, computed again, and as late readers see it
    int value = -1, late = 0;        // what is computed again, and the first kernel that reads that
  };
  /// The node, computed again from what is in memory.
  constexpr int again(rewriting& r, int id) const {
    if (r.again.entry[id] >= 0) return r.again.entry[id];
    node const& n = g_[id];
    int made = r.at.entry[id];
    if (!facts_of(n).is_nullary || is_input(n)) {
      if (id != r.value && is_there(id, r.late)) {
        made = kept_view(r.to, made);
      } else {
        sequence<int> operands;
        for (int o : g_.operands(id)) operands.push_back(again(r, o));
        made = r.to.insert(n.op, n.type, n.extent, n.attributes, operands);
      }
    }
    return r.again.entry[id] = made;
  }
  /// The node that a late reader of `id` reads: the same, unless it is the value or a view of it.
  constexpr int later(rewriting& r, int id) const {
    if (r.later.entry[id] >= 0) return r.later.entry[id];
    node const& n = g_[id];
    int const m = p_.at.start[id];
    int seen = r.at.entry[id];
    if (id == r.value) {
      seen = again(r, id);
    } else if (id > r.value && m >= 0 && !is_input(n) && !p_.of.start[m].stored && passes_through(m) &&
               !facts_of(n).is_assembly) {
      sequence<int> operands;
      for (int o : g_.operands(id)) operands.push_back(later(r, o));
      seen = r.to.insert(n.op, n.type, n.extent, n.attributes, operands);
    }
    return r.later.entry[id] = seen;
  }
  constexpr graph recompute(int value) const {
    rewriting r;
    r.to = begun();
    r.at = filled(g_.nodes.size(), -1);
    r.again = r.at;
    r.later = r.at;
    r.value = value;
    r.late = first_after_.entry[p_.at.start[value]];
    sequence<int> operands;
    for (int id = 0; id < g_.size(); ++id) {
      node const& n = g_[id];
      int const m = p_.at.start[id];
      bool const is_late = m >= 0 && !passes_through(m) && p_.of.start[m].kernel > peak_;
      operands.clear();
      for (int o : g_.operands(id)) operands.push_back(is_late ? later(r, o) : r.at.entry[o]);
      r.at.entry[id] = r.to.insert(n.op, n.type, n.extent, n.attributes, operands);
    }
    for (int output : g_.outputs) {
      int const m = p_.at.start[output];
      r.to.outputs.push_back(m >= 0 && passes_through(m) && first_after_.entry[m] != never ? later(r, output)
                                                                                           : r.at.entry[output]);
    }
    return drop_dead(r.to);  // in the order it has, what is computed again stands right before its first reader
  }
};

}  // namespace detail

/// The program that needs less memory where most is in use: without its `rank`-th best candidate (cheapest by flops for
/// each byte that is above `budget`). It has no outputs if there is none. `stamp` is another number for every step.
constexpr graph rematerialise(running_program const& p, std::int64_t budget, int rank, int stamp) {
  return detail::rematerialiser(p, budget, static_cast<attribute>(stamp)).without(rank);
}

}  // namespace pass
ETCH_NAMESPACE_END
