// step_limit: whether the compiler's limit on constant evaluation allows what a program of so many nodes takes.
#pragma once

#include <etch/base/namespace.hpp>

#include <cstdint>
#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// Counts to `n`, for as many steps of constant evaluation (twelve operations each, as g++ counts); in
/// pieces, for g++ limits loops too.
constexpr bool count_to(std::int64_t n) {
  std::int64_t counted = 0;
  while (counted < n)
    for (std::int64_t i = 0; i < 100'000 && counted < n; ++i) ++counted;
  return true;
}

/// Whether the compiler's options allow as many steps in one constant evaluation.
template <std::int64_t Steps>
concept allows_steps = requires { typename std::bool_constant<count_to(Steps)>; };

/// Cost of passes for each node, in steps of `count_to`, measured on scalar code and on a transformer: of a traced
/// graph, the costliest before derivatives, and differentiation; of value and gradients, the expansion of composites,
/// pruning, and the costliest pass that a program can do without; then grouping into kernels, and the costliest of all
/// others, where many numbers share a kernel and other values may have one each. Strips are guessed, and tried above.
#if defined(__clang__)
inline constexpr std::int64_t steps_surely_allowed = 1'000'000;
inline constexpr std::int64_t steps_of_traced = 200, steps_of_derivatives = 600, steps_of_expansion = 160,
                              steps_of_pruning = 112, steps_of_optional = 190, steps_of_grouping = 188,
                              steps_of_pruned = 184, steps_of_pruned_numbers = 121, steps_of_strips = 600;
#else
inline constexpr std::int64_t steps_surely_allowed = 2'500'000;
inline constexpr std::int64_t steps_of_traced = 250, steps_of_derivatives = 750, steps_of_expansion = 260,
                              steps_of_pruning = 175, steps_of_optional = 310, steps_of_grouping = 305,
                              steps_of_pruned = 305, steps_of_pruned_numbers = 305, steps_of_strips = 900;
#endif

/// Whether the compiler's limit allows so many steps for each of `Nodes` nodes.
template <std::int64_t Nodes, std::int64_t EachTakes>
constexpr bool within_limit() {
  if constexpr (Nodes * EachTakes <= steps_surely_allowed) return true;
  else return allows_steps<Nodes * EachTakes>;
}

}  // namespace detail
ETCH_NAMESPACE_END
