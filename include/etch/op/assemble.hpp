// Values put together from parts: each part is written straight into its region of one buffer.
#pragma once

#include <etch/op/arithmetic.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN

/// Positions `begin, begin + step, ...` along one axis; how many, the shape of the part says.
struct region {
  int axis = 0, begin = 0, step = 1;

  constexpr region() = default;
  constexpr region(int along, int from, int by = 1) : axis(along), begin(from), step(by) {}
  constexpr explicit region(attribute bits)
      : axis(static_cast<int>(bits & 3)),
        begin(static_cast<int>((bits >> 2) & 0x7fffffffu)),
        step(static_cast<int>(bits >> 33)) {}
  constexpr operator attribute() const {
    return static_cast<attribute>(axis) | (static_cast<attribute>(begin) << 2) | (static_cast<attribute>(step) << 33);
  }

  /// Position of the last of `count` entries.
  constexpr int last(int count) const { return begin + (count - 1) * step; }
  /// Whether a part of shape `part` lies within a whole of shape `whole` here, and fills it along all other axes.
  constexpr bool fits(shape const& part, shape const& whole) const {
    for (int i = 0; i < max_rank; ++i)
      if (i != axis && part[i] != whole[i]) return false;
    return begin >= 0 && step >= 1 && last(part[axis]) < whole[axis];
  }
  constexpr bool covers(shape const& part, shape const& whole) const { return part[axis] == whole[axis]; }
  /// The layout of the part within the layout of the whole.
  constexpr layout within(layout whole) const {
    std::int64_t& along = whole.step.entry[axis];
    whole.offset += begin * along;
    along *= step;
    return whole;
  }
};

ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace op {

/// The operand in the region that the attribute holds, zero elsewhere. The adjoint of `slice`.
struct embed : assembly_kind {
  static constexpr auto name = "embed";
  static constexpr auto part_of = "concat, pad, and the gradient of slice";
  static constexpr auto formula = "x in a region, 0 elsewhere";
  static constexpr int arity = 1;
  static constexpr bool takes_shape = true;
  static constexpr bool accepts(attribute a, shape const& whole, shapes<1> const& part) {
    return region(a).fits(part[0], whole);
  }
  static constexpr term simplify(attribute a, shape const& whole, term x) {
    if (is_constant(detail::unbroadcast(x), 0)) return fit(detail::unbroadcast(x), whole);
    region const r(a);
    if (r.covers(x.extent(), whole)) return fit(x, whole);
    if (!is<embed>(x) || region(x->attributes).axis != r.axis) return {};
    region const inner(x->attributes);  // a part of a part
    return emit_to<embed>(whole, x.operand(0), region(r.axis, r.begin + inner.begin * r.step, inner.step * r.step));
  }
  static constexpr auto pullback(auto g, auto, auto x, attribute a);
  static std::string describe(node const& n) {
    region const r(n.attributes);
    std::string const step = r.step == 1 ? "" : " by " + std::to_string(r.step);
    return "<" + std::to_string(r.axis) + " from " + std::to_string(r.begin) + step + ">";
  }
};

/// The sum of `embed`s whose regions along one axis do not meet: one buffer, each part written where it belongs.
struct join : assembly_kind {
  static constexpr auto name = "join";
  static constexpr auto part_of = "concat, stack, and the gradient of split";
  static constexpr auto formula = "parts in regions that do not meet";
  static constexpr int arity = any_number;
  static constexpr auto pullback(auto g, auto, auto) { return g; }
  static constexpr term insert(graph& g, const_span<int> operands);
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// `part` at region `r` of a value of shape `whole`.
constexpr term embed(term part, shape const& whole, region r) { return emit_to<op::embed>(whole, part, r); }

constexpr term op::mul::scaled(term single, term by) {
  term const entry = single.operand(0);
  return emit_to<embed>(single.extent(), fit(fit(entry, shape{}) * by, entry.extent()), single->attributes);
}

namespace detail {

/// Order of parts in a join, the same for equal sets of parts.
constexpr bool comes_before(term a, term b) {
  region const r(a->attributes), s(b->attributes);
  if (r.axis != s.axis) return r.axis < s.axis;
  return r.begin != s.begin ? r.begin < s.begin : r.step < s.step;
}

/// Merge sort: std::sort is not stable, and std::stable_sort not constexpr.
constexpr void sort_parts(sequence<term>& parts) {
  sequence<term> other = filled(parts.size(), term{});
  for (std::size_t width = 1; width < parts.size(); width *= 2) {
    for (std::size_t at = 0; at < parts.size(); at += 2 * width) {
      std::size_t const middle = std::min(at + width, parts.size()), end = std::min(at + 2 * width, parts.size());
      std::size_t left = at, right = middle;
      for (std::size_t to = at; to < end; ++to)
        other[to] = right >= end || (left < middle && !comes_before(parts[right], parts[left])) ? parts[left++]
                                                                                                : parts[right++];
    }
    std::swap(parts, other);
  }
}

/// Whether the regions of two parts, the first beginning not later, have no entry in common.
constexpr bool are_disjoint(term a, term b) {
  region const r(a->attributes), s(b->attributes);
  int const end = r.last(a.operand(0).extent()[r.axis]);
  if (end < s.begin) return true;
  return r.step == s.step && (s.begin - r.begin) % r.step != 0;
}

/// Whether `part` has no entry in common with those of a join, none of which begins later.
constexpr bool is_behind(const_span<term> parts, term part) {
  // With one step for all, regions of other residues may reach far; the last of each residue is enough to look at.
  for (std::size_t i = parts.size(); i-- > 0;) {
    if (!is<op::embed>(parts[i]) || region(parts[i]->attributes).axis != region(part->attributes).axis ||
        !are_disjoint(parts[i], part))
      return false;
    if (region(parts[i]->attributes).step == 1) break;
  }
  return true;
}

constexpr term insert_join(graph& g, const_span<term> parts) {
  if (parts.size() == 1) return parts[0];
  sequence<int> ids;
  for (term part : parts) ids.push_back(part.id);
  make_known<op::join>();
  return {&g, g.insert(opcode_of<op::join>, parts[0]->type, parts[0].extent(), 0, ids)};
}

constexpr term total(term sum, term more) { return sum.exists() ? sum + more : more; }

}  // namespace detail

/// The sum of several terms of one shape, added in the order given. Those that are zero outside disjoint regions are
/// put together without an addition, and those of one region are added there.
constexpr term sum_of(const_span<term> terms) {
  term sum{};
  sequence<term> parts;
  for (term each : terms) {
    if (is<op::embed>(each)) parts.push_back(each);
    else if (is<op::join>(each))
      for (int id : each.owner->operands(each.id)) parts.push_back({each.owner, id});
    else sum = detail::total(sum, each);
  }
  if (parts.empty()) return sum;
  detail::sort_parts(parts);
  graph& g = *parts[0].owner;
  shape const whole = parts[0].extent();

  // Equal regions: one part.
  sequence<term> merged, same;
  for (std::size_t i = 0; i < parts.size();) {
    same.clear();
    std::size_t const first = i;
    for (; i < parts.size() && parts[i]->attributes == parts[first]->attributes &&
           parts[i].operand(0).extent() == parts[first].operand(0).extent();
         ++i)
      same.push_back(parts[i].operand(0));
    merged.push_back(same.size() == 1 ? parts[first] : embed(sum_of(same), whole, region(parts[first]->attributes)));
  }
  // Disjoint regions along one axis are one join: each part goes to the first that has room behind its last part.
  sequence<sequence<term>> joins;
  for (term part : merged) {
    std::size_t at = joins.size();
    if (is<op::embed>(part))
      for (at = 0; at < joins.size() && !detail::is_behind(joins[at], part);) ++at;
    if (at == joins.size()) joins.push_back({});
    joins[at].push_back(part);
  }
  for (sequence<term> const& each : joins) sum = detail::total(sum, detail::insert_join(g, each));
  return sum;
}

constexpr term op::join::insert(graph& g, const_span<int> operands) {
  sequence<term> parts;
  for (int id : operands) parts.push_back({&g, id});
  return g.simplifying ? sum_of(parts) : etch::detail::insert_join(g, parts);
}

ETCH_NAMESPACE_END
