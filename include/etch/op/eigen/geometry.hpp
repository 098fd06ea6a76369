// Eigen's member functions of vectors as points and directions: cross, normalized, norms of other
// kinds, homogeneous coordinates.
#pragma once

#include <etch/op/concat.hpp>
#include <etch/op/eigen/assign.hpp>
#include <etch/op/statistics.hpp>

ETCH_NAMESPACE_BEGIN

namespace error {
template <class A, class B>
constexpr auto cross_needs_three_entries() {
  static_assert(never<A, B>, "etch: the cross product takes two vectors of three entries, both columns or both rows");
  return mistake{};
}
template <class X>
constexpr auto nothing_is_left() {
  static_assert(never<X>, "etch: hnormalized takes a vector of two entries or more: the last one divides the others");
  return mistake{};
}
}  // namespace error

/// The cross product of two vectors of three entries.
template <static_handle A, static_handle B>
constexpr auto cross(A const& a, B const& b) {
  if constexpr (A::extent.size() != 3 || !same_extents(A::extent, B::extent) || !detail::is_vector<A>) {
    error::cross_needs_three_entries<A, B>();
    return detail::instead_of<typename A::scalar_type, A::extent>(a, b);
  } else {
    auto const entry = [&](int j, int k) { return a(j) * b(k) - a(k) * b(j); };
    constexpr int axis = detail::is_row<A> ? 1 : 0;
    auto const part = [](auto const& scalar) {
      if constexpr (axis == 1) return reshape<1, 1>(scalar);
      else return reshape<1>(scalar);
    };
    return concat<axis>(part(entry(1, 2)), part(entry(2, 0)), part(entry(0, 1)));
  }
}

template <class A, class B>
  requires detail::stray_operands<A, B>
constexpr auto cross(A const& a, B const& b) {
  return detail::with_constants([](auto const& x, auto const& y) { return etch::cross(x, y); }, a, b);
}
template <class A, class B>
  requires(detail::traced_pair<A, B> && (scalar<A> || scalar<B>))
constexpr auto cross(A const& a, B const& b) {
  error::number_is_no_vector<A, B>();
  return detail::instead_of<detail::likely_type<A, B>, make_shape(3)>(a, b);
}

template <class X, class Base>
constexpr auto eigen_methods<X, Base>::cross(auto const& b) const {
  return etch::cross(self(), b);
}
/// As Eigen has it, zeros stay zeros; the gradient there is that of x.
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::normalized() const {
  auto const length = etch::norm(self());
  return self() / etch::select(length > 0, length, 1);
}
/// Entries are divided by the largest of them first, so that no square overflows or vanishes.
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::stableNorm() const {
  auto const largest = etch::stop_gradient(etch::max(etch::abs(self())));
  auto const scale = etch::select(largest > 0 && largest < math::infinity<double>, largest, 1);
  return scale * etch::norm(self() / scale);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::blueNorm() const {
  return stableNorm();
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::hypotNorm() const {
  return stableNorm();
}
/// P is 1, 2, any larger number, or Eigen::Infinity.
template <class X, class Base>
template <int P>
constexpr auto eigen_methods<X, Base>::lpNorm() const {
  if constexpr (P == -1) return etch::max(etch::abs(self()));
  else if constexpr (P == 1) return etch::sum(etch::abs(self()));
  else if constexpr (P == 2) return etch::norm(self());
  else return etch::pow(etch::sum(etch::pow(etch::abs(self()), P)), 1.0 / P);
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::homogeneous() const {
  if constexpr (!detail::is_vector<X>) error::not_a_vector<X>();
  if constexpr (detail::is_row<X>)
    return etch::concat<1>(self(), make_expr<typename X::scalar_type, make_shape(1, 1)>(nullptr, -1, 1));
  else return etch::concat<0>(self(), make_expr<typename X::scalar_type, make_shape(1)>(nullptr, -1, 1));
}
template <class X, class Base>
constexpr auto eigen_methods<X, Base>::hnormalized() const {
  constexpr int count = static_cast<int>(X::extent.size());
  if constexpr (count < 2 || !detail::is_vector<X>) {
    error::nothing_is_left<X>();
    return self();
  } else {
    return detail::segment_of<count - 1>(self(), 0) / self()(count - 1);
  }
}

ETCH_NAMESPACE_END
