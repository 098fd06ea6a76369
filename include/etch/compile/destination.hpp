// destination: storage of the caller's, which a call overwrites with its gradients or adds them to.
#pragma once

#include <etch/base/namespace.hpp>

#include <tuple>

ETCH_NAMESPACE_BEGIN

namespace detail {
template <bool Accumulate, class... Gradient>
struct destination {
  std::tuple<Gradient&...> targets;
};
}  // namespace detail

/// Destination of a call's gradients, one for each position in `wrt`: overwrites them.
template <class... Gradient>
constexpr detail::destination<false, Gradient...> into(Gradient&... targets) {
  return {{targets...}};
}
/// Destination of a call's gradients, one for each position in `wrt`: adds to what they hold.
template <class... Gradient>
constexpr detail::destination<true, Gradient...> add_to(Gradient&... targets) {
  return {{targets...}};
}

ETCH_NAMESPACE_END
