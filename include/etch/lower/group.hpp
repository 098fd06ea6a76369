// group: decides which kernel computes each node, and which values are kept in memory.
#pragma once

#include <etch/lower/node_facts.hpp>

#include <algorithm>
#include <limits>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The kernel that computes a node, if any, and how.
struct membership {
  int kernel = -1;        ///< -1 for what no kernel computes
  bool stored = false;    ///< kept in memory
  bool repeated = false;  ///< computed in every kernel that reads it
};

/// The membership of every node, and the number of kernels, some of which may turn out empty.
struct grouping {
  sequence<membership> of;
  int kernels = 0;
};

/// A kernel as far as the choice of its nodes depends on it.
struct kernel_facts {
  static constexpr int largest_body = 64;    ///< instructions in one kernel
  static constexpr int most_operands = 252;  ///< of the instructions in one kernel that is no loop, but registers

  shape space{};
  element type{};
  form computes{};
  bool can_reduce = false;
  bool is_straight = false;  ///< one entry, a point in each lane: cut in two, it would only go through memory
  int instructions = 0, operands = 0;

  constexpr bool has_room() const {
    return instructions < largest_body || (is_straight && operands + 3 <= most_operands);
  }
  constexpr bool fits(node_facts const& v) const {
    return !reads_whole_operands(computes) && type == v.type && same_extents(space, v.space) && has_room();
  }
  constexpr void add(node const& n) { ++instructions, operands += n.arity; }
  constexpr void remove(node const& n) { --instructions, operands -= n.arity; }
};

/// The earliest kernel that can compute each node.
struct assignment {
  sequence<membership> of;
  sequence<kernel_facts> kernels;
};

namespace detail {

/// Works on a materialised graph in two steps: `assign` puts every node into the earliest kernel that can compute it,
/// `settle` decides which values are kept in memory, moved to where they are used, or computed again there.
class grouper {
 public:
  constexpr grouper(graph_view g, const_span<node_facts> values) : g_(g), values_(values) {
    of_ = filled(g.nodes.size(), membership{});
    kernels_.reserve(g.nodes.size());
  }
  constexpr grouper(graph_view g, const_span<node_facts> values, assignment from)
      : g_(g), values_(values), of_(std::move(from.of)), kernels_(std::move(from.kernels)) {}

  constexpr assignment assigned() {
    assign();
    return {std::move(of_), std::move(kernels_)};
  }
  constexpr grouping settled() {
    settle();
    return {std::move(of_), static_cast<int>(kernels_.size())};
  }

 private:
  static constexpr int cheap = 6;               ///< cost up to which a value is rather computed again than kept
  static constexpr int kernels_looked_at = 16;  ///< how far back a node looks for a kernel to join
  static constexpr int small = 4096;  ///< entries up to which loops are joined though they have nothing in common

  /// Whether the kernel's epilogue can reduce: not that of a convolution, nor of a product of points in lanes.
  static constexpr bool is_dense_product(node_facts const& v) {
    return v.op->convolves == convolved::nothing && !is_lanes(v.type);
  }

  graph_view g_;
  const_span<node_facts> values_;
  sequence<membership> of_;
  sequence<kernel_facts> kernels_;

  /// All nodes, each after its operands: what follows from scalars alone comes first. Computed with a scalar that waits
  /// for a loop, such a one would keep what reads it out of that loop.
  constexpr sequence<int> scalars_first() const {
    sequence<int> order, others;
    order.reserve(g_.nodes.size());
    others.reserve(g_.nodes.size());
    sequence<char> waits = sequence<char>::zeros(g_.nodes.size());
    int const* const edges = g_.edges.start;
    for (int id = 0; id < static_cast<int>(g_.nodes.count); ++id) {
      node_facts const& x = values_.start[id];
      node const& n = g_.nodes.start[id];
      bool late = x.computed && (x.computes != form::elementwise || x.space.size() > 1);
      for (int i = 0; !late && i < n.arity; ++i) late = waits.entry[edges[n.first_operand + i]];
      waits.entry[id] = late;
      (late ? others : order).push_back(id);
    }
    for (int id : others) order.push_back(id);
    return order;
  }

  /// The kernel that computes another adjoint of the same function of the user's for the same operands; -1 if there is
  /// none.
  constexpr int kernel_beside(int id) const {
    for (int other = 0; other < g_.size(); ++other) {
      if (of_.entry[other].kernel < 0 || !values_.start[other].op->is_opaque ||
          !opaque_call(g_[id].attributes).is_beside(opaque_call(g_[other].attributes)))
        continue;
      bool same = true;
      for (int i = 0; same && i < g_[id].arity; ++i)
        same = g_.edges.start[first_operand(id) + i] == g_.edges.start[first_operand(other) + i];
      if (same) return of_.entry[other].kernel;
    }
    return -1;
  }

  constexpr void assign() {
    node_facts const* const v = values_.start;
    int const* const edges = g_.edges.start;
    membership* const member = of_.begin();
    sequence<int> last_reader = filled(g_.nodes.size(), -1);  // the last large loop that was given a reader of a node
    for (int id : scalars_first()) {
      node_facts const& x = v[id];
      if (x.joined)
        for (int part : g_.operands(id))
          member[id].kernel = std::max(member[id].kernel, member[g_.operands(part).start[0]].kernel);
      if (!x.computed) continue;
      if (x.op->is_result) {
        member[id].kernel = member[edges[first_operand(id)]].kernel;
        continue;
      }
      if (x.op->is_opaque)
        if (int const beside = kernel_beside(id); beside >= 0) {
          member[id].kernel = beside;
          continue;
        }
      int earliest = 0;
      int producer = -1;  // the kernel that has an operand in a register
      bool late = false;  // it is computed again, which is of use only where its readers are
      int const begin = first_operand(id), end = behind_operands(id);
      for (int i = begin; i < end; ++i) {
        int const o = edges[i];
        late = late || v[o].kept;
        node_facts const& root = v[v[o].root];
        if (!root.computed && !root.joined) continue;
        int const k = member[v[o].root].kernel;
        kernel_facts const& made = kernels_.entry[k];
        bool const in_register = aligned(v[o], root, x) && made.fits(x) && (made.can_reduce || !x.op->is_reduction);
        if (in_register && producer < k) producer = k;
        if (int const after = in_register ? k : k + 1; earliest < after) earliest = after;
      }
      int chosen = producer == earliest ? producer : -1;
      int const last = static_cast<int>(kernels_.count) - 1;
      bool const is_large = x.space.size() > small;
      if (x.computes == form::elementwise && chosen < 0 && !late) {
        kernel_facts const* const kernel = kernels_.begin();
        auto const joins = [&](int k) {
          if (chosen < 0 && k >= earliest && kernel[k].computes == form::elementwise && kernel[k].type == x.type &&
              kernel[k].has_room() && same_extents(kernel[k].space, x.space))
            chosen = k;
        };
        // Large loops are joined where that saves reading a value twice; otherwise each result would
        // only wait longer for its reader.
        if (!is_large)
          for (int k = last; chosen < 0 && k >= earliest && k > last - kernels_looked_at; --k) joins(k);
        else
          for (int i = begin; i < end; ++i) joins(last_reader.entry[v[edges[i]].root]);
      }
      if (chosen < 0) {
        chosen = last + 1;
        kernels_.push_back({x.space, x.type, x.computes, x.computes == form::elementwise || is_dense_product(x),
                            x.computes == form::elementwise && is_lanes(x.type) && x.space.size() == 1});
      }
      kernels_.entry[chosen].add(g_.nodes.start[id]);
      member[id].kernel = chosen;
      if (x.computes == form::elementwise && is_large)
        for (int i = begin; i < end; ++i) last_reader.entry[v[edges[i]].root] = chosen;
    }
  }

  static constexpr int nothing = -1, several = -2, most_expensive = 1000;

  // Operands by their positions among the edges: fewer steps than a range.
  constexpr int first_operand(int id) const { return g_.nodes.start[id].first_operand; }
  constexpr int behind_operands(int id) const { return g_.nodes.start[id].first_operand + g_.nodes.start[id].arity; }

  /// Facts of a value that kernels read.
  struct use {
    bool leaves = false;                // another kernel than its own reads it
    bool free = false;                  // it can be computed at any later point from memory alone ...
    int cost = 0;                       // ... at this cost ...
    int from = nothing;                 // ... the last value that alone it follows from, in memory or not
    bool only_leaves = false;           // it is in memory for no other reason
    int large = nothing;                // the one such value, as large as this, that it follows from
    int first = 0x7fffffff, last = -1;  // kernels that read it
  };

  /// The last value that both `a` and `b` follow from alone, or are.
  static constexpr int common(use const* u, int a, int b) {
    while (a != b && a >= 0 && b >= 0) {
      int& later = a > b ? a : b;
      later = u[later].from == nothing ? several : u[later].from;
    }
    return a == b ? a : several;
  }

  constexpr void settle() {
    int const count = g_.size();
    int const* const edges = g_.edges.start;
    node_facts const* const v = values_.start;
    membership* const member = of_.begin();
    kernel_facts* const kernel = kernels_.begin();
    // Values that must be in memory whoever reads them: outputs, reductions, parts, and whatever is
    // read other than entry for entry.
    for (int output : g_.outputs) member[output].stored = true;
    for (int id = 0; id < count; ++id) {
      node_facts const& x = v[id];
      if (x.joined)
        for (int part : g_.operands(id)) member[g_.operands(part).start[0]].stored = true;
      if (!x.computed) continue;
      if (x.op->is_reduction || x.computes == form::block || x.op->is_result) member[id].stored = true;
      for (int i = first_operand(id), end = x.op->is_result ? i : behind_operands(id); i < end; ++i)
        if (v[v[edges[i]].root].computed && !aligned(v[edges[i]], v[v[edges[i]].root], x))
          member[v[edges[i]].root].stored = true;
    }

    // So must what another kernel than its own reads and does not compute itself from memory alone.
    sequence<use> uses = filled(g_.nodes.size(), use{});
    use* const u = uses.begin();
    for (int id = 0; id < count; ++id) {
      if (!v[id].computed) continue;
      for (int i = first_operand(id), end = behind_operands(id); i < end; ++i) {
        int const r = v[edges[i]].root;
        u[r].leaves = u[r].leaves || member[r].kernel != member[id].kernel;
      }
    }
    for (int id = 0; id < count; ++id) {
      use& x = u[id];
      if (v[id].op->is_elementwise) {
        x.free = true, x.cost = v[id].op->cost;
        for (int i = first_operand(id), end = behind_operands(id); i < end; ++i) {
          int const r = v[edges[i]].root;
          if (!v[r].op->is_nullary || is_input(g_.nodes.start[r]))
            x.from = x.from == nothing || x.from == r ? r : x.from == several ? several : common(u, x.from, r);
          if (!v[r].computed) continue;
          int large = u[r].large;
          if (member[r].stored) {
            large = u[r].only_leaves && g_[r].extent.size() >= g_[id].extent.size() ? r : nothing;
          } else {
            x.free = x.free && u[r].free;
            x.cost = x.cost + u[r].cost < most_expensive ? x.cost + u[r].cost : most_expensive;
          }
          x.large = x.large == nothing || x.large == large ? large : large == nothing ? x.large : several;
        }
      }
      if (v[id].computed && !x.free && x.leaves && !member[id].stored) member[id].stored = x.only_leaves = true;
    }
    // A value that follows from a larger one alone, which nobody reads later, is kept: then the larger one need not be.
    auto const is_rest = [&](int id) {
      use const& x = u[id];
      return x.from >= 0 && member[x.from].stored && g_[x.from].extent.size() > g_[id].extent.size() &&
             u[x.from].last < x.first;
    };
    // From the outputs down: every reader's place is known when a node is reached.
    for (int id = count - 1; id >= 0; --id) {
      if (!v[id].computed) continue;
      membership& m = member[id];
      use const& x = u[id];
      bool const read_elsewhere = x.last >= 0 && !(x.first == m.kernel && x.last == m.kernel);
      if (!m.stored && read_elsewhere) {
        bool const waits = x.free && x.large != several && !is_rest(id);  // two large values take more memory than one
        bool const movable = waits && x.first > m.kernel && kernel[x.first].has_room();
        bool const moves = movable && x.first == x.last;
        m.repeated = !moves && waits && x.cost <= cheap && kernel[x.first].has_room() && kernel[x.last].has_room();
        m.stored = !moves && !m.repeated;
        if (m.repeated) {
          kernel[x.first].add(g_.nodes.start[id]);
          kernel[x.last].add(g_.nodes.start[id]);
        } else if (movable) {
          kernel[m.kernel].remove(g_.nodes.start[id]);
          m.kernel = x.first;
          kernel[m.kernel].add(g_.nodes.start[id]);
        }
      }
      int const first = m.repeated ? x.first : m.kernel, last = m.repeated ? x.last : m.kernel;
      for (int i = first_operand(id), end = behind_operands(id); i < end; ++i)
        if (use& r = u[v[edges[i]].root]; r.first > first || r.last < last)
          r.first = r.first < first ? r.first : first, r.last = r.last > last ? r.last : last;
    }
  }
};

}  // namespace detail

/// The first step of `group`,
constexpr assignment assign(graph_view g, const_span<node_facts> values) {
  return detail::grouper(g, values).assigned();
}
/// and the second.
constexpr grouping settle(graph_view g, const_span<node_facts> values, assignment from) {
  return detail::grouper(g, values, std::move(from)).settled();
}
/// Element-wise chains and the reductions that end them go into one loop; the element-wise tail of a product, with the
/// reductions that end it, into its epilogue.
constexpr grouping group(graph_view g, const_span<node_facts> values) { return settle(g, values, assign(g, values)); }

}  // namespace pass
ETCH_NAMESPACE_END
