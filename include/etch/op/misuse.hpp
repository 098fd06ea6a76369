// misuse: what looks like an operation on traced values and is none. Each is a sentence, and gives a value that causes no other.
#pragma once

#include <etch/core/misuse_error.hpp>
#include <etch/op/compare.hpp>
#include <etch/op/product.hpp>

namespace etch::inline ETCH_ABI {

namespace detail {

template <class X>
constexpr void note_mistake_with(X const& x) {
  if constexpr (static_handle<X>) note_mistake(x.owner);
}

/// A stream of characters, of whatever library.
template <class S>
concept output_stream = requires(S& s) {
  s.rdbuf();
  s.flush();
};
/// What printing a traced value returns.
struct nothing_printed {
  constexpr nothing_printed operator<<(auto const&) const { return {}; }
  constexpr nothing_printed operator<<(std::nullptr_t) const { return {}; }
};

template <class Number, class X>
constexpr void refuse_in_number(Number&, X const& x) {
  error::number_takes_a_traced_value<Number, X>();
  note_mistake_with(x);
}
template <class X>
constexpr X refuse_shape(X const& x) {
  error::shape_is_an_argument<X>();
  note_mistake_with(x);
  return x;
}

}  // namespace detail

/// A number cannot hold a traced value.
template <scalar Number, static_handle X>
constexpr Number& operator+=(Number& to, X const& x) {
  return detail::refuse_in_number(to, x), to;
}
template <scalar Number, static_handle X>
constexpr Number& operator-=(Number& to, X const& x) {
  return detail::refuse_in_number(to, x), to;
}
template <scalar Number, static_handle X>
constexpr Number& operator*=(Number& to, X const& x) {
  return detail::refuse_in_number(to, x), to;
}
template <scalar Number, static_handle X>
constexpr Number& operator/=(Number& to, X const& x) {
  return detail::refuse_in_number(to, x), to;
}

/// Neither a power nor a remainder.
template <class A, class B>
requires detail::traced_pair<A, B>
constexpr auto operator^(A const& a, B const& b) {
  error::power_is_not_xor<A, B>();
  return detail::instead_of<detail::likely_type<A, B>, detail::operand_traits<A>::extent>(a, b);
}
template <class A, class B>
requires detail::traced_pair<A, B>
constexpr auto operator%(A const& a, B const& b) {
  error::remainder_is_missing<A, B>();
  return detail::instead_of<detail::likely_type<A, B>, detail::operand_traits<A>::extent>(a, b);
}

/// A value is printed where there is one.
template <detail::output_stream Stream, detail::traced X>
constexpr auto operator<<(Stream&, X const& x) {
  error::traced_value_is_printed<X>();
  detail::note_mistake_with(x);
  return detail::nothing_printed{};
}

// Axes and extents behind the value, where types cannot depend on them.
template <static_handle X>
constexpr auto sum(X const& x, int) {
  return detail::refuse_shape(x);
}
template <static_handle X>
constexpr auto mean(X const& x, int) {
  return detail::refuse_shape(x);
}
template <static_handle X>
constexpr auto reshape(X const& x, int, std::same_as<int> auto...) {
  return detail::refuse_shape(x);
}
template <static_handle X>
constexpr auto slice(X const& x, auto const&, auto const&...) {
  return detail::refuse_shape(x);
}

}  // namespace etch::inline ETCH_ABI
