// shares: how the value of a node lies among workers that share a batch, as it follows from its operands' shares.
#pragma once

#include <etch/op/table.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// The part of a value that each worker has.
enum class share : std::uint8_t {
  whole,    ///< all of it, the same at every worker
  split,    ///< its own block of entries along an axis
  partial,  ///< a summand: the value is the sum of what all workers have
};

/// The share of a value, and of a split one the axis.
struct piece {
  share kind = share::whole;
  int axis = -1;

  static constexpr piece along(int axis) { return {share::split, axis}; }
  static constexpr piece summand() { return {share::partial, -1}; }
  constexpr bool is_split() const { return kind == share::split; }
  constexpr bool is_partial() const { return kind == share::partial; }
  friend constexpr bool operator==(piece const&, piece const&) = default;
};

/// The reason why a loss cannot be shared.
enum class hindrance : std::uint8_t {
  none,
  sum_is_needed,        ///< an op needs the sum over all workers, not a summand
  entries_meet,         ///< an op combines entries of several workers otherwise than by adding them
  position_matters,     ///< a value that is not split has different entries along an axis where another one is split
  axis_is_divided,      ///< a view takes the axis apart, or reads it in another order
  op_is_not_known,      ///< nothing is known of how the op treats entries
  steps_are_ordered,    ///< a loop takes the entries of several workers one after the other
  result_is_scattered,  ///< a result is split along an axis that is not its last
};

namespace detail {

/// The axis of the view `id` along which axis `axis` of its operand lies, of which each worker takes consecutive
/// entries, `whole` times as many in all as for one entry of the batch; -1 if there is none.
constexpr int axis_of_view(graph_view g, int id, int axis, int whole) {
  node const& n = g[id];
  shape const &from = g[g.operands(id)[0]].extent, &to = n.extent;
  int found = -1;
  if (n.op == opcode_of<op::reshape>) {
    // Entries of one element of the batch adjoin: so many before the next element's begin.
    std::int64_t together = from[axis] / whole, before = 1;
    for (int i = 0; i < axis; ++i) together *= from[i];
    for (int i = 0; i < max_rank; before *= to[i++])
      if (to[i] % whole == 0 && before * (to[i] / whole) == together) found = i;
    return found;
  }
  layout const probe{0, {1, std::int64_t{1} << 13, std::int64_t{1} << 26, std::int64_t{1} << 39}};
  std::optional<layout> const read = facts_of(n).project(n.attributes, probe, from, to);
  if (!read) return -1;
  int count = 0;
  for (int i = 0; i < max_rank; ++i)
    if (to[i] == from[axis] && read->step[static_cast<std::size_t>(i)] == probe.step[static_cast<std::size_t>(axis)])
      found = i, ++count;
  return count == 1 ? found : -1;
}

/// The share of a node, and those in which it takes its operands.
class sharing {
 public:
  piece result;
  sequence<piece> operands;
  hindrance why = hindrance::none;

  constexpr sharing(graph_view g, int id, const_span<piece> given, int whole) : g_(g), id_(id), whole_(whole) {
    bool split = false, partial = false;
    for (piece const& each : given) split = split || each.is_split(), partial = partial || each.is_partial();
    operands = filled(given.size(), piece{});
    if (split && partial) why = hindrance::sum_is_needed;
    else if (split) take_split(given);
    else if (partial) take_partial(given);
  }

 private:
  graph_view g_;
  int id_, whole_;

  constexpr void refuse(hindrance reason) { why = reason; }
  constexpr shape const& extent(std::size_t i) const { return g_[g_.operands(id_)[i]].extent; }
  /// Takes operand `i` along `axis` as it is split there; one that repeats its entries along it as it is.
  constexpr void take(std::size_t i, int axis) {
    if (extent(i)[axis] != 1) operands[i] = piece::along(axis);
  }
  constexpr void take_all(int axis) {
    for (std::size_t i = 0; i < operands.size(); ++i) take(i, axis);
    result = piece::along(axis);
  }

  constexpr void take_split(const_span<piece> given) {
    node const& n = g_[id_];
    op_facts const& op = facts_of(n);
    int first = 0;  // the first operand that is split
    while (!given[static_cast<std::size_t>(first)].is_split()) ++first;
    int const axis = given[static_cast<std::size_t>(first)].axis;
    bool same_axis = true;
    for (piece const& each : given) same_axis = same_axis && (!each.is_split() || each.axis == axis);

    if (op.is_elementwise || n.op == opcode_of<op::join>) {
      same_axis ? take_all(axis) : refuse(hindrance::entries_meet);
    } else if (n.op == opcode_of<op::embed>) {
      region(n.attributes).axis != axis ? take_all(axis) : refuse(hindrance::axis_is_divided);
    } else if (op.is_reduction) {
      bool const reduces = op::reduction::reduces(n.attributes, axis);
      if (!reduces) take_all(axis);
      else if (n.op != opcode_of<op::sum>) refuse(hindrance::entries_meet);
      else operands[0] = piece::along(axis), result = piece::summand();
    } else if (op.is_view) {
      int const to = axis_of_view(g_, id_, axis, whole_);
      to >= 0 ? (void(operands[0] = piece::along(axis)), void(result = piece::along(to)))
              : refuse(hindrance::axis_is_divided);
    } else if (n.op == opcode_of<op::matmul>) {
      take_product(given);
    } else if (op.is_product) {
      take_convolution(given, op.convolves == convolved::kernel);
    } else if (n.op == opcode_of<op::gather> || n.op == opcode_of<op::scatter_add>) {
      take_picked(given, n.op == opcode_of<op::scatter_add>);
    } else if (op.separates != separable::nowhere) {
      bool const separates = op.separates == separable::not_reduced ? !op::reduction::reduces(n.attributes, axis)
                             : op.separates == separable::not_along ? static_cast<int>(n.attributes) != axis
                                                                    : axis == 0 || axis == max_rank - 1;
      separates ? take_all(axis) : refuse(hindrance::entries_meet);
    } else {
      refuse(hindrance::op_is_not_known);
    }
  }

  constexpr void take_product(const_span<piece> given) {
    int const a = given[0].axis, b = given[1].axis;  // -1: not split
    if (a == 1 || b == 0) {
      if ((a >= 0 && a != 1) || b > 0) return refuse(hindrance::entries_meet);
      operands[0] = piece::along(1), operands[1] = piece::along(0), result = piece::summand();
    } else if (a >= 2 || b >= 2) {
      a < 0 || b < 0 || a == b ? take_all(a < 0 ? b : a) : refuse(hindrance::entries_meet);
    } else if (a >= 0 && b >= 0) {
      refuse(hindrance::entries_meet);
    } else {  // rows of the first operand or columns of the second
      std::size_t const i = a >= 0 ? 0 : 1;
      operands[i] = result = given[i];
    }
  }

  /// Images of a batch are convolved one by one; what they contribute to a kernel is added up.
  constexpr void take_convolution(const_span<piece> given, bool gives_kernel) {
    if (given[0].axis > 0 || (gives_kernel ? given[1].axis > 0 : given[1].is_split()))
      return refuse(hindrance::entries_meet);
    operands[0] = piece::along(0);
    if (gives_kernel) operands[1] = piece::along(0);
    result = gives_kernel ? piece::summand() : piece::along(0);
  }

  /// `gather`, or its adjoint, which `adds` up what is picked.
  constexpr void take_picked(const_span<piece> given, bool adds) {
    op::index_axis const at(g_[id_].attributes);
    int const x = given[0].axis, indices = given[1].axis;
    int const shift = adds ? 1 - at.rank : at.rank - 1;  // of an axis behind the one that is indexed
    if (indices < 0 && x != at.axis && !(adds && x >= at.axis && x < at.axis + at.rank)) {
      operands[0] = given[0];
      result = piece::along(x < at.axis ? x : x + shift);
    } else if (indices >= 0 && !adds && x < 0) {
      operands[1] = given[1];
      result = piece::along(at.axis + indices);
    } else if (adds && (indices < 0 || x < 0 || x == at.axis + indices)) {
      int const along = indices >= 0 ? indices : x - at.axis;
      operands[0] = piece::along(at.axis + along), operands[1] = piece::along(along);
      result = piece::summand();
    } else {
      refuse(hindrance::entries_meet);
    }
  }

  /// An op that is linear hands on summands; what is added to them is a summand too.
  constexpr void take_partial(const_span<piece> given) {
    node const& n = g_[id_];
    op_facts const& op = facts_of(n);
    unsigned summands = 0;  // the operands that it takes as such
    if (!is_floating(n.type)) return refuse(hindrance::sum_is_needed);
    if (op.is_elementwise && op.sums_of != 0) {
      summands = op.sums_of;
    } else if (op.linear == linearity::joint) {
      result = piece::summand();
      for (std::size_t i = 0; i < given.size(); ++i)
        if (static_cast<int>(i) < op.active_operands) operands[i] = result;
        else if (given[i].is_partial()) refuse(hindrance::sum_is_needed);
      return;
    } else if (op.linear == linearity::separate && given[0].is_partial() != given[1].is_partial()) {
      summands = given[0].is_partial() ? 1 : 2;
    }
    for (std::size_t i = 0; i < given.size(); ++i)
      if ((summands >> i & 1) != 0) operands[i] = piece::summand();
      else if (given[i].is_partial()) return refuse(hindrance::sum_is_needed);
    result = piece::summand();
  }
};

}  // namespace detail
}  // namespace pass
ETCH_NAMESPACE_END
