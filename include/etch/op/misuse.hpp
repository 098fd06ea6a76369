// misuse: what looks like an operation on traced values and is none. Each is a sentence, and
// gives a value that causes no other.
#pragma once

#include <etch/core/misuse_error.hpp>
#include <etch/op/compare.hpp>
#include <etch/op/linalg/product.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// A stream of characters, of whatever library.
template <class S>
concept output_stream = requires(S& s) {
  s.rdbuf();
  s.flush();
};
/// The result of printing a traced value.
struct nothing_printed {
  constexpr nothing_printed operator<<(auto const&) const { return {}; }
};

/// Stands for the result of an operation on `a` and `b`.
template <class A, class B>
constexpr auto in_place_of(A const& a, B const& b) {
  return instead_of<likely_type<A, B>, operand_traits<A>::extent>(a, b);
}

}  // namespace detail

/// A number cannot hold a traced value.
template <scalar Number, static_handle X>
constexpr auto& operator+=(Number& to, X const& x) {
  error::number_takes_a_traced_value<Number, X>();
  return detail::note_mistake_in(x), to;
}
template <scalar Number, static_handle X>
constexpr auto& operator-=(Number& to, X const& x) {
  error::number_takes_a_traced_value<Number, X>();
  return detail::note_mistake_in(x), to;
}
template <scalar Number, static_handle X>
constexpr auto& operator*=(Number& to, X const& x) {
  error::number_takes_a_traced_value<Number, X>();
  return detail::note_mistake_in(x), to;
}
template <scalar Number, static_handle X>
constexpr auto& operator/=(Number& to, X const& x) {
  error::number_takes_a_traced_value<Number, X>();
  return detail::note_mistake_in(x), to;
}

/// Neither a power nor a remainder.
template <class A, class B>
  requires detail::traced_pair<A, B>
constexpr auto operator^(A const& a, B const& b) {
  error::power_is_not_xor<A, B>();
  return detail::in_place_of(a, b);
}
template <class A, class B>
  requires detail::traced_pair<A, B>
constexpr auto operator%(A const& a, B const& b) {
  error::remainder_is_missing<A, B>();
  return detail::in_place_of(a, b);
}

/// A value is printed where there is one.
template <detail::output_stream Stream, detail::traced X>
constexpr auto operator<<(Stream&, X const& x) {
  error::traced_value_is_printed<X>();
  detail::note_mistake_in(x);
  return detail::nothing_printed{};
}

// Axes and extents behind the value, where types cannot depend on them.
template <static_handle X>
constexpr auto sum(X const& x, int) {
  error::shape_is_an_argument<X>();
  return detail::note_mistake_in(x), x;
}
template <static_handle X>
constexpr auto mean(X const& x, int) {
  error::shape_is_an_argument<X>();
  return detail::note_mistake_in(x), x;
}
template <static_handle X>
constexpr auto reshape(X const& x, int, std::same_as<int> auto...) {
  error::shape_is_an_argument<X>();
  return detail::note_mistake_in(x), x;
}
template <static_handle X>
constexpr auto slice(X const& x, auto const&, auto const&...) {
  error::shape_is_an_argument<X>();
  return detail::note_mistake_in(x), x;
}

ETCH_NAMESPACE_END
