// split_at_joins: what is computed entry by entry from values that are put together from parts, such as a grid beside
// itself shifted by one, is computed region by region, each of which reads of every such value one part, where it lies
// (index-set splitting: M. Griebl, P. Feautrier, C. Lengauer, 2000). So nothing is put together in memory first, and
// contributions to regions of an adjoint are added in registers.
#pragma once

#include <etch/op/slice.hpp>
#include <etch/rewrite/grid.hpp>
#include <etch/rewrite/in_parts.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// Where to split: where the pass gains by it, or for tests wherever it can.
enum class splitting : std::uint8_t { where_worthwhile, everywhere };

/// `left`: how many nodes may still be made of others.
constexpr graph split_at_joins(graph_view g, splitting where, int& left);

namespace detail {

/// How much of it a compiler takes within its limits: nodes that are made in all the graphs of a program, and nodes of
/// a graph that is looked at closely.
inline constexpr int most_pieces = 320;
inline constexpr std::size_t most_nodes_to_split = 1000;

class split_by_regions {
 public:
  constexpr split_by_regions(graph_view g, splitting where, int& left)
      : g_(g),
        where_(where),
        left_(left),
        grid_of_(filled(g.nodes.size(), none)),
        is_whole_(filled(g.nodes.size(), false)) {
    if (g.nodes.size() > most_nodes_to_split) return;
    sequence<bool> const vanishes = read_entrywise();
    for (int id = 0; id < g.size(); ++id)
      if (vanishes.entry[id]) cut_at_parts(id);
    leave_out_grids();
    if (has_grid()) spread(vanishes);
  }

  /// Whether anything is computed by regions.
  constexpr bool any() const {
    for (int each : grid_of_)
      if (each >= 0) return true;
    return false;
  }

  constexpr graph run() {
    graph to = empty_like(g_, true);
    at_ = filled(g_.nodes.size(), none);
    first_piece_ = filled(g_.nodes.size(), none);
    sequence<bool> const in_parts = read_in_parts(g_, [&](int id) { return grid_of_.entry[id] >= 0; });
    sequence<int> operands;
    for (int id = 0; id < g_.size(); ++id) {
      node const& n = g_.nodes.start[id];
      if (grid_of_.entry[id] >= 0) split(to, id);
      else if (is_sum_of_all(id) && grid_of_.entry[g_.operands(id)[0]] >= 0) sum_by_regions(to, id);
      else if (facts_of(n).is_loop)
        at_.entry[id] = changed_loop(to, n, mapped(g_, id, at_, operands), [&](loop_body& l) {
                          if (!l.points) l.body = split_at_joins(l.body, where_, left_);
                        }).id;
      else at_.entry[id] = rules_of(n).insert(to, n, mapped(g_, id, at_, operands)).id;
      if (in_parts.entry[id] && grid_of_.entry[id] < 0 && array_behind(g_, id) >= 0)
        again_in_parts_.push_back(at_.entry[id]);
    }
    for (int output : g_.outputs) to.outputs.push_back(at_.entry[output]);
    return to;
  }

 private:
  static constexpr int none = -1, no_reader = -2;

  graph_view g_;
  splitting where_;
  int& left_;
  sequence<grid> grids_;
  sequence<int> grid_of_;    // of a node that is computed by regions
  sequence<bool> is_whole_;  // whether such a node is read as a whole too
  sequence<int> at_;
  sequence<int> first_piece_;     // of such a node
  sequence<int> pieces_;          // by node and region
  sequence<int> again_in_parts_;  // nodes of the new graph of which each part that is read is computed anew

  /// Whether node `id` adds all entries, which it may do region by region.
  constexpr bool is_sum_of_all(int id) const { return g_[id].op == opcode_of<op::sum> && g_[id].extent.size() == 1; }

  /// By node: whether it is put together from parts, and only ever read entry by entry.
  constexpr sequence<bool> read_entrywise() const {
    sequence<bool> only = filled(g_.nodes.size(), false);
    for (int id = 0; id < g_.size(); ++id) {
      node const& n = g_.nodes.start[id];
      only.entry[id] = facts_of(n).is_assembly && n.extent.counted == 0;
      for (int each : g_.operands(id))
        if (only.entry[each] && !(is_entrywise(n) && same_extents(g_[each].extent, n.extent))) only.entry[each] = false;
    }
    for (int output : g_.outputs) only.entry[output] = false;
    return only;
  }

  /// Leaves out grids that cannot be used or, as far as is known by now, not with gain.
  constexpr void leave_out_grids() {
    for (grid& each : grids_)
      each.is_usable = each.is_usable && each.count() > 1 && each.count() <= grid::most_regions &&
                       (where_ == splitting::everywhere || each.is_worthwhile());
  }
  constexpr bool has_grid() const {
    for (grid const& each : grids_)
      if (each.is_usable) return true;
    return false;
  }
  constexpr int grid_like(shape const& s) const {
    for (std::size_t i = 0; i < grids_.size(); ++i)
      if (same_extents(grids_[i].whole, s)) return static_cast<int>(i);
    return none;
  }
  /// Cuts the grid of node `id` where its parts begin and end.
  constexpr void cut_at_parts(int id) {
    int which = grid_like(g_[id].extent);
    if (which == none) {
      which = static_cast<int>(grids_.size());
      grids_.push_back({g_[id].extent});
    }
    cut_at_parts(grids_[static_cast<std::size_t>(which)], id, 0);
  }
  /// The same, where `id` may be a part itself, along `axes` already.
  constexpr void cut_at_parts(grid& to, int id, unsigned axes) const {
    bool const is_join = g_[id].op == opcode_of<op::join>;
    for (int each : g_.operands(id)) {
      int const embedded = is_join ? each : id, part = is_join ? g_.operands(each)[0] : each;
      region const r(g_[embedded].attributes);
      to.is_usable = to.is_usable && r.step == 1 && ((axes >> r.axis) & 1) == 0;
      to.cut(r.axis, r.begin);
      to.cut(r.axis, r.begin + g_[part].extent[r.axis]);
      if (facts_of(g_[part]).is_assembly) cut_at_parts(to, part, axes | 1u << r.axis);
      else if (facts_of(g_[part]).is_view || facts_of(g_[part]).is_nullary) to.copied += g_[part].extent.size();
    }
  }

  /// Finds what is computed by regions: entry by entry from what is put together, or from what is computed so, or read
  /// by nothing else; and what of it is read as a whole too. A sum of all entries reads region by region.
  constexpr void spread(sequence<bool> const& vanishes) {
    for (int id = 0; id < g_.size(); ++id) {
      node const& n = g_.nodes.start[id];
      if (!is_entrywise(n)) continue;
      for (int each : g_.operands(id)) {
        if (!same_extents(g_[each].extent, n.extent)) continue;
        int const of = vanishes.entry[each] ? grid_like(n.extent) : grid_of_.entry[each];
        if (of >= 0 && grids_[static_cast<std::size_t>(of)].is_usable) grid_of_.entry[id] = of;
      }
    }
    sequence<int> by = filled(g_.nodes.size(), no_reader);  // the grid that all readers have
    sequence<bool> in_memory = filled(g_.nodes.size(), false), is_sliced = in_memory;
    auto const is_for_sums = [&](int id) {  // whether only sums of all entries read it, or what only they read
      return grid_of_.entry[id] < 0 && by.entry[id] == no_reader && is_entrywise(g_[id]);
    };
    for (int output : g_.outputs) by.entry[output] = none, in_memory.entry[output] = true;
    for (int id = g_.size(); id-- > 0;) {
      node const& n = g_.nodes.start[id];
      int& own = grid_of_.entry[id];
      if (own < 0 && by.entry[id] >= 0 && is_entrywise(n)) own = by.entry[id];
      is_whole_.entry[id] = own >= 0 && by.entry[id] != own && by.entry[id] != no_reader;
      bool const reads_in_registers = facts_of(n).is_elementwise || facts_of(n).is_reduction;
      for (int each : g_.operands(id)) {
        in_memory.entry[each] = in_memory.entry[each] || !reads_in_registers;
        is_sliced.entry[each] = is_sliced.entry[each] || n.op == opcode_of<op::slice>;
        bool const is_beside = same_extents(g_[each].extent, n.extent);
        if (is_sum_of_all(id) || (is_for_sums(id) && is_beside)) continue;  // which take what there is
        int const here = own >= 0 && is_beside ? own : none;
        int& all = by.entry[each];
        all = all == no_reader || all == here ? here : none;
      }
    }
    for (int id = 0; id < g_.size(); ++id) {  // what only such sums read follows its operands
      node const& n = g_.nodes.start[id];
      int& own = grid_of_.entry[id];
      for (int each : g_.operands(id))
        if (is_for_sums(id) && same_extents(g_[each].extent, n.extent)) own = grid_of_.entry[each];
      if (own < 0) continue;
      grid& of = grids_[static_cast<std::size_t>(own)];
      ++of.nodes;
      of.sliced += is_sliced.entry[id];
      if (is_whole_.entry[id] && !in_memory.entry[id]) of.stored += n.extent.size();
    }
    leave_out_grids();
    for (grid& each : grids_) {
      each.is_usable = each.is_usable && each.nodes * each.count() <= left_;
      if (each.is_usable) left_ -= each.nodes * each.count();
    }
    for (int& of : grid_of_)
      if (of >= 0 && !grids_[static_cast<std::size_t>(of)].is_usable) of = none;
  }

  /// Computes node `id` by regions. Zeros around a part stay zeros that are computed with: 0 - 0 is 0, and -0 is not.
  constexpr void split(graph& to, int id) {
    node const& n = g_.nodes.start[id];
    grid const& of = grids_[static_cast<std::size_t>(grid_of_.entry[id])];
    int const first = first_piece_.entry[id] = static_cast<int>(pieces_.size());
    sequence<int> operands;
    for (int i = 0; i < of.count(); ++i) {
      grid::box const box = of.region_at(i);
      bool is_beside_part = false;
      operands.clear();
      for (int each : g_.operands(id)) {
        if (grid_of_.entry[each] == grid_of_.entry[id]) {
          operands.push_back(pieces_.entry[first_piece_.entry[each] + i]);
        } else {
          term const whole{&to, at_.entry[each]}, x = within(whole, box);
          is_beside_part = is_beside_part || (is_constant(x) && !is_constant({&to, beneath_views(to, whole.id)}));
          operands.push_back(x.id);
        }
      }
      to.simplifying = !is_beside_part;
      int const piece = rules_of(n).insert(to, n, operands).id;
      to.simplifying = true;
      pieces_.push_back(fit({&to, piece}, box.extent).id);
    }
    if (is_whole_.entry[id]) at_.entry[id] = fit(whole_of(to, of, first, n.extent), n.extent).id;
  }
  constexpr void sum_by_regions(graph& to, int id) {
    int const of = g_.operands(id)[0];
    term sum{};
    for (int i = 0; i < grids_[static_cast<std::size_t>(grid_of_.entry[of])].count(); ++i) {
      fixed<int, 1> const operands{ranked(to, first_piece_.entry[of] + i, g_[of].extent.rank).id};
      sum = etch::detail::total(sum, rules_of(g_[id]).insert(to, g_[id], operands));
    }
    at_.entry[id] = sum.id;
  }
  /// Piece `number`, with the rank of what it is a piece of.
  constexpr term ranked(graph& to, int number, int rank) const {
    term const piece{&to, pieces_.entry[number]};
    shape s = piece.extent();
    s.rank = rank;
    return reshaped(piece, s);
  }
  /// Of `x`, which is as large as the whole or broadcasts to it, what is in `box`. What is put together along an axis
  /// is cut along it first: by the identities of `slice`, what is left is a part.
  constexpr term within(term x, grid::box const& box) const {
    unsigned done = 0;
    for (int step = 0; step < max_rank; ++step) {
      int axis = facts_of((*x.owner)[x.id]).is_assembly ? axis_of_parts(x) : -1;
      if (axis < 0 || ((done >> axis) & 1) != 0)
        for (axis = 0; ((done >> axis) & 1) != 0;) ++axis;
      done |= 1u << axis;
      if (x.extent()[axis] > 1 && x.extent()[axis] != box.extent[axis])
        x = slice(x, region(axis, box.begin[static_cast<std::size_t>(axis)]), box.extent[axis]);
    }
    x = computed_of_part(x, again_in_parts_);
    bool const is_fitted = is<op::broadcast>(x) || is<op::reshape>(x);
    return is_fitted && is_constant(x.operand(0)) ? x.operand(0) : x;
  }
  static constexpr int axis_of_parts(term x) {
    term const part = is<op::join>(x) ? x.operand(0) : x;
    return region(part->attributes).axis;
  }
  /// All regions together again, whose pieces are from `first` on; of the rank of `s`, so that the value is no view.
  constexpr term whole_of(graph& to, grid const& of, int first, shape const& s) const {
    sequence<term> now, next, stretch;
    for (int i = 0; i < of.count(); ++i) now.push_back(ranked(to, first + i, s.rank));
    for (int axis = 0; axis < max_rank; ++axis) {
      grid::cuts const& cuts = of.along[static_cast<std::size_t>(axis)];
      if (cuts.count == 1) continue;
      next.clear();
      for (std::size_t at = 0; at < now.size();) {
        shape joined = now[at].extent();
        joined[axis] = of.whole[axis];
        stretch.clear();
        for (int i = 0; i < cuts.count; ++i)
          stretch.push_back(embed(now[at++], joined, region(axis, cuts.at.entry[i])));
        next.push_back(sum_of(stretch));
      }
      now = next;
    }
    return now[0];
  }
};

}  // namespace detail

constexpr graph split_at_joins(graph_view g, splitting where, int& left) {
  return detail::split_by_regions(g, where, left).run();
}
/// Computes the same values.
constexpr graph split_at_joins(graph_view g) {
  int left = detail::most_pieces;
  return split_at_joins(g, splitting::where_worthwhile, left);
}

/// Whether something is worth splitting, perhaps in a loop. A quick look comes before the closer one.
constexpr bool has_regions(graph_view g) {
  bool may_have = false;
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g.nodes.start[id];
    op_facts const& facts = facts_of(n);
    std::int64_t const size = n.extent.size();
    if (facts.is_elementwise && (size >= 2 * detail::grid::least_entries || size <= detail::grid::most_regions)) {
      for (int each : g.operands(id)) may_have = may_have || facts_of(g[each]).is_assembly;
    } else if (facts.is_loop) {
      const_span<std::uint64_t> const words = words_at(g.pool, n.attributes);
      if (!is_of_points(words) && has_regions(loop_of(words).body)) return true;
    }
  }
  int left = detail::most_pieces;
  return may_have && detail::split_by_regions(g, splitting::where_worthwhile, left).any();
}

}  // namespace pass
ETCH_NAMESPACE_END
