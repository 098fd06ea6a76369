// destination: storage of the caller's, which a call overwrites with its gradients or adds them to.
#pragma once

#include <etch/base/error.hpp>

#include <tuple>
#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace error {

template <class Told>
constexpr auto listener_takes_no_leaf() {
  static_assert(never<Told>, "etch: as_ready takes what is called with the number of a gradient's leaf, an int");
  return mistake{};
}

}  // namespace error
namespace detail {

/// The listener of a destination that wants to hear of nothing.
struct nobody {};

/// Storage for gradients; `Ready` is a reference to whom is told which of them is computed, or `nobody`.
template <bool Accumulate, class Ready, class... Gradient>
struct destination {
  std::tuple<Gradient&...> targets;
  [[no_unique_address]] Ready ready{};

  /// Gradients are stored here as before, and during the call `told(k)` is called for each leaf of the targets as soon
  /// as it is computed, while others are not: it may be read, and what it holds may change. Leaves of floating-point
  /// numbers are counted from 0 in the order of the targets and their members. The order of these calls is the
  /// program's, the same in every run.
  template <class Told>
  constexpr auto as_ready([[maybe_unused]] Told&& told) const {
    if constexpr (!std::is_invocable_v<Told&, int>) return error::listener_takes_no_leaf<Told>(), *this;
    else return destination<Accumulate, std::remove_reference_t<Told>&, Gradient...>{targets, told};
  }
};

}  // namespace detail

/// Destination of a call's gradients, one for each position in `wrt`: overwrites them.
template <class... Gradient>
constexpr detail::destination<false, detail::nobody, Gradient...> into(Gradient&... targets) {
  return {{targets...}, {}};
}
/// Destination of a call's gradients, one for each position in `wrt`: adds to what they hold.
template <class... Gradient>
constexpr detail::destination<true, detail::nobody, Gradient...> add_to(Gradient&... targets) {
  return {{targets...}, {}};
}

ETCH_NAMESPACE_END
