// contract_sums: the sum of a product whose factors are broadcast against each other is taken without that product:
// each factor is summed along the axes that it has alone, and what two share becomes a product of matrices. So the
// squared norm of an outer product is the product of two squared norms (I. Goodfellow, arXiv:1510.01799).
#pragma once

#include <etch/rewrite/arrival.hpp>
#include <etch/rewrite/replay.hpp>

ETCH_NAMESPACE_BEGIN
namespace pass {

namespace detail {

/// The axes along which `s` has more than one entry, as bits.
constexpr attribute long_axes(shape const& s) {
  attribute axes = 0;
  for (int axis = 0; axis < max_rank; ++axis) axes |= attribute{s[axis] > 1} << axis;
  return axes;
}

/// The sum of a value that is a product of factors which are broadcast against each other, or 0 where a condition does
/// not hold.
class factored_sum {
 public:
  constexpr factored_sum(attribute axes, term x) : full_(x.extent()), size_(full_.size()) {
    axes_ = long_axes(full_) & ((axes & op::reduction::whole) != 0 ? ~attribute{} : axes);
    bool squared = false;
    for (x = beneath(x); is_full(x); x = beneath(x.operand(is<op::select>(x) ? 1 : 0))) {
      if (is<op::neg>(x)) negative_ = negative_ == squared;
      else if (is<op::square>(x) && !squared) squared = true;
      else if (is<op::select>(x) && !condition_.exists() && !is_full(x.operand(0)) &&
               is_constant(etch::detail::unbroadcast(x.operand(2)), 0))
        condition_ = x.operand(0);
      else break;
    }
    add(x, squared);
  }

  /// The sum from sums of factors and products of matrices; nothing where it takes a product of all entries.
  constexpr term value() {
    for (term each : parts_)
      if (is_full(each)) return {};
    while (axes_ != 0)
      if (!sum_apart() && !merge() && !apply_condition()) {
        if (parts_.size() != 2 || !multiply()) return {};
        break;
      }
    while (parts_.size() > 1) put_in_place(parts_.size() - 2, parts_[parts_.size() - 2] * parts_[parts_.size() - 1]);
    apply_condition();
    return negative_ ? -parts_[0] : parts_[0];
  }

 private:
  shape full_;
  std::int64_t size_;
  attribute axes_ = 0;  // that are still to be summed
  bool negative_ = false;
  term condition_{};
  sequence<term> parts_;

  static constexpr attribute axes_of(term x) { return long_axes(x.extent()); }
  static constexpr std::int64_t size_of(term a, term b) { return broadcast_shape(a.extent(), b.extent()).size(); }
  static constexpr term beneath(term x) {
    while (is<op::broadcast>(x) || (is<op::reshape>(x) && same_extents(x.extent(), x.operand(0).extent())))
      x = x.operand(0);
    return x;
  }
  constexpr bool is_full(term x) const { return x.extent().size() == size_; }

  constexpr void add(term x, bool squared) {
    x = beneath(x);
    if (is<op::mul>(x) && is_full(x)) add(x.operand(0), squared), add(x.operand(1), squared);
    else parts_.push_back(squared ? emit<op::square>(0, x) : x);
  }
  /// `x` in the place of part `i` and all behind it.
  constexpr void put_in_place(std::size_t i, term x) {
    parts_.shrink(i);
    parts_.push_back(x);
  }

  /// Sums a part along axes that no other has.
  constexpr bool sum_apart() {
    attribute const held = condition_.exists() ? axes_of(condition_) : 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      attribute own = axes_ & axes_of(parts_[i]) & ~held;
      for (std::size_t other = 0; other < parts_.size(); ++other)
        if (other != i) own &= ~axes_of(parts_[other]);
      if (own == 0) continue;
      parts_[i] = emit<op::sum>(own, parts_[i]);
      axes_ &= ~own;
      return true;
    }
    return false;
  }
  /// Multiplies two parts whose product is no larger than they are.
  constexpr bool merge() {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        term const a = parts_[j], b = parts_[i];
        if (size_of(a, b) > std::max(a.extent().size(), b.extent().size())) continue;
        parts_[j] = a * b;
        parts_[i] = parts_.back();
        parts_.shrink(parts_.size() - 1);
        return true;
      }
    return false;
  }
  constexpr bool apply_condition() {
    if (!condition_.exists()) return false;
    for (term& each : parts_) each = gated(condition_, each);
    condition_ = {};
    return true;
  }
  /// sum over n of a[i, n] b[j, n], where n is the third axis.
  constexpr bool multiply() {
    bool const first = parts_[0].extent()[0] > 1;
    term const a = parts_[first ? 0 : 1], b = parts_[first ? 1 : 0];
    if (axes_ != 4u || axes_of(a) != 5u || axes_of(b) != 6u) return false;
    put_in_place(0, emit<op::matmul>(0, reshaped(a, make_shape(full_[0], full_[2])),
                                     emit<op::transpose>(0, reshaped(b, make_shape(full_[1], full_[2])))));
    return true;
  }
};

/// The sum of `x`, no sum itself, along `axes` without the entries of `x`; nothing where there is no such form.
constexpr term contracted_product(attribute axes, term x) {
  if (is<op::matmul>(x)) {  // one after the other: side by side
    term const a = x.operand(0), b = x.operand(1);
    int const k = a.extent()[1], count = x.extent()[2];
    if (x.extent().counted != 0) return {};
    if (axes != 4u || x.extent().rank != 3 || a.extent()[2] != count || b.extent()[2] != count) return {};
    return emit<op::matmul>(
        0, reshaped(a, make_shape(x.extent()[0], k * count)),
        emit<op::transpose>(0, reshaped(emit<op::transpose>(0, b), make_shape(x.extent()[1], k * count))));
  }
  if (is<op::mul>(x) || is<op::square>(x) || is<op::select>(x)) return factored_sum(axes, x).value();
  return {};
}

inline constexpr std::size_t most_addends = 32;
/// A sum of at most so many values is taken addend by addend.
constexpr term contracted(attribute axes, term x) {
  struct addend {
    term value;
    bool is_negative;
  };
  sequence<addend> waiting, addends;
  waiting.push_back({x, false});
  while (!waiting.empty()) {
    auto const [value, is_negative] = waiting.back();
    waiting.shrink(waiting.size() - 1);
    bool const is_sum = is<op::add>(value) || is<op::sub>(value);
    if (is<op::neg>(value)) {
      waiting.push_back({value.operand(0), !is_negative});
    } else if (is_sum && same_extents(value.operand(0).extent(), value.operand(1).extent())) {
      waiting.push_back({value.operand(1), is_negative != is<op::sub>(value)});
      waiting.push_back({value.operand(0), is_negative});
    } else {
      addends.push_back({value, is_negative});
      if (addends.size() > most_addends) return {};
    }
  }
  term sum{}, rest{};  // of the contracted, and what is left to be summed entry by entry
  auto const add = [](term& to, addend const& each, term value) {
    if (!to.exists()) to = each.is_negative ? -value : value;
    else to = each.is_negative ? to - value : to + value;
  };
  for (addend const& each : addends) {
    term const y = contracted_product(axes, each.value);
    if (y.exists()) add(sum, each, y);
    else add(rest, each, each.value);
  }
  if (!sum.exists() || !rest.exists()) return sum;
  return reshaped(emit<op::sum>(axes, rest), sum.extent()) + sum;
}

}  // namespace detail

/// Whether there may be a sum of a product that is larger than its factors.
constexpr bool has_broadcast_products(graph_view g) {
  bool product = false, sum = false;
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g.nodes.start[id];
    if (n.op == opcode_of<op::sum>) sum = true;
    if (product) continue;
    if (n.op == opcode_of<op::matmul>) product = n.extent.rank > 2;
    if (n.op != opcode_of<op::mul>) continue;
    const_span<int> const of = g.operands(id);
    product = g[of[0]].extent.size() < n.extent.size() && g[of[1]].extent.size() < n.extent.size();
  }
  return product && sum;
}

/// Takes sums of products of factors instead of the products' entries, where that saves an order of work.
constexpr graph contract_sums(graph_view g) {
  return rebuild(g, true, [](graph& to, node const& n, const_span<int> operands) -> term {
    if (n.op == opcode_of<op::sum>)
      if (term const y = detail::contracted(n.attributes, {&to, operands[0]}); y.exists()) return reshaped(y, n.extent);
    return same_node(to, n, operands);
  });
}

}  // namespace pass
ETCH_NAMESPACE_END
