// entries: walks a model together with structs of the same type, a register of entries at a time.
#pragma once

#include <etch/machine/dispatch.hpp>
#include <etch/machine/lanes.hpp>
#include <etch/optim/leaves.hpp>

#include <limits>
#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace optim {

namespace detail {
template <class V, class T>
ETCH_DETAIL_INLINED void store_entry([[maybe_unused]] V x, [[maybe_unused]] T* to) {
  if constexpr (std::is_const_v<T>) return;
  else if constexpr (width_of<V> == 1) *to = x;
  else x.store(to);
}

/// One function for all leaves of a type: `std::sqrt`, which may set errno, keeps compilers from vectorising such
/// loops. `f` is a copy, which no store through a pointer can change, so that its constants stay in registers.
template <class T, class... At>
[[gnu::noinline]] void for_each_entry_of(std::size_t n, auto f, T* w, At*... others) {
  run::work_on_memory();
  std::size_t i = 0;
  auto const at_once = [&](auto x, auto... entry) {
    f(x, entry...);
    store_entry(x, w + i);
    (store_entry(entry, others + i), ...);
  };
  if constexpr (constexpr std::size_t width = widest<T>; width > 1)
    for (; i + width <= n; i += width) at_once(lanes<T>::load(w + i), lanes<T>::load(others + i)...);
  for (; i < n; ++i) at_once(w[i], others[i]...);
}
}  // namespace detail

/// Calls `f(w, other...)` for the entries of every floating-point leaf, as `for_each_leaf` walks them. `f` takes
/// references: to numbers, or to registers of them (`math/number.hpp` has what both can do). What it leaves in `w` and
/// in those of `others` that are not const is stored.
template <class Model, class... Other>
void for_each_entry(Model& model, auto const& f, Other&... others) {
  for_each_leaf(model, [&](std::size_t n, auto*... at) { detail::for_each_entry_of(n, f, at...); }, others...);
}

/// `x` in every lane of a V.
template <class V>
ETCH_DETAIL_INLINED V every(double x) {
  return V(static_cast<math::scalar_in<V>>(x));
}

/// `share` of `mean`, and the rest of `x`: a step of an exponential moving average.
template <class V>
ETCH_DETAIL_INLINED V moved_mean(double share, V mean, V x) {
  return every<V>(share) * mean + every<V>(1 - share) * x;
}

/// `x`, or 0 where it is subnormal: a mean that decays would stay so, and arithmetic on such numbers is a hundred times
/// as slow.
template <class V>
ETCH_DETAIL_INLINED V normal_or_zero(V x) {
  using math::select;
  V const smallest(std::numeric_limits<math::scalar_in<V>>::min());
  return select((x < smallest) & (x > -smallest), every<V>(0), x);
}
/// `x`, or the smallest normal number where it is less: a mean of squares, for the same reason.
template <class V>
ETCH_DETAIL_INLINED V at_least_normal(V x) {
  using math::select;
  V const smallest(std::numeric_limits<math::scalar_in<V>>::min());
  return select(x < smallest, smallest, x);
}

}  // namespace optim
ETCH_NAMESPACE_END
