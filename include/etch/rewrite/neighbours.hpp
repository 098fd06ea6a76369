// neighbours: the derivatives of functions that compute each entry from its neighbours, such as chains and stencils,
// along the diagonals of their matrix: one reverse sweep for each part of the result, however many entries it has.
#pragma once

#include <etch/op/on_diagonals.hpp>
#include <etch/rewrite/derivatives.hpp>

#include <algorithm>
#include <cstdint>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// A node, and where its entries stand among those of a larger value.
struct placed_node {
  int node = -1;
  layout where{};
};

/// A part of a diagonal of the matrix: its number, row less column, in which columns its entries stand, and the entries
/// as terms of a sum.
struct diagonal {
  int number = 0;
  layout columns{};
  sequence<term> entries{};
};

/// Finds the derivatives of the nodes `ys` of `b` by its nodes `xs` as diagonals. Every value is taken apart into
/// parts, in disjoint regions or added up; a part must be an element-wise function of slices of xs in its own shape.
/// Then the sweep from 1 everywhere in a part to one of the slices gives the derivatives of each entry by the entry at
/// the same position, and all of them stand on one diagonal.
class derivatives_of_neighbours {
 public:
  /// Of a symmetric matrix what lies below its diagonal is found and used twice.
  constexpr derivatives_of_neighbours(graph& b, sequence<int> const& ys, sequence<int> const& xs, bool symmetric)
      : b_(b),
        symmetric_(symmetric),
        size_(make_shape(entries_of(b, ys), entries_of(b, xs))),
        active_(influenced(b, xs)),
        slices_(filled(b.nodes.size(), -1)) {
    element_ = b[ys.entry[0]].type;
    find_slices(xs);
    std::int64_t first = 0;
    for (int y : ys) {
      found_ = found_ && b[y].type == element_;
      take_apart(y, {first, contiguous_strides(b[y].extent)});
      first += b[y].extent.size();
    }
    for (std::size_t p = 0; found_ && p < parts_.size(); ++p) uses_.push_back(uses_of(parts_.entry[p]));
  }

  /// Whether that is so, and the diagonals are few.
  constexpr bool found() const { return found_ && 3 * static_cast<int>(numbers_.size()) <= size_[1]; }

  /// The matrix. No node moves.
  constexpr term matrix() {
    graph const before = b_;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (!uses_.entry[p].empty()) sweep(before, parts_.entry[p], uses_.entry[p]);
    // Parts of one diagonal lie apart, and `on_diagonals` adds them up, where there is room for all.
    sequence<diagonal> columns;
    bool const apart = diagonals_.size() <= op::diagonal_numbers::most;
    for (diagonal const& each : diagonals_) {
      std::size_t k = apart ? columns.size() : 0;
      while (k < columns.size() && columns.entry[k].number != each.number) ++k;
      if (k == columns.size()) columns.push_back({each.number});
      columns.entry[k].entries.push_back(in_columns(sum_of(each.entries), each.columns));
    }
    sequence<term> matrices;
    for (std::size_t first = 0; first < columns.size(); first += op::diagonal_numbers::most) {
      op::diagonal_numbers numbers(symmetric_);
      std::size_t const end = std::min(columns.size(), first + op::diagonal_numbers::most);
      shape const all = make_shape(size_[1] * static_cast<int>(end - first));
      sequence<term> entries;
      for (std::size_t k = first; k < end; ++k) {
        entries.push_back(embed(sum_of(columns.entry[k].entries), all, region(0, numbers.size() * size_[1])));
        numbers.push_back(columns.entry[k].number);
      }
      matrices.push_back(emit_shaped<op::on_diagonals>(size_, numbers, sum_of(entries)));
    }
    return matrices.empty() ? fit(constant(b_, element_, 0), size_) : sum_of(matrices);
  }

 private:
  /// Each part is a sweep: of more, rows or a loop over them cost less.
  static constexpr std::size_t most_parts = 16;

  graph& b_;
  bool symmetric_, found_ = true;
  shape size_;
  element element_{};
  sequence<char> active_;
  sequence<int> slices_;  // by node: which of `slice_` it is; -1: none
  sequence<placed_node> slice_, parts_;
  sequence<sequence<int>> uses_;  // by part: the slices that it is computed from
  sequence<int> numbers_;         // of the diagonals that are not zero
  sequence<diagonal> diagonals_;

  /// The views of xs, and xs themselves.
  constexpr void find_slices(sequence<int> const& xs) {
    std::int64_t first = 0;
    for (int x : xs) {
      slices_.entry[x] = static_cast<int>(slice_.size());
      slice_.push_back({x, {first, contiguous_strides(b_[x].extent)}});
      first += b_[x].extent.size();
      found_ = found_ && b_[x].type == element_;
    }
    for (int id = 0; id < b_.size(); ++id) {
      op_facts const& op = facts_of(b_[id]);
      if (!op.is_view) continue;
      int const of = b_.operands(id)[0];
      if (slices_.entry[of] < 0) continue;
      auto const where =
          op.project(b_[id].attributes, slice_.entry[slices_.entry[of]].where, b_[of].extent, b_[id].extent);
      if (!where) continue;
      slices_.entry[id] = static_cast<int>(slice_.size());
      slice_.push_back({id, *where});
    }
  }

  /// The parts of the value `id`, whose entries stand at `where`.
  constexpr void take_apart(int id, layout where) {
    if (parts_.size() == most_parts) found_ = false;
    if (!found_ || !active_.entry[id]) return;
    node const& n = b_[id];
    auto const operands = b_.operands(id);
    if (n.op == opcode_of<op::add> && is_whole(operands[0], n.extent) && is_whole(operands[1], n.extent)) {
      take_apart(operands[0], where);
      take_apart(operands[1], where);
    } else if (n.op == opcode_of<op::join>) {
      for (int part : operands) take_apart(part, where);
    } else if (n.op == opcode_of<op::embed>) {
      take_apart(operands[0], region(n.attributes).within(where));
    } else if (n.op == opcode_of<op::reshape> && is_contiguous(where, n.extent)) {
      take_apart(operands[0], {where.offset, contiguous_strides(b_[operands[0]].extent)});
    } else {
      parts_.push_back({id, where});
    }
  }
  constexpr bool is_whole(int id, shape const& s) const { return same_extents(b_[id].extent, s); }

  /// The slices that a part is computed from, entry by entry; each gives a diagonal.
  constexpr sequence<int> uses_of(placed_node const& part) {
    sequence<int> used, open;
    sequence<char> seen = sequence<char>::zeros(b_.nodes.size());
    shape const s = b_[part.node].extent;
    auto const reach = [&](int id) {
      if (seen.entry[id] || !active_.entry[id]) return;
      seen.entry[id] = 1;
      found_ = found_ && is_whole(id, s);
      if (slices_.entry[id] >= 0) used.push_back(slices_.entry[id]);
      else if (facts_of(b_[id]).is_elementwise) open.push_back(id);
      else found_ = false;
    };
    reach(part.node);
    while (found_ && !open.empty()) {
      int const id = open.back();
      open.pop_back();
      for (int operand : b_.operands(id)) reach(operand);
    }
    sequence<int> wanted;
    for (int each : used) {
      layout const& from = slice_.entry[each].where;
      std::int64_t const number = part.where.offset - from.offset;
      layout const moved{part.where.offset, from.step};
      found_ = found_ && same_layout(moved, part.where, s) && !is_slice_of_others(each, used) &&
               op::diagonal_numbers::has_room_for(number) && lies_in_columns(from, s);
      if (!found_ || (symmetric_ && number < 0)) continue;
      wanted.push_back(each);
      if (std::find(numbers_.begin(), numbers_.end(), number) == numbers_.end())
        numbers_.push_back(static_cast<int>(number));
    }
    return wanted;
  }
  /// Whether the slice is one of another one of `used`: what is by the one would be by the other too.
  constexpr bool is_slice_of_others(int slice, sequence<int> const& used) const {
    for (int id = slice_.entry[slice].node; facts_of(b_[id]).is_view;) {
      id = b_.operands(id)[0];
      for (int other : used)
        if (slice_.entry[other].node == id) return true;
    }
    return false;
  }
  /// Adds `entries`, those of diagonal `number` in these columns.
  constexpr void add(int number, layout const& columns, term entries) {
    for (diagonal& each : diagonals_)
      if (each.number == number && each.columns == columns && each.entries.entry[0].extent() == entries.extent()) {
        each.entries.push_back(entries);
        return;
      }
    diagonals_.push_back({number, columns, {}});
    diagonals_.back().entries.push_back(entries);
  }

  /// Whether `in_columns` can put entries there: along one axis, or along two, of which the second steps over lines of
  /// the first.
  constexpr bool lies_in_columns(layout const& l, shape const& s) const {
    if (is_contiguous(l, s)) return true;
    sequence<int> const axes = long_axes(s);
    if (axes.size() == 1) return l.step[static_cast<std::size_t>(axes.entry[0])] > 0;
    if (axes.size() != 2 || axes.entry[0] != 0) return false;
    std::int64_t const down = l.step[0], along = l.step[static_cast<std::size_t>(axes.entry[1])];
    if (down <= 0 || along <= 0) return false;
    return l.offset % along + (s[0] - 1) * down < along && (l.offset / along + s[axes.entry[1]]) * along <= size_[1];
  }
  static constexpr sequence<int> long_axes(shape const& s) {
    sequence<int> axes;
    for (int axis = 0; axis < max_rank; ++axis)
      if (s[axis] > 1) axes.push_back(axis);
    return axes;
  }
  /// A vector of all columns with the entries of `x` at `l`.
  constexpr term in_columns(term x, layout const& l) const {
    shape const s = x.extent(), all = make_shape(size_[1]);
    int const size = static_cast<int>(s.size()), offset = static_cast<int>(l.offset);
    sequence<int> const axes = long_axes(s);
    if (is_contiguous(l, s) || axes.size() == 1) {
      int const step = is_contiguous(l, s) ? 1 : static_cast<int>(l.step[static_cast<std::size_t>(axes.entry[0])]);
      return embed(reshaped(x, make_shape(size)), all, region(0, offset, step));
    }
    int const lines = s[axes.entry[1]], along = static_cast<int>(l.step[static_cast<std::size_t>(axes.entry[1])]);
    term const padded = embed(reshaped(x, make_shape(s[0], lines)), make_shape(along, lines),
                              region(0, offset % along, static_cast<int>(l.step[0])));
    return embed(reshaped(padded, make_shape(along * lines)), all, region(0, offset - offset % along));
  }

  constexpr void sweep(graph const& before, placed_node const& part, sequence<int> const& used) {
    term const one = fit(constant(b_, b_[part.node].type, 1), b_[part.node].extent);
    seed const start[] = {{part.node, {one, {}}}};
    sequence<int> wrt;
    for (int each : used) wrt.push_back(slice_.entry[each].node);
    swept const back = backpropagate(before, b_, start, wrt);
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (back.adjoints.entry[i] < 0) continue;
      layout const& columns = slice_.entry[used.entry[i]].where;
      add(static_cast<int>(part.where.offset - columns.offset), columns, {&b_, back.adjoints.entry[i]});
    }
  }
};

}  // namespace detail

/// Whether the value `y` is made of the nodes `xs` by element-wise functions, slices and sums alone: then it is worth
/// while to look for neighbours.
constexpr bool may_be_of_neighbours(graph const& b, int y, sequence<int> const& xs) {
  sequence<char> const active = influenced(b, xs);
  for (int id = 0; id <= y; ++id) {
    op_facts const& op = facts_of(b[id]);
    if (active.entry[id] && !op.is_elementwise && !op.is_view && !op.is_assembly && b[id].op != opcode_of<op::sum> &&
        b[id].op != opcode_of<op::input>)
      return false;
  }
  return true;
}

}  // namespace pass
ETCH_NAMESPACE_END
