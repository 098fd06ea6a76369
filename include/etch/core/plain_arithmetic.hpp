// + - * / of plain tensors, as far as a step of descent needs them: sums of one shape, and multiples. What the
// operators of a struct with ETCH_MEMBERS are leaf by leaf.
#pragma once

#include <etch/core/tensor.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// `a` with `f` of its entries and those of `more` in their place.
template <class Tensor>
constexpr Tensor entrywise(auto f, Tensor const& a, auto const&... more) {
  Tensor y = a;
  for (std::size_t i = 0; i < a.size(); ++i) y[i] = f(a[i], more[i]...);
  return y;
}

}  // namespace detail

/// The sum of two plain tensors of one shape, entry by entry.
template <std::floating_point T, int First, int... Dims>
constexpr tensor<T, First, Dims...> operator+(tensor<T, First, Dims...> const& a, tensor<T, First, Dims...> const& b) {
  return detail::entrywise([](T x, T y) { return x + y; }, a, b);
}
/// The difference of two plain tensors of one shape, entry by entry.
template <std::floating_point T, int First, int... Dims>
constexpr tensor<T, First, Dims...> operator-(tensor<T, First, Dims...> const& a, tensor<T, First, Dims...> const& b) {
  return detail::entrywise([](T x, T y) { return x - y; }, a, b);
}
/// The negative of a plain tensor.
template <std::floating_point T, int First, int... Dims>
constexpr tensor<T, First, Dims...> operator-(tensor<T, First, Dims...> const& a) {
  return detail::entrywise([](T x) { return -x; }, a);
}
/// A plain tensor times a number, which is converted to the element type first.
template <std::floating_point T, int First, int... Dims, scalar S>
constexpr tensor<T, First, Dims...> operator*(tensor<T, First, Dims...> const& a, S s) {
  return detail::entrywise([s](T x) { return x * static_cast<T>(s); }, a);
}
/// A number, which is converted to the element type first, times a plain tensor.
template <std::floating_point T, int First, int... Dims, scalar S>
constexpr tensor<T, First, Dims...> operator*(S s, tensor<T, First, Dims...> const& a) {
  return a * s;
}
/// A plain tensor divided by a number, which is converted to the element type first.
template <std::floating_point T, int First, int... Dims, scalar S>
constexpr tensor<T, First, Dims...> operator/(tensor<T, First, Dims...> const& a, S s) {
  return detail::entrywise([s](T x) { return x / static_cast<T>(s); }, a);
}

/// Adds `b` to `a`, entry by entry.
template <std::floating_point T, int First, int... Dims>
constexpr tensor<T, First, Dims...>& operator+=(tensor<T, First, Dims...>& a, tensor<T, First, Dims...> const& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}
/// Subtracts `b` from `a`, entry by entry.
template <std::floating_point T, int First, int... Dims>
constexpr tensor<T, First, Dims...>& operator-=(tensor<T, First, Dims...>& a, tensor<T, First, Dims...> const& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}
/// Multiplies every entry of `a` by a number.
template <std::floating_point T, int First, int... Dims, scalar S>
constexpr tensor<T, First, Dims...>& operator*=(tensor<T, First, Dims...>& a, S s) {
  for (T& each : a) each *= static_cast<T>(s);
  return a;
}
/// Divides every entry of `a` by a number.
template <std::floating_point T, int First, int... Dims, scalar S>
constexpr tensor<T, First, Dims...>& operator/=(tensor<T, First, Dims...>& a, S s) {
  for (T& each : a) each /= static_cast<T>(s);
  return a;
}

ETCH_NAMESPACE_END
