// permute: axes in another order; and how it moves behind other operations, so that what lies between two
// permutations is computed in one order.
#pragma once

#include <etch/op/apply.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Axes in another order: two bits of the attribute for each axis of the result say which axis of the operand it is.
struct permute : view_kind {
  static constexpr auto name = "permute";
  static constexpr auto call = "permute<1, 0>(x)";
  static constexpr auto formula = "axes in another order";
  static constexpr int arity = 1;
  static constexpr attribute identity = 0b11'10'01'00, swapped = 0b11'10'00'01;

  static constexpr int from_axis(attribute order, int axis) { return static_cast<int>((order >> (2 * axis)) & 3); }
  static constexpr attribute inverse(attribute order) {
    attribute other = 0;
    for (int axis = 0; axis < max_rank; ++axis) other |= static_cast<attribute>(axis) << (2 * from_axis(order, axis));
    return other;
  }
  static constexpr shape infer(attribute order, shapes<1> const& x) {
    shape s = x[0];
    for (int axis = 0; axis < max_rank; ++axis) {
      s[axis] = x[0][from_axis(order, axis)];
      if (x[0].is_counted(from_axis(order, axis))) s.counted = axis + 1;
    }
    return s;
  }
  static constexpr std::optional<layout> project(attribute order, layout of, shape const&, shape const&) {
    layout to = of;
    for (int axis = 0; axis < max_rank; ++axis) to.step.entry[axis] = of.step.entry[from_axis(order, axis)];
    return to;
  }
  static constexpr auto pullback(auto g, auto, auto, attribute order) {
    return operands{emit<permute>(inverse(order), g)};
  }
  static std::string describe(node const& n) {
    std::string axes;
    for (int axis = 0; axis < n.extent.rank; ++axis)
      axes += (axis == 0 ? "<" : ", ") + std::to_string(from_axis(n.attributes, axis));
    return axes + ">";
  }
  static constexpr term simplify(attribute order, auto x) {
    if (order == identity) return x;
    if (is<permute>(x)) {
      attribute both = 0;
      for (int axis = 0; axis < max_rank; ++axis)
        both |= static_cast<attribute>(from_axis(x->attributes, from_axis(order, axis))) << (2 * axis);
      return emit<permute>(both, x.operand(0));
    }
    if (x.extent().size() == 1) return x;
    if (x.extent().rank == 2 && order == swapped) {  // inserted, not emitted: the op is defined later
      if (is<transpose>(x)) return x.operand(0);
      int const id[] = {x.id};
      return {x.owner, x.owner->insert(opcode_of<transpose>, x->type, infer(order, {x.extent()}), 0, id)};
    }
    if (is<broadcast>(x)) {
      shape s = x.operand(0).extent();
      s.rank = x.extent().rank;
      return fit(emit<permute>(order, fit(x.operand(0), s)), infer(order, {x.extent()}));
    }
    if (is_line(x.extent())) return emit_to<reshape>(infer(order, {x.extent()}), x);
    return {};
  }
  /// Whether at most one extent is more than 1: such entries have the same order however axes are permuted.
  static constexpr bool is_line(shape const& s) {
    int longer = 0;
    for (int extent : s.extent) longer += extent > 1;
    return longer < 2;
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace detail {

/// Whether `x` is an argument or a constant, seen through views: its memory is not ours to choose.
template <std::same_as<term> X>
constexpr bool is_given(X x) {
  while (is<op::broadcast>(x) || is<op::reshape>(x) || is<op::slice>(x) || is<op::permute>(x) || is<op::transpose>(x))
    x = x.operand(0);
  return is<op::input>(x) || is<op::fill>(x) || is<op::iota>(x);
}

/// The permutation that the operands `x` of an element-wise op have in common, if one of them is a
/// computed value; else the identity.
template <std::same_as<term> X>
constexpr attribute common_order(const_span<X> x) {
  attribute order = op::permute::identity;
  for (X each : x)
    if (is<op::permute>(each) && order == op::permute::identity && !is_given(each)) order = each->attributes;
  if (order == op::permute::identity || !is_known<op::permute>()) return op::permute::identity;
  for (X each : x) {
    bool const follows =
        is<op::permute>(each) ? each->attributes == order : is_given(each) || op::permute::is_line(each.extent());
    if (!follows) return op::permute::identity;
  }
  return order;
}
/// The value of `x` before the permutation `order` of values of rank `rank`.
template <std::same_as<term> X>
constexpr term before_order(attribute order, int rank, X x) {
  if (x.extent().rank == 0) return x;
  shape s = x.extent();
  s.rank = rank;
  return emit_known<op::permute>(op::permute::inverse(order), fit(x, s));
}
/// `Op` before the permutation that its operands have in common; nothing where there is none.
template <class Op, std::same_as<term>... X>
constexpr term permuted_last(attribute attributes, X... x) {
  attribute const order = common_order<term>(fixed{x...});
  if (order == op::permute::identity) return {};
  int rank = 0;
  for (term each : {x...}) rank = each.extent().rank > rank ? each.extent().rank : rank;
  return emit_known<op::permute>(order, emit<Op>(attributes, before_order(order, rank, x)...));
}

/// The change that `before` makes to the shape `s` of a permuted value, where the permutation swaps two blocks of axes,
/// and `s` joins or splits axes within the blocks only: the same done to the blocks, then swapped. Nothing elsewhere.
constexpr term reshaped_before(shape const& s, term x) {
  attribute const order = x->attributes;
  term const from = x.operand(0);
  int const second = op::permute::from_axis(order, 0);  // where the first block of the result begins in `from`
  for (int axis = 0; axis < max_rank; ++axis)
    if (op::permute::from_axis(order, axis) != (axis + second) % max_rank) return {};
  std::int64_t block = 1, size = 1;
  for (int axis = second; axis < max_rank; ++axis) block *= from.extent()[axis];
  int split = 0;
  while (split < s.rank && size < block) size *= s[split++];
  if (size != block) return {};
  shape swapped;
  swapped.rank = s.rank;
  attribute back = 0;
  for (int axis = 0; axis < max_rank; ++axis) {
    int const to = axis >= s.rank ? axis : (axis + s.rank - split) % s.rank;
    swapped[to] = s[axis];
    back |= static_cast<attribute>(to) << (2 * axis);
  }
  return emit_known<op::permute>(back, emit_to<op::reshape>(swapped, from));
}

/// A reduction before the permutation or transposition of its operand; nothing where the operand is neither.
template <class Op, std::same_as<term> X, class Transpose = op::transpose>  // which is defined later
constexpr term reduced_before(attribute axes, X x) {
  bool const turned = is<Transpose>(x);
  if (!turned && !is<op::permute>(x)) return {};
  term const from = x.operand(0);
  if ((axes & (1u << max_rank)) != 0) return emit<Op>(axes, from);
  if (turned && from.extent().rank < 2) return {};
  attribute const order = turned ? op::permute::swapped : x->attributes;
  attribute before = 0;
  for (int axis = 0; axis < max_rank; ++axis) before |= (axes >> axis & 1) << op::permute::from_axis(order, axis);
  term const y = emit<Op>(before, from);
  return turned ? emit_known<Transpose>(0, y) : emit_known<op::permute>(order, y);
}

}  // namespace detail
ETCH_NAMESPACE_END
