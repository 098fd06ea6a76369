// block: a value in memory as a whole, for ops that are computed by a function of their own.
#pragma once

#include <etch/graph/shape.hpp>

ETCH_NAMESPACE_BEGIN

/// Entries of static or dynamic shape at any strides.
template <class T>
struct block {
  T* data = nullptr;
  shape extent{};
  strides step{};

  constexpr T& operator()(int i, int j = 0, int k = 0, int l = 0) const {
    return data[i * step[0] + j * step[1] + k * step[2] + l * step[3]];
  }
  constexpr T& operator()(fixed<int, max_rank> const& i) const { return (*this)(i[0], i[1], i[2], i[3]); }
};

/// The outcome of an op that can fail on some values: bits, so that several failures add up.
enum class status : unsigned {
  ok = 0,
  singular = 1,               ///< a matrix to be inverted, or solved with, has no inverse
  not_positive_definite = 2,  ///< a matrix to be factored as L Lᵀ is not positive definite
  not_finite =
      4,  ///< an argument, a result or a gradient has an infinite entry or a NaN; told where `check_finite` asks for it
  not_converged = 8  ///< an iteration, for an equation or for eigenvalues, did not come to rest
};
/// The failures that either has.
constexpr status operator|(status a, status b) {
  return static_cast<status>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr status& operator|=(status& a, status b) { return a = a | b; }
/// Whether both have a failure in common: `step.status() & status::singular` asks for that one.
constexpr bool operator&(status a, status b) { return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0; }

/// Runs the block `Op`, which writes all of `y`: those that can add to it do not.
template <class Op>
constexpr status run_anew(auto attributes, auto const& y, auto const&... x) {
  if constexpr (requires { Op::accumulates; }) return Op::run(attributes, y, x..., false);
  else return Op::run(attributes, y, x...);
}

/// Calls `f(index)` for every index of `s`, first axis fastest.
constexpr void for_each_index(shape const& s, auto f) {
  fixed<int, max_rank> i{};
  for (i[3] = 0; i[3] < s[3]; ++i[3])
    for (i[2] = 0; i[2] < s[2]; ++i[2])
      for (i[1] = 0; i[1] < s[1]; ++i[1])
        for (i[0] = 0; i[0] < s[0]; ++i[0]) f(i);
}

ETCH_NAMESPACE_END
