// adjoint: what the reverse sweep keeps of each node: the contributions to its adjoint, and the mask that they stand behind.
#pragma once

#include <etch/pass/replay.hpp>

namespace etch::inline ETCH_ABI::pass {

namespace detail {

/// `g` summed down to `target`, from which the forward pass had broadcast.
constexpr term sum_to(term g, shape const& target) {
  if (same_extents(target, g.extent())) return fit(g, target);
  attribute axes = 0;
  for (int axis = 0; axis < max_rank; ++axis)
    if (target[axis] == 1 && g.extent()[axis] != 1) axes |= attribute{1} << axis;
  if (axes != 0) g = emit<op::sum>(axes, g);
  return fit(g, target);
}

/// An adjoint `value` that counts only where `condition` chooses it, and is 0 elsewhere.
struct mask {
  term condition, value;
  bool chosen_if_true;

  constexpr term apply(term x) const {
    term const zero = constant(*x.owner, x->type, 0);
    // In another type a condition near 0 could become 0: whether it is 0 is converted, not the condition itself.
    bool const same_type = condition->type == x->type;
    term const c = same_type ? condition
                             : emit<op::cast>(static_cast<attribute>(x->type), equal_to(condition, constant(*x.owner, condition->type, 0)));
    return chosen_if_true == same_type ? emit<op::select>(0, c, x, zero) : emit<op::select>(0, c, zero, x);
  }
};

/// The mask that a `select` put on its branch. It is applied again after each element-wise rule behind the branch, so that a NaN or inf
/// that such a rule makes where the branch was not taken never arrives.
constexpr std::optional<mask> mask_of(term adjoint) {
  if (!is<op::select>(adjoint)) return std::nullopt;
  if (is_constant(adjoint.operand(2), 0)) return mask{adjoint.operand(0), adjoint.operand(1), true};
  if (is_constant(adjoint.operand(1), 0)) return mask{adjoint.operand(0), adjoint.operand(2), false};
  return std::nullopt;
}

/// What has arrived at each node of the graph, until it is summed.
class contributions {
 public:
  constexpr explicit contributions(std::size_t nodes) : first_(filled(nodes, -1)), last_(filled(nodes, -1)) {}

  constexpr bool any(int node) const { return first_.entry[node] >= 0; }
  constexpr void add(int node, term value) {
    int const fresh = static_cast<int>(entries_.size());
    entries_.push_back({value});
    int& last = last_.entry[node];
    (last >= 0 ? entries_.entry[last].next : first_.entry[node]) = fresh;
    last = fresh;
  }
  constexpr term total(int node) {
    int const first = first_.entry[node];
    if (entries_.entry[first].next < 0) return entries_.entry[first].value;
    terms_.clear();
    for (int i = first; i >= 0; i = entries_.entry[i].next) terms_.push_back(entries_.entry[i].value);
    return sum_of(terms_);
  }

 private:
  struct entry {
    term value{};
    int next = -1;
  };
  sequence<entry> entries_;
  sequence<int> first_, last_;  // by node
  sequence<term> terms_;
};

}  // namespace detail

}  // namespace etch::inline ETCH_ABI::pass
