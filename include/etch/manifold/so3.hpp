// so3: rotations of space as unit quaternions.
#pragma once

#include <etch/manifold/numbers.hpp>

ETCH_NAMESPACE_BEGIN
namespace manifold {

/// A rotation of space as a unit quaternion, in Eigen's order x, y, z, w; none by default. Tangent vectors have three
/// entries: axis times angle. Of a product of many rotations only the length drifts, which `log` does not see and
/// `normalized` repairs.
template <class T>
struct so3 {
  using tangent = param<T, 3>;

  T x = 0, y = 0, z = 0, w = 1;
  ETCH_MEMBERS(so3, x, y, z, w)

  constexpr so3() = default;
  constexpr so3(T const& i, T const& j, T const& k, T const& real) : x(i), y(j), z(k), w(real) {}
  /// The rotation of a unit quaternion of Eigen's, or of another type with members x(), y(), z(), w().
  template <class Q>
    requires requires(Q const& q) { q.x(), q.y(), q.z(), q.w(); }
  constexpr explicit so3(Q const& q)
      : x(static_cast<T>(q.x())), y(static_cast<T>(q.y())), z(static_cast<T>(q.z())), w(static_cast<T>(q.w())) {}

  /// The rotation about the axis of `v` by its length (O. Rodrigues), with all derivatives also at 0.
  static constexpr so3 exp(auto const& v) { return near_identity<detail::exactly>(v); }
  /// As `exp`, of a precision: exactly, or to second order.
  template <class Precision>
  static constexpr so3 near_identity(auto const& v) {
    auto const half = T(0.5) * detail::triple<T>::of(detail::with_entries<3>(v));
    T const s = dot(half, half);
    auto const u = Precision::template series<1>(s) * half;
    return {u.x, u.y, u.z, Precision::template series<0>(s)};
  }
  /// The rotation of an orthogonal matrix, [3, 3] (S. Shepperd, 1978, in M. Day's form).
  static constexpr so3 from_matrix(auto const& m) {
    auto const at = [&](int i, int j) { return static_cast<T>(m(i, j)); };
    T const a = at(0, 0), b = at(1, 1), c = at(2, 2);
    T const xy = T(at(1, 0) + at(0, 1)), xz = T(at(0, 2) + at(2, 0)), yz = T(at(2, 1) + at(1, 2));
    T const xw = T(at(2, 1) - at(1, 2)), yw = T(at(0, 2) - at(2, 0)), zw = T(at(1, 0) - at(0, 1));
    auto const low = c < T(0), first = b < a, second = a < T(-b);
    auto const of_four = [&](T const& p, T const& q, T const& r, T const& s) {
      return detail::either(low, detail::either(first, p, q), detail::either(second, r, s));
    };
    T const t = of_four(T(1 + a - b - c), T(1 - a + b - c), T(1 - a - b + c), T(1 + a + b + c));
    T const scale = T(T(0.5) * detail::inverse_root(t));
    return {T(scale * of_four(t, xy, xz, xw)), T(scale * of_four(xy, t, yz, yw)), T(scale * of_four(xz, yz, t, zw)),
            T(scale * of_four(xw, yw, zw, t))};
  }

  /// The vector x, y, z of the quaternion.
  constexpr detail::triple<T> imaginary() const { return {x, y, z}; }
  /// The rotation with a quaternion of length 1.
  constexpr so3 normalized() const {
    T const scale = detail::inverse_root(T(x * x + y * y + z * z + w * w));
    return {T(scale * x), T(scale * y), T(scale * z), T(scale * w)};
  }
  /// The rotation as a matrix, [3, 3].
  constexpr auto matrix() const {
    T const xx = T(2 * x * x), yy = T(2 * y * y), zz = T(2 * z * z), xy = T(2 * x * y), xz = T(2 * x * z),
            yz = T(2 * y * z), xw = T(2 * x * w), yw = T(2 * y * w), zw = T(2 * z * w);
    return detail::tensor_of<3, 3>(T(1 - (yy + zz)), T(xy + zw), T(xz - yw), T(xy - zw), T(1 - (xx + zz)), T(yz + xw),
                                   T(xz + yw), T(yz - xw), T(1 - (xx + yy)));
  }
  /// Ad, with x exp(v) = exp(Ad v) x: the matrix itself.
  constexpr auto adjoint() const { return matrix(); }

  friend void operator+(so3 const&, so3 const&) = delete;
  friend void operator-(so3 const&, so3 const&) = delete;
};

/// A unit quaternion as ceres::QuaternionManifold and its like describe it: another name of `so3`.
template <class T>
using rotation_quaternion = so3<T>;

namespace detail {

/// The vector `p`, turned: p + w t + u × t with t = 2 u × p, where u is the quaternion's vector.
template <class S, class T>
constexpr triple<S> turned(so3<T> const& q, triple<S> const& p) {
  triple<S> const u{S(q.x), S(q.y), S(q.z)}, t = S(2) * cross(u, p);
  return p + S(q.w) * t + cross(u, t);
}

}  // namespace detail

/// First b, then a.
template <class T, class U>
constexpr auto compose(so3<T> const& a, so3<U> const& b) {
  using S = detail::joint<T, U>;
  return so3<S>(S(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y), S(a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z),
                S(a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x), S(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z));
}
/// The rotation the other way round.
template <class T>
constexpr so3<T> inverse(so3<T> const& a) {
  return {T(-a.x), T(-a.y), T(-a.z), a.w};
}
/// Axis times angle, of the shorter of both ways: the angle is at most pi. With all derivatives also at 0; at pi the
/// axis is one of two.
template <class T>
constexpr auto log(so3<T> const& q) {
  auto const u = q.imaginary();
  T const sign =
      detail::either(q.w < T(0), T(-1), T(1));  // a factor, since a chosen branch needs masks on the way back
  return (T(2 * sign * detail::ratio(dot(u, u), T(sign * q.w))) * u).vector();
}
/// The point, a vector of three entries, turned; or the columns of a matrix [3, n].
template <class T, class P>
constexpr auto act(so3<T> const& q, P const& point) {
  using S = detail::joint<T, detail::tag_of<P>>;
  auto const one = [&](auto const& v) { return detail::turned(q, detail::triple<S>::of(v)).vector(); };
  return detail::image<3, S>(point, one, [&](auto const& points) { return q.matrix() * points; });
}

}  // namespace manifold
ETCH_NAMESPACE_END
