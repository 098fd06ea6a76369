// Views that pick or reorder entries without moving them: slice, reverse, permute, diagonal.
#pragma once

#include <etch/op/assemble.hpp>
#include <etch/op/compare.hpp>

namespace etch::inline ETCH_ABI {

/// The entries of `x` at region `r`, `count` of them along its axis.
constexpr term slice(term x, region r, int count);

}  // namespace etch::inline ETCH_ABI

namespace etch::inline ETCH_ABI::op {

/// The entries in the region that the attribute holds.
struct slice : view {
  static constexpr auto name = "slice";
  static constexpr auto formula = "y[i] = x[begin + step i]";
  static constexpr bool accepts(attribute a, shape const& part, shapes<1> const& whole) { return region(a).fits(part, whole[0]); }
  static constexpr std::optional<layout> project(attribute a, layout of, shape const&, shape const&) { return region(a).within(of); }
  static constexpr auto pullback(auto g, auto, auto x, attribute a) { return operands{etch::embed(g, x.extent(), region(a))}; }
  static std::string describe(node const& n) {
    region const r(n.attributes);
    std::string const step = r.step == 1 ? "" : ", " + std::to_string(r.step);
    return "<" + std::to_string(r.axis) + ", " + std::to_string(r.begin) + ", " + std::to_string(n.extent[r.axis]) + step + ">";
  }
  static constexpr term simplify(attribute a, shape const& part, term x) {
    region const r(a);
    int const count = part[r.axis];
    if (r.covers(part, x.extent())) return fit(x, part);
    if (is<broadcast>(x)) {
      term const from = x.operand(0);
      if (from.extent()[r.axis] == 1) return fit(from, part);
      shape s = from.extent();
      s[r.axis] = count;
      return fit(emit_to<slice>(s, from, a), part);
    }
    if (is<slice>(x) && region(x->attributes).axis == r.axis) {
      region const outer(x->attributes);
      return emit_to<slice>(part, x.operand(0), region(r.axis, outer.begin + r.begin * outer.step, outer.step * r.step));
    }
    if (is<embed>(x) && x->attributes == a && x.operand(0).extent()[r.axis] == count) return fit(x.operand(0), part);
    if (is<join>(x))
      for (int id : x.owner->operands(x.id)) {
        term const part_of_join{x.owner, id};
        if (is<embed>(part_of_join) && part_of_join->attributes == a && part_of_join.operand(0).extent()[r.axis] == count)
          return fit(part_of_join.operand(0), part);
      }
    return {};
  }
};

constexpr auto embed::pullback(auto g, auto, auto x, attribute a) { return operands{emit_to<slice>(x.extent(), g, a)}; }

/// The entries in opposite order along the axes whose bit is set in the attribute.
struct reverse : view_kind {
  static constexpr auto name = "reverse";
  static constexpr auto formula = "y[i] = x[n - 1 - i]";
  static constexpr int arity = 1;
  static constexpr shape infer(attribute, shapes<1> const& x) { return x[0]; }
  static constexpr std::optional<layout> project(attribute axes, layout of, shape const& from, shape const&) {
    for (int axis = 0; axis < max_rank; ++axis) {
      if (((axes >> axis) & 1) == 0) continue;
      std::int64_t& step = of.step.entry[axis];
      of.offset += (from[axis] - 1) * step;
      step = -step;
    }
    return of;
  }
  static constexpr auto pullback(auto g, auto, auto, attribute axes) { return operands{emit<reverse>(axes, g)}; }
  static std::string describe(node const& n) {
    std::string axes;
    for (int axis = 0; axis < max_rank; ++axis)
      if (((n.attributes >> axis) & 1) != 0) axes += (axes.empty() ? "<" : ", ") + std::to_string(axis);
    return axes + ">";
  }
  static constexpr term simplify(attribute axes, auto x) {
    if (is<reverse>(x)) return x->attributes == axes ? x.operand(0) : emit<reverse>(axes ^ x->attributes, x.operand(0));
    for (int axis = 0; axis < max_rank; ++axis)
      if (((axes >> axis) & 1) != 0 && x.extent()[axis] == 1) axes &= ~(attribute{1} << axis);
    if (axes == 0) return x;
    return is<broadcast>(x) ? fit(emit<reverse>(axes, x.operand(0)), x.extent()) : term{};
  }
};

/// Axes in another order: two bits of the attribute for each axis of the result say which axis of the operand it is.
struct permute : view_kind {
  static constexpr auto name = "permute";
  static constexpr auto formula = "axes in another order";
  static constexpr int arity = 1;
  static constexpr attribute identity = 0b11'10'01'00;

  static constexpr int from_axis(attribute order, int axis) { return static_cast<int>((order >> (2 * axis)) & 3); }
  static constexpr attribute inverse(attribute order) {
    attribute other = 0;
    for (int axis = 0; axis < max_rank; ++axis) other |= static_cast<attribute>(axis) << (2 * from_axis(order, axis));
    return other;
  }
  static constexpr shape infer(attribute order, shapes<1> const& x) {
    shape s = x[0];
    for (int axis = 0; axis < max_rank; ++axis) s[axis] = x[0][from_axis(order, axis)];
    return s;
  }
  static constexpr std::optional<layout> project(attribute order, layout of, shape const&, shape const&) {
    layout to = of;
    for (int axis = 0; axis < max_rank; ++axis) to.step.entry[axis] = of.step.entry[from_axis(order, axis)];
    return to;
  }
  static constexpr auto pullback(auto g, auto, auto, attribute order) { return operands{emit<permute>(inverse(order), g)}; }
  static std::string describe(node const& n) {
    std::string axes;
    for (int axis = 0; axis < n.extent.rank; ++axis) axes += (axis == 0 ? "<" : ", ") + std::to_string(from_axis(n.attributes, axis));
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
    if (is<broadcast>(x)) {
      shape s = x.operand(0).extent();
      s.rank = x.extent().rank;
      return fit(emit<permute>(order, fit(x.operand(0), s)), infer(order, {x.extent()}));
    }
    return {};
  }
};

/// The diagonal of a matrix as a vector.
struct diagonal : view_kind {
  static constexpr auto name = "diagonal";
  static constexpr auto formula = "y[i] = x[i, i]";
  static constexpr int arity = 1;
  static constexpr shape infer(attribute, shapes<1> const& x) {
    if (x[0].rank > 2) error::not_a_matrix(x[0]);
    return make_shape(std::min(x[0][0], x[0][1]));
  }
  static constexpr std::optional<layout> project(attribute, layout of, shape const&, shape const&) {
    return layout{of.offset, {of.step[0] + of.step[1]}};
  }
  /// The adjoint stands on the diagonal of a matrix of zeros.
  static constexpr auto pullback(auto g, auto, auto x) {
    graph& to = *x.owner;
    term const on_diagonal = equal_to(etch::iota(to, x->type, 0, x.extent()[0]), etch::iota(to, x->type, 1, x.extent()[1]));
    shape longer = make_shape(x.extent()[0]);  // the diagonal, continued by zeros where the matrix has more rows than columns
    return operands{emit<select>(0, on_diagonal, etch::embed(g, longer, region(0, 0)), constant(to, x->type, 0))};
  }
  static constexpr term simplify(attribute, auto x) {
    return is<broadcast>(x) && x.operand(0).extent().size() == 1 ? fit(x.operand(0), infer(0, {x.extent()})) : term{};
  }
};

}  // namespace etch::inline ETCH_ABI::op

namespace etch::inline ETCH_ABI {

constexpr term slice(term x, region r, int count) {
  shape part = x.extent();
  part[r.axis] = count;
  if (count == 1) r.step = 1;
  if (!r.fits(part, x.extent())) error::slice_out_of_range(x.extent(), r.axis, r.begin, r.last(count));
  return emit_to<op::slice>(part, x, r);
}

}  // namespace etch::inline ETCH_ABI
