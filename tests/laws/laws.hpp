// What the laws share: which ops there are, sample points, and comparison.
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

/// Where an op is sampled: in its domain, or anywhere if it has none of its own.
template <class Op>
constexpr op::interval domain_of() {
  if constexpr (sampled<Op>) return Op::domain;
  else return {-2, 2};
}

/// Reproducible entries in a domain; no two alike, so that ties and kinks are met only where a test puts them.
inline std::vector<double> sample(std::size_t n, double low, double high, std::uint64_t seed) {
  nn::generator random(seed);
  std::vector<double> x(n);
  for (double& e : x) e = random.uniform(low, high);
  return x;
}

/// |a - b| relative to the larger of 1 and both; NaN equals NaN.
inline double distance(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  if (a == b) return 0;
  return std::abs(a - b) / std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace laws
