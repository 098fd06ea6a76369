// The laws share this: which ops there are and where they are sampled, sample points, and comparison.
#pragma once

#include <etch/nn/random.hpp>
#include <etch/op/table.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace laws {

using namespace etch;

/// Calls `f(type_identity<Op>)` for every op in the list.
template <class... Op>
constexpr void for_each_op(op_list<Op...>, auto f) {
  (f(std::type_identity<Op>{}), ...);
}

/// Ops that take values and give one by a formula, all at which a derivative can be tested.
template <class Op>
concept sampled = requires { Op::domain; };

/// An op as a value: where its operands are sampled, and which of them it is differentiable in.
struct subject {
  opcode code{};
  bool sampled = false;
  std::vector<op::interval> domain;  ///< of each operand
  unsigned smooth = 0;               ///< bit i: operand i may vary; the others take whole numbers

  op_facts const& facts() const { return op_table[code]; }
};

template <class Op>
subject subject_of() {
  subject s{opcode_of<Op>, sampled<Op>, {}, 0};
  if constexpr (Op::arity > 0) {
    op::interval all{-2, 2};
    if constexpr (sampled<Op>) all = Op::domain;
    s.domain.assign(static_cast<std::size_t>(Op::arity), all);
    s.smooth = (1u << Op::arity) - 1;
  }
  if constexpr (std::same_as<Op, op::select>) s.domain[0] = {0, 1}, s.smooth = 0b110;
  if constexpr (std::same_as<Op, op::zeta>) s = {opcode_of<Op>, true, {{2, 4}, {0.5, 4}}, 0b10};
  if constexpr (std::same_as<Op, op::stumpff>) s = {opcode_of<Op>, true, {{1, 4}, {0.25, 4}}, 0b10};
  if constexpr (std::same_as<Op, op::angle_ratio>)
    s = {opcode_of<Op>, true, {{1, 3}, {0.25, 0.75}, {0.25, 0.75}}, 0b110};
  return s;
}

/// All ops that have a derivative, of those that `wanted(facts, sampled)` names.
inline std::vector<subject> subjects(auto wanted) {
  std::vector<subject> all;
  for_each_op(op::list{}, [&](auto type) {
    subject const s = subject_of<typename decltype(type)::type>();
    if (s.facts().differentiable && wanted(s.facts(), s.sampled)) all.push_back(s);
  });
  return all;
}

/// Reproducible entries in a domain.
inline std::vector<double> sample(std::size_t n, double low, double high, std::uint64_t seed) {
  nn::generator random(seed);
  std::vector<double> x(n);
  for (double& e : x) e = random.uniform(low, high);
  return x;
}

/// Reproducible entries in [0, 1], any two of them at least half of 1 / n apart: ties are
/// met only where a test puts them.
inline std::vector<double> apart(std::size_t n, std::uint64_t seed) {
  nn::generator random(seed);
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = (static_cast<double>(i) + random.uniform(0.25, 0.75)) / static_cast<double>(n);
  for (std::size_t i = n; i > 1; --i)
    std::swap(x[i - 1], x[static_cast<std::size_t>(random.uniform(0, static_cast<double>(i)))]);
  return x;
}

/// |a - b| relative to the larger of 1 and both; NaN equals NaN.
inline double distance(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  if (a == b) return 0;
  return std::abs(a - b) / std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace laws
