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

/// Sorted parts in joins: each part goes to the first join in which it has no entry in common with the parts before it.
class joins_of_parts {
 public:
  constexpr explicit joins_of_parts(const_span<term> parts) : parts_(parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) put(static_cast<int>(i));
  }
  constexpr std::size_t size() const { return last_.size(); }
  /// The parts of join `j`, in order.
  constexpr sequence<term> join(std::size_t j) const {
    sequence<term> all;
    for (int i = last_[j]; i >= 0; i = before_.entry[i]) all.push_back(parts_[static_cast<std::size_t>(i)]);
    std::reverse(all.begin(), all.end());
    return all;
  }

 private:
  const_span<term> parts_;
  sequence<int> before_;  // by part: the one before it in its join, or -1
  sequence<int> last_;    // by join: its last part

  constexpr void put(int i) {
    constexpr std::size_t most = 8;  // joins that are looked at, so that many parts that overlap take linear time
    std::size_t j = last_.size() > most ? last_.size() - most : 0;
    while (j < last_.size() && !is_behind(last_[j], i)) ++j;
    before_.push_back(j < last_.size() ? last_[j] : -1);
    if (j < last_.size()) last_[j] = i;
    else last_.push_back(i);
  }
  /// Whether part `i` meets no part of the join that ends with part `last`.
  constexpr bool is_behind(int last, int i) const {
    term const part = parts_[static_cast<std::size_t>(i)];
    // With one step for all, regions of other residues may reach far; the last of each residue is enough to look at.
    for (; last >= 0; last = before_.entry[last]) {
      term const other = parts_[static_cast<std::size_t>(last)];
      if (!is<op::embed>(other) || !is<op::embed>(part) ||
          region(other->attributes).axis != region(part->attributes).axis || !are_disjoint(other, part))
        return false;
      if (region(other->attributes).step == 1) break;
    }
    return true;
  }
};

constexpr term insert_join(graph& g, const_span<term> parts) {
  if (parts.size() == 1) return parts[0];
  sequence<int> ids;
  for (term part : parts) ids.push_back(part.id);
  make_known<op::join>();
  return {&g, g.insert(opcode_of<op::join>, parts[0]->type, parts[0].extent(), 0, ids)};
}

constexpr term total(term sum, term more) { return sum.exists() ? sum + more : more; }

}  // namespace detail

/// The sum of several terms of one shape. Those that are zero outside disjoint regions are put together without an
/// addition, join by join, behind the others, which are added in the order given; those of one region are added there.
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
  detail::joins_of_parts const joins(merged);
  for (std::size_t j = 0; j < joins.size(); ++j) sum = detail::total(sum, detail::insert_join(g, joins.join(j)));
  return sum;
}

constexpr term op::join::insert(graph& g, const_span<int> operands) {
  sequence<term> parts;
  for (int id : operands) parts.push_back({&g, id});
  return g.simplifying ? sum_of(parts) : etch::detail::insert_join(g, parts);
}

ETCH_NAMESPACE_END
