// adjoint: what the reverse sweep keeps of each node: the contributions to its adjoint, and
// the mask that they stand behind.
#pragma once

#include <etch/rewrite/arrival.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// An adjoint `value` that counts only where `condition` chooses it, and is 0 elsewhere.
struct mask {
  term condition{}, value{};
  bool chosen_if_true = false;

  constexpr bool exists() const { return condition.owner != nullptr; }

  constexpr term apply(term x) const {
    term const zero = constant(*x.owner, x->type, 0);
    // In another type a condition near 0 could become 0: whether it is 0 is converted, not the condition itself.
    bool const same_type = condition->type == x->type;
    term const c = same_type ? condition
                             : emit<op::cast>(static_cast<attribute>(x->type),
                                              equal_to(condition, constant(*x.owner, condition->type, 0)));
    return chosen_if_true == same_type ? emit<op::select>(0, c, x, zero) : emit<op::select>(0, c, zero, x);
  }
};

/// The mask that a `select` put on its branch. It is applied again after each element-wise rule behind
/// the branch, so that a NaN or inf that such a rule makes where the branch was not taken never arrives.
/// None where there is no such select.
constexpr mask mask_of(term adjoint) {
  if (!is<op::select>(adjoint)) return {};
  if (is_constant(adjoint.operand(2), 0)) return {adjoint.operand(0), adjoint.operand(1), true};
  if (is_constant(adjoint.operand(1), 0)) return {adjoint.operand(0), adjoint.operand(2), false};
  return {};
}

/// The contributions that have arrived at each node of the graph, until they are summed.
class contributions {
 public:
  constexpr explicit contributions(std::size_t nodes) : first_(filled(nodes, -1)), last_(filled(nodes, -1)) {}

  constexpr bool any(int node) const { return first_.entry[node] >= 0; }
  constexpr void add(int node, arrival const& value) {
    int const fresh = static_cast<int>(entries_.size());
    entries_.push_back({value});
    int& last = last_.entry[node];
    (last >= 0 ? entries_.entry[last].next : first_.entry[node]) = fresh;
    last = fresh;
  }
  /// Calls `each` for what has arrived at `node`, in order.
  constexpr void for_each(int node, auto each) const {
    for (int i = first_.entry[node]; i >= 0; i = entries_.entry[i].next) each(entries_.entry[i].value);
  }
  constexpr arrival total(int node) {
    int const first = first_.entry[node];
    arrival const& one = entries_.entry[first].value;
    if (entries_.entry[first].next < 0) return one;
    terms_.clear();
    masks_.clear();
    bool is_one_mask = one.mask.exists();
    for (int i = first; i >= 0; i = entries_.entry[i].next) {
      arrival const& each = entries_.entry[i].value;
      terms_.push_back(each.adjoint);
      if (each.mask.exists()) masks_.push_back(each.mask);
      is_one_mask = is_one_mask && each.mask == one.mask;
    }
    if (is_one_mask) return {sum_behind(one.mask), one.mask};
    return {sum_of(terms_), masks_.size() == terms_.size() ? either(masks_) : term{}};
  }

 private:
  struct entry {
    arrival value{};
    int next = -1;
  };
  sequence<entry> entries_;
  sequence<int> first_, last_;  // by node
  sequence<term> terms_, masks_;

  /// The sum of the terms; where all are behind the mask `m`, they are added before it is applied.
  constexpr term sum_behind(term m) {
    sequence<term> ungated;
    for (term each : terms_)
      if (mask const found = mask_of(each); found.exists() && gated(m, found.value) == each)
        ungated.push_back(found.value);
    return ungated.size() == terms_.size() ? gated(m, sum_of(ungated)) : sum_of(terms_);
  }
};

}  // namespace detail

}  // namespace pass
ETCH_NAMESPACE_END
