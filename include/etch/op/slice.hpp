// Views that pick or reorder entries without moving them: slice, reverse, diagonal.
#pragma once

#include <etch/op/assemble.hpp>
#include <etch/op/compare.hpp>
#include <etch/op/permute.hpp>

ETCH_NAMESPACE_BEGIN

/// The entries of `x` at region `r`, `count` of them along its axis.
constexpr term slice(term x, region r, int count);

ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace op {

/// The entries in the region that the attribute holds.
struct slice : view {
  static constexpr auto name = "slice";
  static constexpr reach reaches = reach::picked;
  static constexpr auto call = "slice<0, 1, 2>(x)";
  static constexpr auto formula = "y[i] = x[begin + step i]";
  static constexpr bool accepts(attribute a, shape const& part, shapes<1> const& whole) {
    return region(a).fits(part, whole[0]);
  }
  static constexpr std::optional<layout> project(attribute a, layout of, shape const&, shape const&) {
    return region(a).within(of);
  }
  static constexpr auto pullback(auto g, auto, auto x, attribute a) {
    return operands{etch::embed(g, x.extent(), region(a))};
  }
  static std::string describe(node const& n) {
    region const r(n.attributes);
    std::string const step = r.step == 1 ? "" : ", " + std::to_string(r.step);
    return "<" + std::to_string(r.axis) + ", " + std::to_string(r.begin) + ", " + std::to_string(n.extent[r.axis]) +
           step + ">";
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
    if (is<permute>(x)) {
      term const beneath = x.operand(0);
      int const axis = permute::from_axis(x->attributes, r.axis);
      shape s = beneath.extent();
      s[axis] = count;
      return fit(emit<permute>(x->attributes, emit_to<slice>(s, beneath, region(axis, r.begin, r.step))), part);
    }
    if (is<slice>(x) && region(x->attributes).axis == r.axis) {
      region const outer(x->attributes);
      return emit_to<slice>(part, x.operand(0),
                            region(r.axis, outer.begin + r.begin * outer.step, outer.step * r.step));
    }
    if (is<embed>(x) || is<join>(x)) return of_parts(r, part, x);
    return {};
  }

 private:
  /// The slice at `r` of what is put together from parts: of the part that it lies in; 0 where it meets none.
  static constexpr term of_parts(region r, shape const& s, term x) {
    if (is<embed>(x)) {
      bool meets = true;
      term const found = of_part(r, s, x, meets);
      return meets ? found : zeros(s, x);
    }
    bool meets_any = false;
    for (int id : x.owner->operands(x.id)) {
      bool meets = true;
      if (term const found = of_part(r, s, {x.owner, id}, meets); found.exists()) return found;
      meets_any = meets_any || meets;
    }
    return meets_any ? term{} : zeros(s, x);
  }
  static constexpr term zeros(shape const& s, term x) { return fit(constant(*x.owner, x->type, 0), s); }
  /// The slice, if it lies in the part `x`, an `embed`. `meets` becomes false where they have no entry in common.
  static constexpr term of_part(region r, shape const& s, term x, bool& meets) {
    if (!is<embed>(x)) return {};
    region const e(x->attributes);
    term const part = x.operand(0);
    int const count = s[r.axis], from = r.begin - e.begin;
    if (e.axis != r.axis) return {};
    if (e == r && part.extent()[r.axis] == count) return fit(part, s);
    bool const is_within = from >= 0 && r.last(count) <= e.last(part.extent()[r.axis]);
    bool const is_aligned = from % e.step == 0 && (count == 1 || r.step % e.step == 0);
    if (is_within && is_aligned)
      return emit_to<slice>(s, part, region(r.axis, from / e.step, count == 1 ? 1 : r.step / e.step));
    meets = count == 1 ? false : r.last(count) >= e.begin && r.begin <= e.last(part.extent()[r.axis]);
    return {};
  }
};

constexpr auto embed::pullback(auto g, auto, auto x, attribute a) { return operands{emit_to<slice>(x.extent(), g, a)}; }

/// The entries in opposite order along the axes whose bit is set in the attribute.
struct reverse : view_kind {
  static constexpr auto name = "reverse";
  static constexpr auto call = "reverse<0>(x)";
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

/// The diagonal of a matrix as a vector.
struct diagonal : view_kind {
  static constexpr auto name = "diagonal";
  static constexpr reach reaches = reach::picked;
  static constexpr auto call = "diagonal(x)";
  static constexpr auto formula = "y[i] = x[i, i]";
  static constexpr bool batches = false;
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
    term const on_diagonal =
        equal_to(etch::iota(to, x->type, 0, x.extent()[0]), etch::iota(to, x->type, 1, x.extent()[1]));
    shape longer =
        make_shape(x.extent()[0]);  // the diagonal, continued by zeros where the matrix has more rows than columns
    return operands{emit<select>(0, on_diagonal, etch::embed(g, longer, region(0, 0)), constant(to, x->type, 0))};
  }
  static constexpr term simplify(attribute, auto x) {
    return is<broadcast>(x) && x.operand(0).extent().size() == 1 ? fit(x.operand(0), infer(0, {x.extent()})) : term{};
  }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

constexpr term slice(term x, region r, int count) {
  shape part = x.extent();
  part[r.axis] = count;
  if (count == 1) r.step = 1;
  if (!r.fits(part, x.extent())) error::slice_out_of_range(x.extent(), r.axis, r.begin, r.last(count));
  return emit_to<op::slice>(part, x, r);
}

ETCH_NAMESPACE_END
