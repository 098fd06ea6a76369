// A value with one block replaced by another one: a join of what stays and what is new, so entries written
// one by one are parts of one buffer.
#pragma once

#include <etch/op/reshape.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// Entries `begin` to `begin + count - 1` along an axis.
struct span_of_axis {
  int begin, count;
  term entries;

  constexpr int end() const { return begin + count; }
};

/// `count` entries of `t` from `begin` on along `axis`; of a slice along the same axis one slice.
constexpr term cut(term t, int axis, int begin, int count) {
  if (begin == 0 && count == t.extent()[axis]) return t;
  if (is<op::slice>(t))
    if (region const r(t->attributes); r.axis == axis && r.step == 1)
      return slice(t.operand(0), region(axis, r.begin + begin), count);
  return slice(t, region(axis, begin), count);
}

/// The parts of `whole` along `axis`, in order and without gaps: the parts of a join, or the value itself.
constexpr void spans_along(term whole, int axis, sequence<span_of_axis>& to) {
  int const length = whole.extent()[axis];
  if (is<op::join>(whole)) {
    int end = 0;
    shape gap = whole.extent();
    auto const fill_up = [&](int begin) {
      if (begin == end) return;
      gap[axis] = begin - end;
      to.push_back({end, begin - end, fit(constant(*whole.owner, whole->type, 0), gap)});
    };
    for (int id : whole.owner->operands(whole.id)) {
      term const part{whole.owner, id};
      region const r(part->attributes);
      if (!is<op::embed>(part) || r.axis != axis || r.step != 1) {
        to.clear();
        break;
      }
      int const count = part.operand(0).extent()[axis];
      fill_up(r.begin);
      to.push_back({r.begin, count, part.operand(0)});
      end = r.begin + count;
    }
    if (!to.empty()) return fill_up(length);
  }
  to.push_back({0, length, whole});
}

/// `whole` with `part` from position `at` on. Both have the same rank.
constexpr term replaced(term whole, term part, fixed<int, max_rank> const& at) {
  shape const w = whole.extent(), p = part.extent();
  int axis = max_rank - 1;
  while (axis >= 0 && p[axis] == w[axis]) --axis;
  if (axis < 0) return fit(part, w);
  bool fills_others = true;
  for (int i = 0; i < axis; ++i) fills_others = fills_others && p[i] == w[i];
  int const from = at.entry[axis], to = from + p[axis];

  sequence<span_of_axis> spans, made;
  spans_along(whole, axis, spans);
  bool placed = false;
  for (span_of_axis const& each : spans) {
    if (int const end = std::min(each.end(), from); each.begin < end)
      made.push_back({each.begin, end - each.begin, cut(each.entries, axis, 0, end - each.begin)});
    if (int const begin = std::max(each.begin, from), count = std::min(each.end(), to) - begin; count > 0) {
      if (!fills_others) {
        fixed<int, max_rank> inner = at;
        inner.entry[axis] = 0;
        made.push_back({begin, count,
                        replaced(cut(each.entries, axis, begin - each.begin, count),
                                 cut(part, axis, begin - from, count), inner)});
      } else if (!placed) {
        made.push_back({from, p[axis], part});
        placed = true;
      }
    }
    if (int const begin = std::max(each.begin, to); begin < each.end())
      made.push_back({begin, each.end() - begin, cut(each.entries, axis, begin - each.begin, each.end() - begin)});
  }
  sequence<term> parts;
  for (span_of_axis const& each : made) {
    shape s = w;
    s[axis] = each.count;
    parts.push_back(embed(fit(each.entries, s), w, region(axis, each.begin)));
  }
  return sum_of(parts);
}

}  // namespace detail

ETCH_NAMESPACE_END
