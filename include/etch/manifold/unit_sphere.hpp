// unit_sphere: directions, vectors of length 1.
#pragma once

#include <etch/manifold/numbers.hpp>
#include <etch/op/reduce.hpp>
#include <etch/op/slice.hpp>
#include <etch/transform/plain_call.hpp>

ETCH_NAMESPACE_BEGIN
namespace manifold {

/// A direction in space of `N` dimensions as a vector of length 1; the last unit vector by default. Tangent vectors
/// have N - 1 entries, those in an orthonormal basis of the space at right angles to the vector: the first columns of a
/// Householder reflection (G. Golub, C. Van Loan, Matrix computations, 5.1).
template <class T, int N>
struct unit_sphere {
  static_assert(N >= 2, "etch: a unit sphere lies in a space of two dimensions or more");
  using tangent = param<T, N - 1>;

  param<T, N> vector = [] {
    param<T, N> last{};
    if constexpr (scalar<T>) last[N - 1] = 1;
    return last;
  }();
  ETCH_MEMBERS(unit_sphere, vector)

  constexpr unit_sphere() = default;
  /// The direction of a vector of length 1.
  constexpr explicit unit_sphere(param<T, N> const& of_length_1) : vector(of_length_1) {}

  friend void operator+(unit_sphere const&, unit_sphere const&) = delete;
  friend void operator-(unit_sphere const&, unit_sphere const&) = delete;
};

namespace detail {

/// The basis at a vector x = (h, p): B = (I - h hᵀ / (1 + |p|); -sign(p) hᵀ).
template <class X>
struct sphere_basis {
  static constexpr int rest = X::extent[0] - 1;

  X const& x;
  decltype(etch::slice<0, 0, rest>(x)) head = etch::slice<0, 0, rest>(x);
  decltype(etch::select(x(rest) < 0, -1, 1)) sign = etch::select(x(rest) < 0, -1, 1);
  decltype(1 / (1 + sign * x(rest))) scale = 1 / (1 + sign * x(rest));

  /// B v
  constexpr auto times(auto const& v) const {
    auto const along = etch::dot(head, v);
    return etch::concat<0>(v - (along * scale) * head, etch::stack<0>(-(sign * along)));
  }
  /// Bᵀ y
  constexpr auto transposed_times(auto const& y) const {
    auto const tail = etch::slice<0, 0, rest>(y);
    return tail - (etch::dot(head, tail) * scale + sign * y(rest)) * head;
  }
};

struct sphere_step {
  template <class... A>
  using values = etch::detail::plain_result_of<sphere_step, A...>;

  template <class T, int N, class V>
  constexpr auto operator()(unit_sphere<T, N> const& from, V const& v) const {
    if constexpr (scalar<T>) {
      return etch::detail::plain_call(*this, from, v);
    } else {
      auto const s = etch::dot(v, v);
      auto const along = sphere_basis<param<T, N>>{from.vector}.times(v);
      return unit_sphere<T, N>(param<T, N>(etch::stumpff<0>(s) * from.vector + etch::stumpff<1>(s) * along));
    }
  }
};
/// As `sphere_step`, of traced values, to second order in v.
template <class T, int N, class V>
constexpr unit_sphere<T, N> nearby(unit_sphere<T, N> const& from, V const& v) {
  auto const along = sphere_basis<param<T, N>>{from.vector}.times(v);
  return unit_sphere<T, N>(param<T, N>((1 - 0.5 * etch::dot(v, v)) * from.vector + along));
}
struct sphere_difference {
  template <class... A>
  using values = etch::detail::plain_result_of<sphere_difference, A...>;

  template <class T, int N>
  constexpr auto operator()(unit_sphere<T, N> const& from, unit_sphere<T, N> const& to) const {
    if constexpr (scalar<T>) {
      return etch::detail::plain_call(*this, from, to);
    } else {
      auto const across = sphere_basis<param<T, N>>{from.vector}.transposed_times(to.vector);
      return etch::angle_ratio(etch::dot(across, across), etch::dot(from.vector, to.vector)) * across;
    }
  }
};

}  // namespace detail

/// The direction at the end of the arc of a great circle that the tangent vector v begins, |v| radians long.
template <class T, int N, class V>
constexpr unit_sphere<T, N> retract(unit_sphere<T, N> const& x, V const& v) {
  return detail::sphere_step{}(x, v);
}
/// As `retract`, to second order in v, of which derivatives are taken.
template <class T, int N, class V>
  requires(!scalar<T>)
constexpr unit_sphere<T, N> retract_nearby(unit_sphere<T, N> const& x, V const& v) {
  return detail::nearby(x, v);
}
/// The tangent vector of the shortest arc from x to y; infinite or NaN where y is opposite.
template <class T, int N>
constexpr auto local(unit_sphere<T, N> const& x, unit_sphere<T, N> const& y) {
  return detail::sphere_difference{}(x, y);
}

}  // namespace manifold
ETCH_NAMESPACE_END
