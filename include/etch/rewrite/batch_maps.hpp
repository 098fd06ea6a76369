// batch_maps: a loop of points becomes operations on all points at once, along one more axis, where it multiplies by a
// matrix that is the same at all points, or picks columns of one: so one large product takes the place of many small
// ones, and columns are moved as they lie.
#pragma once

#include <etch/base/machine.hpp>
#include <etch/op/index.hpp>
#include <etch/rewrite/arrival.hpp>
#include <etch/rewrite/counted.hpp>
#include <etch/rewrite/in_lanes.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

constexpr graph batch_maps(graph_view g);

namespace detail {

/// A matrix of fewer rows or columns, or fewer bytes, is multiplied faster with the points in lanes, and so is a vector
/// of fewer bytes, of which a point has a dot product (measured).
inline constexpr int least_batched_extent = 8, least_batched_bytes = 2048, least_dotted_bytes = 128;
/// Columns of fewer entries, and those that are cut into numbers, are picked as fast by points in lanes.
inline constexpr int least_picked_entries = 8;
/// As many points as a strip has at least.
inline constexpr int narrowest_strip = 8;

/// The body of a loop of points with the points as a further axis, behind the own axes of each value.
class batched_body {
 public:
  /// Of the loop `l`, which is node `loop` of `g`.
  constexpr batched_body(graph_view g, int loop, loop_body const& l)
      : l_(l),
        b_(l.body),
        operands_(g.operands(loop)),
        outside_(g),
        varies_(varying_nodes(l, true)),
        chooses_(chooses(l.body)) {}

  /// Whether a product or a picked column pays, every op on what differs from point to point has a rule, and a cache
  /// holds what these make of all points, or of strips of them.
  constexpr bool is_worth() const {
    bool pays = false, picks = false, cuts = false;
    sequence<char> follows = sequence<char>::zeros(b_.nodes.size());  // from columns that are picked
    std::int64_t bytes = 0;
    for (int id = 0; id < b_.size(); ++id) {
      node const& n = b_[id];
      if (facts_of(n).has_words || (varies_.entry[id] && !has_rule(id))) return false;
      bool const is_dot = is_long_dot(id), is_picked = varies_.entry[id] && picks_columns(id);
      pays = pays || is_dot || pays_at(id);
      picks = picks || (is_picked && n.extent.size() >= least_picked_entries * columns_picked(id));
      follows.entry[id] = is_picked;
      for (int operand : b_.operands(id)) follows.entry[id] |= follows.entry[operand];
      cuts = cuts || (follows.entry[id] && n.op == opcode_of<op::slice>);
      if (is_dot || is_picked || (n.op == opcode_of<op::matmul> && varies_.entry[id]))
        bytes += n.extent.size() * bytes_of(n.type);
    }
    return (pays || (picks && !cuts)) && can_be_cut_into(static_cast<int>(second_cache_bytes / bytes));
  }

  /// The results of the loop, computed in `to`, where its operands are `operands`.
  constexpr sequence<term> put(graph& to, const_span<int> operands) {
    to_ = &to;
    at_.reserve(b_.nodes.size());
    for (int id = 0; id < b_.size(); ++id) {
      node const& n = b_[id];
      if (n.op == opcode_of<op::input>) at_.push_back({&to, operands[static_cast<std::size_t>(n.attributes)]});
      else if (!varies_.entry[id]) at_.push_back(inserted(id, n, n.extent.rank));
      else
        at_.push_back(reshaped(n.op == opcode_of<op::matmul>   ? product(id)
                               : is_long_dot(id)               ? dot(id)
                               : n.op == opcode_of<op::gather> ? picked(id)
                                                               : batched(id),
                               batch(n.extent)));
    }
    sequence<term> results;
    for (std::size_t r = 0; r < l_.out.size(); ++r) {
      int const id = b_.outputs.entry[r];
      shape const& s = b_[id].extent;
      if (l_.out.entry[r] == loop_output::stack) results.push_back(whole(id, s.rank));
      else if (!varies_.entry[id]) results.push_back(at_.entry[id] * static_cast<double>(l_.count));
      else results.push_back(reshaped(emit<op::sum>(attribute{1} << s.rank, at_.entry[id]), s));
    }
    return results;
  }

 private:
  loop_body const& l_;
  graph const& b_;
  const_span<int> operands_;  // of the loop
  graph_view outside_;
  sequence<char> varies_;
  bool chooses_;  // where something does not arrive, what a product makes of several columns knows nothing of it
  graph* to_ = nullptr;
  sequence<term> at_;

  /// Whether there are no more points than `most`, or they can be cut into equal strips of at most so many.
  constexpr bool can_be_cut_into(int most) const {
    if (l_.count <= most) return true;
    while (most >= narrowest_strip && l_.count % most != 0) --most;
    return most >= narrowest_strip;
  }
  /// Whether the node is columns that are picked, at each point or before the loop.
  constexpr bool picks_columns(int id) const {
    node const& n = b_[id];
    if (n.op != opcode_of<op::input>) return n.op == opcode_of<op::gather>;
    node const& from = outside_[operands_[static_cast<std::size_t>(n.attributes)]];
    return from.op == opcode_of<op::gather> && op::index_axis(from.attributes).axis == n.extent.rank;
  }
  constexpr std::int64_t columns_picked(int id) const {
    return b_[id].op == opcode_of<op::input> ? 1 : b_[b_.operands(id)[1]].extent.size();
  }
  constexpr int rows(int id) const { return b_[id].extent.extent.entry[0]; }
  constexpr int columns(int id) const { return b_[id].extent.extent.entry[1]; }

  constexpr bool has_rule(int id) const {
    node const& n = b_[id];
    op_facts const& op = facts_of(n);
    if (n.extent.rank == max_rank) return false;
    if (n.op == opcode_of<op::input>) return true;
    if (n.op == opcode_of<op::matmul>) return n.extent.rank <= 2 && !(chooses_ && has_several_columns(id));
    if (n.op == opcode_of<op::gather>) return is_of_columns(id);
    if (!op.batches) return false;
    for (int operand : b_.operands(id)) {
      int const rank = b_[operand].extent.rank;
      if (op.reaches == reach::along_axes ? rank == 0 : rank > n.extent.rank && n.op != opcode_of<op::reshape>)
        return false;
    }
    return true;
  }
  /// Whether the last axis of what is the same at all points is indexed.
  constexpr bool is_of_columns(int id) const {
    int const x = b_.operands(id)[0];
    return !varies_.entry[x] && op::index_axis(b_[id].attributes).axis == b_[x].extent.rank - 1;
  }
  constexpr bool has_several_columns(int id) const {
    int const a = b_.operands(id)[0], b = b_.operands(id)[1];
    if (!varies_.entry[a]) return columns(b) > 1;
    if (!varies_.entry[b]) return rows(a) > 1;
    return rows(a) > 1 && columns(a) > 1 && columns(b) > 1;
  }
  constexpr bool pays_at(int id) const {
    if (b_[id].op != opcode_of<op::matmul> || !varies_.entry[id]) return false;
    int const a = b_.operands(id)[0], b = b_.operands(id)[1], same = varies_.entry[a] ? b : a;
    if (varies_.entry[same]) return false;
    std::int64_t const bytes = b_[same].extent.size() * bytes_of(b_[same].type);
    if ((same == a ? rows(a) : columns(b)) == 1) return columns(a) > 1 && bytes >= least_dotted_bytes;
    return rows(same) >= least_batched_extent && columns(same) >= least_batched_extent && bytes >= least_batched_bytes;
  }

  /// Whether the node is the sum of a point's entries, each times one that is the same at all points.
  constexpr bool is_long_dot(int id) const {
    if (b_[id].op != opcode_of<op::sum> || b_[id].extent.size() != 1) return false;
    int const product = b_.operands(id)[0];
    if (b_[product].op != opcode_of<op::mul>) return false;
    int const a = b_.operands(product)[0], b = b_.operands(product)[1];
    shape const& s = b_[product].extent;
    return varies_.entry[a] != varies_.entry[b] && same_extents(b_[a].extent, s) && same_extents(b_[b].extent, s) &&
           s.size() * bytes_of(b_[product].type) >= least_dotted_bytes;
  }

  /// A shape with the points behind its own axes.
  constexpr shape batch(shape s) const { return stacked(s, l_.count); }
  constexpr shape batch(shape s, int rank) const {
    s.rank = rank;
    return batch(s);
  }
  /// Node `id` with the points along axis `rank`; what is the same at all points stays as it is,
  constexpr term along(int id, int rank) const {
    return varies_.entry[id] ? reshaped(at_.entry[id], batch(b_[id].extent, rank)) : at_.entry[id];
  }
  /// or is repeated.
  constexpr term whole(int id, int rank) const {
    return varies_.entry[id] ? along(id, rank) : fit(at_.entry[id], batch(b_[id].extent, rank));
  }
  /// Node `n` in the place of node `id`, of its operands with the points along axis `rank`.
  constexpr term inserted(int id, node const& n, int rank) const {
    bool const is_assembly = facts_of(n).is_assembly && varies_.entry[id];
    sequence<int> from;
    for (int operand : b_.operands(id)) from.push_back((is_assembly ? whole(operand, rank) : along(operand, rank)).id);
    return same_node(*to_, n, from);
  }

  constexpr term batched(int id) const {
    node n = b_[id];
    op_facts const& op = facts_of(n);
    n.extent = batch(n.extent);
    if (op.reaches == reach::along_axes) {
      int const own = b_[b_.operands(id)[0]].extent.rank;
      if ((n.attributes & op::reduction::whole) != 0) n.attributes = (attribute{1} << own) - 1;
      return inserted(id, n, own);
    }
    if (n.op == opcode_of<op::reshape> || (n.op == opcode_of<op::transpose> && (rows(id) == 1 || columns(id) == 1)))
      return at_.entry[b_.operands(id)[0]];
    return inserted(id, n, n.extent.rank - 1);
  }

  /// A matrix that is the same at all points multiplies the columns of all points at once; of what differs on both
  /// sides, products are taken entry by entry, so that what reads them can join, unless both are matrices.
  constexpr term product(int id) const {
    int const a = b_.operands(id)[0], b = b_.operands(id)[1], m = rows(a), k = columns(a), n = columns(b);
    if (!varies_.entry[a]) return times(at_.entry[a], at_.entry[b], m, n);
    if (!varies_.entry[b]) return emit<op::transpose>(0, times(emit<op::transpose>(0, at_.entry[b]), turned(a), n, m));
    term const x = along(a, 2), y = along(b, 2);
    if (k == 1) return x * y;
    if (m == 1) return emit<op::sum>(1, turned(a) * y);
    if (n == 1) return emit<op::sum>(2, x * reshaped(y, make_shape(1, k, l_.count)));
    return emit<op::matmul>(0, x, y);
  }
  constexpr term picked(int id) const {
    int const x = b_.operands(id)[0], indices = b_.operands(id)[1], rank = b_[indices].extent.rank;
    op::index_axis const one(b_[id].attributes);
    return emit<op::gather>(op::index_axis(one.axis, rank + 1), at_.entry[x], along(indices, rank));
  }
  constexpr term dot(int id) const {
    int const product = b_.operands(id)[0], a = b_.operands(product)[0], b = b_.operands(product)[1];
    term const same = at_.entry[varies_.entry[a] ? b : a], x = at_.entry[varies_.entry[a] ? a : b];
    return times(reshaped(same, make_shape(1, static_cast<int>(same.extent().size()))), x, 1, 1);
  }
  /// `same` times all points' `width` columns.
  constexpr term times(term same, term x, int height, int width) const {
    term const wide = reshaped(x, make_shape(same.extent()[1], width * l_.count));
    return reshaped(emit<op::matmul>(chooses_ ? op::matmul::of_points : 0, same, wide),
                    make_shape(height, width, l_.count));
  }
  constexpr term turned(int id) const {
    return rows(id) == 1 || columns(id) == 1 ? reshaped(at_.entry[id], make_shape(columns(id), rows(id), l_.count))
                                             : emit<op::transpose>(0, along(id, 2));
  }
};

}  // namespace detail

/// Whether `batch_maps` changes anything.
constexpr bool has_batches(graph_view g) {
  if (g.pool.empty()) return false;
  for (int id = 0; id < g.size(); ++id) {
    if (!facts_of(g[id]).is_loop) continue;
    loop_body const l = loop_at(g, id);
    if ((l.points && detail::batched_body(g, id, l).is_worth()) || has_batches(l.body)) return true;
  }
  return false;
}

/// Computes all points of a loop at once where that makes products larger.
constexpr graph batch_maps(graph_view g) {
  struct results {
    int loop;
    sequence<term> of;
  };
  sequence<results> batched;
  int id = -1;
  return rebuild(g, false, [&](graph& to, node const& n, const_span<int> operands) -> term {
    ++id;
    if (facts_of(n).is_loop) {
      loop_body l = loop_of(words_at(to.pool, n.attributes));
      l.body = batch_maps(l.body);
      if (detail::batched_body body(g, id, l); l.points && !l.counted && !counts(l.body) && body.is_worth()) {
        to.simplifying = true;
        batched.push_back({id, body.put(to, operands)});
        to.simplifying = false;
        return {&to, operands[0]};  // which nobody reads
      }
      return {&to, insert_loop(to, l, operands)};
    }
    if (facts_of(n).is_result)
      for (results const& each : batched)
        if (each.loop == g.operands(id)[0]) return each.of.entry[n.attributes];
    return {&to, to.insert(n.op, n.type, n.extent, n.attributes, operands)};
  });
}

}  // namespace pass
ETCH_NAMESPACE_END
