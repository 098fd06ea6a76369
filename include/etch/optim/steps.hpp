// steps: a model moved along a vector of numbers, one for each entry that is differentiated.
#pragma once

#include <etch/optim/leaves.hpp>
#include <etch/optim/objective.hpp>
#include <etch/transform/plain_call.hpp>

ETCH_NAMESPACE_BEGIN
namespace optim {
namespace detail {

/// Whether the memory of a matrix in `X` holds the transpose of what a function sees.
template <class X>
inline constexpr bool stored_by_rows = [] {
  for (char each : etch::detail::turned_leaves<X>)
    if (each != 0) return true;
  return false;
}();

/// Moves `x` by so many times `step`: manifolds along tangent vectors.
template <class X, class Vector>
void move(X& x, Vector const& step, double by) {
  std::size_t at = 0;
  for_each_leaf(x, [&]<class U>(std::size_t n, U* w) {
    for (std::size_t i = 0; i < n; ++i)
      w[i] = static_cast<U>(static_cast<double>(w[i]) + by * static_cast<double>(step.data()[at++]));
  });
}

/// This stands in for a problem whose function is a mistake.
struct no_problem {
  outcome minimise(auto&&...) const { return {}; }
};
/// Whether `F` captures nothing, as a program asks for: it depends on types alone. Names the mistake otherwise.
template <class F>
consteval bool is_function_of_types() {
  constexpr bool captures = !std::is_empty_v<F> || !std::is_default_constructible_v<F>;
  if constexpr (captures) etch::error::loss_captures_values<F>();
  return !captures;
}

/// `result` with how it ended.
inline outcome ended(outcome result, bool converged, char const* reason) {
  result.converged = converged;
  result.reason = reason;
  return result;
}

}  // namespace detail
}  // namespace optim
ETCH_NAMESPACE_END
