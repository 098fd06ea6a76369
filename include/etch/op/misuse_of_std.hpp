// misuse_of_std: functions of namespace std that are given traced values. Each is a sentence that
// names the function to call instead.
#pragma once

#include <etch/op/misuse.hpp>

#include <algorithm>
#include <cmath>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// Stands for the value of a function of namespace std.
template <class X, class... More>
constexpr auto without_std(X const& x, More const&...) {
  if constexpr (static_handle<X>) note_mistake_in(x);
  return x;
}

}  // namespace detail
ETCH_NAMESPACE_END

// A call such as std::exp(x) looks for functions in std alone. No program that calls one of these compiles; behind
// `using std::exp`, where the call finds etch::exp too, that is the better match, for these take a pack.
namespace std {

template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto abs(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto fabs(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto exp(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto exp2(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto expm1(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto log(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto log2(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto log10(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto log1p(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto sqrt(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto cbrt(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto sin(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto cos(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto tan(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto asin(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto acos(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto atan(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto sinh(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto cosh(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto tanh(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto asinh(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto acosh(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto atanh(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto erf(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto erfc(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto lgamma(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto floor(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto ceil(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 1 && (etch::detail::traced<X> || ...))
constexpr auto round(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 2 && (etch::detail::traced<X> || ...))
constexpr auto pow(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 2 && (etch::detail::traced<X> || ...))
constexpr auto atan2(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 2 && (etch::detail::traced<X> || ...))
constexpr auto hypot(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 2 && (etch::detail::traced<X> || ...))
constexpr auto fmax(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <class... X>
  requires(sizeof...(X) == 2 && (etch::detail::traced<X> || ...))
constexpr auto fmin(X const&... x) {
  etch::error::number_is_wanted<X...>();
  return etch::detail::without_std(x...);
}
template <etch::static_handle T>
constexpr auto max(T const& a, T const& b) {
  etch::error::std_function_takes_numbers<T, T>();
  return etch::detail::in_place_of(a, b);
}
template <class... X>
  requires(sizeof...(X) == 2 && (etch::detail::traced<X> || ...))
constexpr auto max(X const&... x) {
  etch::error::std_function_takes_numbers<X...>();
  return etch::detail::in_place_of(x...);
}
template <etch::static_handle T>
constexpr auto min(T const& a, T const& b) {
  etch::error::std_function_takes_numbers<T, T>();
  return etch::detail::in_place_of(a, b);
}
template <class... X>
  requires(sizeof...(X) == 2 && (etch::detail::traced<X> || ...))
constexpr auto min(X const&... x) {
  etch::error::std_function_takes_numbers<X...>();
  return etch::detail::in_place_of(x...);
}
template <class... X>
  requires(sizeof...(X) == 3 && (etch::detail::traced<X> || ...))
constexpr auto clamp(X const&... x) {
  etch::error::std_function_takes_numbers<X...>();
  return etch::detail::without_std(x...);
}

}  // namespace std
