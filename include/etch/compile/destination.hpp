// destination: storage of the caller's, which a call overwrites with its gradients or adds them to.
#pragma once

#include <etch/base/namespace.hpp>

#include <tuple>
#include <type_traits>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// A destination whose owner is told which of its leaves is computed.
template <bool Accumulate, class Ready, class... Gradient>
struct destination_as_ready {
  std::tuple<Gradient&...> targets;
  Ready& ready;
};

template <bool Accumulate, class... Gradient>
struct destination {
  std::tuple<Gradient&...> targets;

  /// The same, and during the call `ready(k)` is called for each leaf of the targets as soon as it is computed, while
  /// others are not: it may be read, and what it holds may change. Leaves of floating-point numbers are counted from 0
  /// in the order of the targets and their members. The order of these calls is the program's, the same in every run.
  template <class Ready>
  constexpr destination_as_ready<Accumulate, std::remove_reference_t<Ready>, Gradient...> as_ready(
      Ready&& ready) const {
    return {targets, ready};
  }
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
