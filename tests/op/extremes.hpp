// extremes: a function's value and gradient where operands are infinite, subnormal or huge, in a program, on a tape, in
// a block on a tape and in constant evaluation.
#pragma once

#include <etch/etch.hpp>

#include "math/ulps.hpp"

namespace extremes {

using namespace etch;
using ulps::inf, ulps::smallest, ulps::top, ulps::undefined;

template <class T>
bool near(T got, T want, double within = 4) {
  if (std::isnan(want) || std::isinf(want)) return std::isnan(want) ? std::isnan(got) : got == want;
  return ulps::distance<T>(got, static_cast<long double>(want)) <= within;
}
template <class T>
void check(char const* how, T value, auto const& slope, T want, auto const& slopes) {
  INFO(how);
  CAPTURE(static_cast<double>(value));
  CHECK(near(value, want));
  for (int i = 0; i < static_cast<int>(slopes.size()); ++i) {
    CAPTURE(i);
    CAPTURE(static_cast<double>(slope(i)));
    CHECK(near(slope(i), slopes(i)));
  }
}

/// Checks the value and the gradient by `x` of `f` in a program, on a tape and in a block on a tape.
template <class T, int N>
void check_running(auto f, tensor<T, N> const& x, T want, tensor<T, N> const& slopes, auto const&... more) {
  auto const compiled = value_and_grad<wrt<0>>(f)(x, more...);
  check("program", compiled.value, compiled.grad, want, slopes);
  auto const recorded = dynamic::value_and_grad<wrt<0>>(f)(x, more...);
  check("tape", recorded.value, recorded.grad, want, slopes);
  tape<T> t;
  auto const v = t.watch(x);
  T const value = t.backward(t.apply(f, v, more...));
  check("block", value, t.grad(v), want, slopes);
}
/// The same for operands that a stateless function gives, in constant evaluation too.
template <class F, class At, class T, int N>
void check_everywhere(F f, At at, T want, tensor<T, N> const& slopes, auto... more) {
  check_running(f, at(), want, slopes, more()...);
  static constexpr auto early = value_and_grad<wrt<0>>(F{})(At{}(), decltype(more){}()...);
  check("constant", early.value, early.grad, want, slopes);
}

template <class T, int N>
constexpr tensor<T, N> of(std::array<double, N> const& entries) {
  tensor<T, N> x;
  for (int i = 0; i < N; ++i) x(i) = static_cast<T>(entries[static_cast<std::size_t>(i)]);
  return x;
}

inline constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace extremes
