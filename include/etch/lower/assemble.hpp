// assemble: writes every join in full, so that its parts, computed in place, fill one buffer.
#pragma once

#include <etch/lower/place.hpp>
#include <etch/rewrite/replay.hpp>

#include <algorithm>
#include <utility>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// A region and the number of its entries along its axis.
struct stretch {
  region where{};
  int count = 0;
};

/// `gaps_between` parts whose entries adjoin: from the end of each to the begin of the next, however long the axis is.
constexpr sequence<stretch> gaps_between_contiguous(sequence<stretch> parts, int axis, int end) {
  std::sort(parts.begin(), parts.end(),
            [](stretch const& a, stretch const& b) { return a.where.begin < b.where.begin; });
  sequence<stretch> gaps;
  int next = 0;
  auto const up_to = [&](int begin) {
    if (begin > next) gaps.push_back({region(axis, next), begin - next});
  };
  for (auto const& [r, count] : parts) {
    up_to(r.begin);
    next = std::max(next, r.begin + count);
  }
  up_to(end);
  return gaps;
}

/// Regions of an axis of extent `end` that the parts of a join leave free.
constexpr sequence<stretch> gaps_between(const_span<stretch> parts, int axis, int end) {
  if (std::all_of(parts.begin(), parts.end(), [](stretch const& s) { return s.where.step == 1 || s.count == 1; }))
    return gaps_between_contiguous({parts.begin(), parts.end()}, axis, end);
  sequence<char> taken = filled(static_cast<std::size_t>(end), '\0');
  int step = 1;
  for (auto const& [r, count] : parts) {
    if (r.step > step) step = r.step;
    for (int i = 0; i < count; ++i) taken[static_cast<std::size_t>(r.begin + i * r.step)] = 1;
  }
  sequence<stretch> gaps;
  auto const take = [&](int begin, int by, int at_least) {
    int count = 0;
    while (begin + count * by < end && !taken[static_cast<std::size_t>(begin + count * by)]) ++count;
    if (count < at_least) return;
    gaps.push_back({region(axis, begin, count == 1 ? 1 : by), count});
    for (int i = 0; i < count; ++i) taken[static_cast<std::size_t>(begin + i * by)] = 1;
  };
  for (int begin = 0; begin < end; ++begin) take(begin, 1, step);  // neighbours, where there are enough of them
  if (step > 1)
    for (int begin = 0; begin < end; ++begin) take(begin, step, 1);
  return gaps;
}

class assembly {
 public:
  constexpr explicit assembly(graph_view from)
      : from_(from),
        uses_(filled(from.nodes.size(), 0)),
        homes_(filled(from.nodes.size(), 0)),
        at_(filled(from.nodes.size(), -1)),
        fills_output_(sequence<char>::zeros(from.nodes.size())) {
    for (int id = 0; id < from.size(); ++id)
      for (int operand : from.operands(id)) {
        ++uses_.entry[operand];
        if (is_embed(id)) ++homes_.entry[operand];
      }
    for (int output : from.outputs)
      ++uses_.entry[output], homes_.entry[output] += 2;  // an output has storage of its own
    for (int output : from.outputs) fills_output_.entry[output] = 1;
    for (int id = from.size() - 1; id >= 0;
         --id)  // what lies in an output's storage: under another shape, or as a part
      if (fills_output_.entry[id] && (facts_of(from[id]).is_view || facts_of(from[id]).is_assembly))
        for (int operand : from.operands(id)) fills_output_.entry[operand] = 1;
  }

  constexpr graph run(sequence<int>* numbers) {
    to_.pool = sequence<std::uint64_t>(from_.pool.begin(), from_.pool.end());
    sequence<int> operands;
    for (int id = 0; id < from_.size(); ++id) {
      node const& n = from_[id];
      bool const joins = n.op == opcode_of<op::join>;
      operands.clear();
      for (int operand : from_.operands(id)) operands.push_back(joins ? operand : value_of(operand));
      if (joins) at_.entry[id] = joined(n, operands);
      else if (!is_embed(id)) at_.entry[id] = to_.insert(n.op, n.type, n.extent, n.attributes, operands);
    }
    for (int output : from_.outputs) to_.outputs.push_back(value_of(output));
    if (numbers != nullptr) *numbers = std::move(at_);
    return std::move(to_);
  }

 private:
  graph_view from_;
  graph to_;
  sequence<int> uses_;
  sequence<int> homes_;  // by node: in how many places it should be computed
  sequence<int> at_;     // by node: its index in the new graph; -1 for a part that is nowhere read as a value
  sequence<char> fills_output_;
  int copies_ = 0;

  constexpr bool is_embed(int id) const { return from_[id].op == opcode_of<op::embed>; }

  /// The new index of a node that is read as a value: an embed then is a join of one part.
  constexpr int value_of(int id) {
    if (at_.entry[id] < 0) {
      int const part[] = {id};
      at_.entry[id] = joined(from_[id], part);
    }
    return at_.entry[id];
  }

  constexpr int copy_of(int id) {
    node const& n = to_[id];
    int const operand[] = {id};
    return to_.insert(opcode_of<op::copy>, n.type, n.extent, static_cast<attribute>(--copies_), operand);
  }

  /// Whether `value` can be computed in the buffer of the only join that the part `embed` belongs to. An output's
  /// storage may hold what is to be added to, so nothing is read from there.
  constexpr bool fits_in_place(int embed, int value) const {
    node const& n = from_[value];
    return (is_stored(n) || is_embed(value)) && facts_of(n).accumulates && !facts_of(n).is_result &&
           uses_.entry[embed] == 1 && homes_.entry[value] == 1 &&
           !(fills_output_.entry[embed] && uses_.entry[value] > 1);
  }

  /// The join of the parts `embeds`, nodes of the old graph.
  constexpr int joined(node const& whole, const_span<int> embeds) {
    node const like = whole;
    sequence<int> parts;
    sequence<stretch> taken;
    auto const add = [&](int value, region r) {
      int const operand[] = {value};
      parts.push_back(to_.insert(opcode_of<op::embed>, like.type, like.extent, r, operand));
    };
    int const axis = region(from_[embeds[0]].attributes).axis;
    for (int embed : embeds) {
      region const r(from_[embed].attributes);
      int const value = from_.operands(embed)[0];
      taken.push_back({r, from_[value].extent[axis]});
      int const computed = value_of(value);
      add(fits_in_place(embed, value) ? computed : copy_of(computed), r);
    }
    for (auto const& [r, count] : gaps_between(taken, axis, like.extent[axis])) {
      shape s = like.extent;
      s[axis] = count;
      add(copy_of(fit(constant(to_, like.type, 0), s).id), r);
    }
    return to_.insert(opcode_of<op::join>, like.type, like.extent, 0, parts);
  }
};

}  // namespace detail

/// Completes joins: every `embed` is a part of exactly one join, the parts of a join leave no gap, and each part
/// is computed for this join alone, so that it can be written into the join's buffer: what cannot be is copied there.
/// `numbers`, if given, receives the new number of every node; -1 for a part.
constexpr graph assemble(graph_view from, sequence<int>* numbers = nullptr) {
  for (node const& n : from.nodes)
    if (n.op == opcode_of<op::embed>) return detail::assembly(from).run(numbers);
  if (numbers != nullptr)
    for (int id = 0; id < from.size(); ++id) numbers->push_back(id);
  return copy_of(from);
}

}  // namespace pass
ETCH_NAMESPACE_END
