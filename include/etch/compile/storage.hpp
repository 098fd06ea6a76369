// storage: where the leaves of a call's arguments and its outputs lie, and whether any of them overlap.
#pragma once

#include <etch/core/argument.hpp>
#include <etch/base/mistake.hpp>
#include <etch/core/columns.hpp>
#include <etch/machine/body.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// A pointer to `n` entries, of which the compiler no longer knows where it comes from. g++ 12.2 forgets
/// the constant that is added to the address of a member (ipa-modref): it takes all entries that a call
/// reads or writes there for the first one.
template <class T>
[[gnu::always_inline]] inline T* of_unknown_origin(T* entries, [[maybe_unused]] std::size_t n) {
#if defined(__GNUC__) && !defined(__clang__)
  if (n > 1) asm("" : "+r"(entries));
#endif
  return entries;
}

/// A leaf's storage; without bytes where nothing can overlap it.
struct range {
  std::byte const* first;
  std::size_t bytes;

  [[gnu::always_inline]] inline bool overlaps(range const& other) const {
    if (bytes == 0 || other.bytes == 0) return false;
    std::uintptr_t const distance =
        reinterpret_cast<std::uintptr_t>(first) - reinterpret_cast<std::uintptr_t>(other.first);
    return distance + (bytes - 1) < bytes + other.bytes - 1;  // one comparison: what is before `other` wraps around
  }
};
template <int N>
using ranges = fixed<range, N == 0 ? 1 : N>;

/// An argument during a call: a number is copied, so that nothing that is written can reach it.
template <class A>
using held = std::conditional_t<scalar<A>, A, A const&>;

/// Appends the storage of every leaf of `a`, which is described by `argument<A>`.
template <class A>
[[gnu::always_inline]] inline void append_leaves(auto& leaves, std::size_t& next, auto const& a) {
  argument<A>::visit(
      a, etch::detail::column_visitor{[&]<class T>(T const* data, std::size_t n) __attribute__((always_inline)) {
        leaves[next++] = {reinterpret_cast<std::byte const*>(of_unknown_origin(data, n)),
                          scalar<A> ? 0 : n * sizeof(T)};
      }});
}
/// Appends the storage of every leaf of `gradient` that has one: those of floating-point numbers.
template <class Gradient>
[[gnu::always_inline]] inline void append_gradients(auto& outputs, std::size_t& next, Gradient& gradient) {
  argument<Gradient>::visit(
      gradient, etch::detail::column_visitor{[&]<class T>(T* data, std::size_t n) __attribute__((always_inline)) {
        if constexpr (std::is_floating_point_v<T>)
          outputs[next++] = {reinterpret_cast<std::byte const*>(of_unknown_origin(data, n)), n * sizeof(T)};
      }});
}

/// Appends the leaves of a result; none of them are columns of one.
template <class Result>
[[gnu::always_inline]] inline void append_results(auto& outputs, std::size_t& next, Result& result) {
  argument<Result>::visit(result, [&]<class T>(T* data, std::size_t n) __attribute__((always_inline)) {
    if constexpr (std::is_floating_point_v<T>)
      outputs[next++] = {reinterpret_cast<std::byte const*>(of_unknown_origin(data, n)), n * sizeof(T)};
  });
}

/// How many entries count in a call; nothing where all of them do.
template <bool Counts>
struct entries_that_count {};
template <>
struct entries_that_count<true> {
  int number = -1;

  /// Is told by every argument that says so; all must say the same.
  struct reader {
    static constexpr bool takes_columns = true;
    int* number;
    constexpr void take_count(auto const& counted) const {
      int const here = static_cast<int>(counted.count());
      if (*number >= 0 && *number != here) error::counts_differ(*number, here);
      *number = here;
    }
    constexpr void operator()(auto const*, std::size_t) const {}
  };
  /// Tells it to results and gradients.
  struct writer {
    static constexpr bool takes_columns = true;
    int number;
    constexpr void take_count(auto& counted) const { counted.resize(number); }
    constexpr void operator()(auto*, std::size_t) const {}
  };
  /// As many as all arguments of a call say.
  template <class... A>
  static constexpr entries_that_count of(A const&... arguments) {
    entries_that_count count;
    (argument<A>::visit(arguments, reader{&count.number}), ...);
    return count;
  }
  /// Tells it to a result or a gradient.
  template <class R>
  constexpr void tell(R& result) const {
    argument<R>::visit(result, writer{number});
  }
  std::byte const* where() const { return reinterpret_cast<std::byte const*>(&number); }
};

/// Whether any of the outputs from `First` on overlaps a leaf. `Straight`: as straight-line code.
template <bool Straight, int First, int Outputs, int Leaves>
[[gnu::always_inline]] inline bool any_overlap(ranges<Outputs> const& outputs, ranges<Leaves> const& leaves) {
  bool any = false;
  if constexpr (Straight)
    unrolled<Outputs - First>([&](auto out) __attribute__((always_inline)) {
      unrolled<Leaves>(
          [&](auto leaf) __attribute__((always_inline)) { any = any || outputs[out + First].overlaps(leaves[leaf]); });
    });
  else
    for (std::size_t out = First; out < Outputs; ++out)
      for (std::size_t leaf = 0; leaf < Leaves; ++leaf) any |= outputs[out].overlaps(leaves[leaf]);
  return any;
}
/// Whether any two of the outputs but the first overlap.
template <bool Straight, int Outputs>
[[gnu::always_inline]] inline bool any_overlap(ranges<Outputs> const& outputs) {
  bool any = false;
  if constexpr (Straight)
    unrolled<Outputs - 1>([&](auto out) __attribute__((always_inline)) {
      unrolled<out>([&](auto other)
                        __attribute__((always_inline)) { any = any || outputs[out + 1].overlaps(outputs[other + 1]); });
    });
  else
    for (std::size_t out = 1; out < Outputs; ++out)
      for (std::size_t other = 1; other < out; ++other) any |= outputs[out].overlaps(outputs[other]);
  return any;
}

}  // namespace run
ETCH_NAMESPACE_END
