// quaternion_expr, angle_axis_expr: what etch::quaternion<T> and etch::angle_axis<T> are while T is traced. The
// formulas are Eigen's, so numbers agree (Eigen/src/Geometry/Quaternion.h, AngleAxis.h).
#pragma once

#include <etch/core/argument.hpp>
#include <etch/core/members.hpp>
#include <etch/op/eigen/methods.hpp>
#include <etch/op/eigen/matrix_expr.hpp>

ETCH_NAMESPACE_BEGIN

template <scalar T>
struct angle_axis_expr;

/// A quaternion of traced scalars, its coefficients in Eigen's order x, y, z, w; the identity by default.
template <scalar T>
struct quaternion_expr {
  using Scalar = expr<T>;
  using Vector3 = matrix_expr<T, 3>;
  using Matrix3 = matrix_expr<T, 3, 3>;

  matrix_expr<T, 4> coefficients = matrix_expr<T, 4>(0, 0, 0, 1);
  ETCH_MEMBERS(quaternion_expr, coefficients)

  constexpr quaternion_expr() = default;
  constexpr explicit quaternion_expr(matrix_expr<T, 4> const& xyzw) : coefficients(xyzw) {}
  constexpr quaternion_expr(auto const& w, auto const& x, auto const& y, auto const& z) : coefficients(x, y, z, w) {}
  constexpr quaternion_expr(angle_axis_expr<T> const& rotation) : quaternion_expr(from(rotation)) {}

  static constexpr quaternion_expr Identity() { return {}; }
  constexpr quaternion_expr& setIdentity() { return *this = {}; }

  constexpr auto x() const { return coefficients(0); }
  constexpr auto y() const { return coefficients(1); }
  constexpr auto z() const { return coefficients(2); }
  constexpr auto w() const { return coefficients(3); }
  constexpr auto x() { return coefficients(0); }
  constexpr auto y() { return coefficients(1); }
  constexpr auto z() { return coefficients(2); }
  constexpr auto w() { return coefficients(3); }
  constexpr auto vec() const { return coefficients.template head<3>(); }
  constexpr auto vec() { return coefficients.template head<3>(); }
  constexpr matrix_expr<T, 4> const& coeffs() const { return coefficients; }
  constexpr matrix_expr<T, 4>& coeffs() { return coefficients; }

  constexpr auto dot(quaternion_expr const& b) const { return etch::dot(coefficients, b.coefficients); }
  constexpr auto squaredNorm() const { return coefficients.squaredNorm(); }
  constexpr auto norm() const { return coefficients.norm(); }
  constexpr quaternion_expr normalized() const { return quaternion_expr(matrix_expr<T, 4>(coefficients.normalized())); }
  constexpr void normalize() { *this = normalized(); }
  constexpr quaternion_expr conjugate() const { return {w(), -x(), -y(), -z()}; }
  /// The conjugate over the squared norm; zero of zero, as Eigen's.
  constexpr quaternion_expr inverse() const {
    auto const n = squaredNorm();
    return quaternion_expr(matrix_expr<T, 4>(conjugate().coefficients / etch::select(n > 0, n, 1)));
  }

  friend constexpr quaternion_expr operator*(quaternion_expr const& a, quaternion_expr const& b) {
    return {a.w() * b.w() - a.x() * b.x() - a.y() * b.y() - a.z() * b.z(),
            a.w() * b.x() + a.x() * b.w() + a.y() * b.z() - a.z() * b.y(),
            a.w() * b.y() + a.y() * b.w() + a.z() * b.x() - a.x() * b.z(),
            a.w() * b.z() + a.z() * b.w() + a.x() * b.y() - a.y() * b.x()};
  }
  constexpr quaternion_expr& operator*=(quaternion_expr const& b) { return *this = *this * b; }

  /// The vector `v`, turned: v + w u + q × u with u = 2 q × v, for a unit quaternion.
  template <static_handle V>
  constexpr auto _transformVector(V const& v) const {
    auto const axis = vec();
    auto const once = etch::cross(axis, v);
    auto const twice = once + once;
    return v + w() * twice + etch::cross(axis, twice);
  }
  /// A vector turned, or each column of a matrix.
  template <static_handle V>
  friend constexpr auto operator*(quaternion_expr const& q, V const& v) {
    if constexpr (V::extent.size() == 3) return q._transformVector(v);
    else return q.toRotationMatrix() * v;
  }

  constexpr Matrix3 toRotationMatrix() const {
    auto const tx = 2 * x(), ty = 2 * y(), tz = 2 * z();
    auto const twx = tx * w(), twy = ty * w(), twz = tz * w(), txx = tx * x(), txy = ty * x(), txz = tz * x();
    auto const tyy = ty * y(), tyz = tz * y(), tzz = tz * z();
    Matrix3 r;
    r << 1 - (tyy + tzz), txy - twz, txz + twy, txy + twz, 1 - (txx + tzz), tyz - twx, txz - twy, tyz + twx,
        1 - (txx + tyy);
    return r;
  }
  constexpr Matrix3 matrix() const { return toRotationMatrix(); }

  /// On the shorter arc from this unit quaternion to `b`; where they nearly agree a straight line.
  template <class S>
  constexpr quaternion_expr slerp(S const& t, quaternion_expr const& b) const {
    auto const d = dot(b), closeness = etch::abs(d);
    auto const together = closeness >= 1 - static_cast<double>(std::numeric_limits<T>::epsilon());
    auto const angle = etch::acos(etch::select(together, 0, closeness));
    auto const sine = etch::sin(angle);
    auto const from_weight = etch::select(together, 1 - t, etch::sin((1 - t) * angle) / sine);
    auto const to_weight = etch::select(together, t, etch::sin(t * angle) / sine);
    return quaternion_expr(
        matrix_expr<T, 4>(from_weight * coefficients + etch::select(d < 0, -to_weight, to_weight) * b.coefficients));
  }
  constexpr auto angularDistance(quaternion_expr const& b) const {
    quaternion_expr const between = *this * b.conjugate();
    return 2 * etch::atan2(etch::norm(between.vec()), etch::abs(between.w()));
  }

 private:
  static constexpr quaternion_expr from(angle_axis_expr<T> const& rotation) {
    auto const half = 0.5 * rotation.angle();
    auto const s = etch::sin(half);
    auto const& axis = rotation.axis();
    return {etch::cos(half), s * axis(0), s * axis(1), s * axis(2)};
  }
};

/// A rotation by an angle about an axis of length 1, of traced scalars; none by default.
template <scalar T>
struct angle_axis_expr {
  using Scalar = expr<T>;
  using Vector3 = matrix_expr<T, 3>;
  using Matrix3 = matrix_expr<T, 3, 3>;

  expr<T> angle_ = 0;
  matrix_expr<T, 3> axis_ = matrix_expr<T, 3>(1, 0, 0);
  ETCH_MEMBERS(angle_axis_expr, angle_, axis_)

  constexpr angle_axis_expr() = default;
  constexpr angle_axis_expr(auto const& angle, matrix_expr<T, 3> const& axis)
      : angle_(detail::value_as<expr<T>>(angle)), axis_(axis) {}
  /// The rotation of a unit quaternion; of one that turns by nothing the axis is x.
  constexpr explicit angle_axis_expr(quaternion_expr<T> const& q) : angle_axis_expr(from(q)) {}

  static constexpr angle_axis_expr Identity() { return {}; }
  constexpr expr<T> const& angle() const { return angle_; }
  constexpr expr<T>& angle() { return angle_; }
  constexpr matrix_expr<T, 3> const& axis() const { return axis_; }
  constexpr matrix_expr<T, 3>& axis() { return axis_; }
  constexpr angle_axis_expr inverse() const { return {-angle_, axis_}; }

  constexpr Matrix3 toRotationMatrix() const {
    auto const c = etch::cos(angle_), s = etch::sin(angle_);
    auto const x = axis_(0), y = axis_(1), z = axis_(2), rest = 1 - c;
    Matrix3 r;
    r << rest * x * x + c, rest * x * y - s * z, rest * x * z + s * y, rest * x * y + s * z, rest * y * y + c,
        rest * y * z - s * x, rest * x * z - s * y, rest * y * z + s * x, rest * z * z + c;
    return r;
  }
  constexpr Matrix3 matrix() const { return toRotationMatrix(); }

  friend constexpr quaternion_expr<T> operator*(angle_axis_expr const& a, angle_axis_expr const& b) {
    return quaternion_expr<T>(a) * quaternion_expr<T>(b);
  }
  friend constexpr quaternion_expr<T> operator*(angle_axis_expr const& a, quaternion_expr<T> const& b) {
    return quaternion_expr<T>(a) * b;
  }
  friend constexpr quaternion_expr<T> operator*(quaternion_expr<T> const& a, angle_axis_expr const& b) {
    return a * quaternion_expr<T>(b);
  }
  template <static_handle V>
  friend constexpr auto operator*(angle_axis_expr const& a, V const& v) {
    return a.toRotationMatrix() * v;
  }

 private:
  static constexpr angle_axis_expr from(quaternion_expr<T> const& q) {
    auto const length = etch::norm(q.vec());
    auto const turns = length > 0;
    auto const signed_length = etch::select(turns, etch::select(q.w() < 0, -length, length), 1);
    angle_axis_expr made;
    made.angle_ = etch::select(turns, 2 * etch::atan2(etch::select(turns, length, 0), etch::abs(q.w())), 0);
    made.axis_ = etch::select(turns, q.vec() / signed_length, matrix_expr<T, 3>(1, 0, 0));
    return made;
  }
};

namespace detail {
template <class T>
struct rotation_types {
  using quaternion = quaternion_expr<typename T::scalar_type>;
  using angle_axis = angle_axis_expr<typename T::scalar_type>;
};
template <scalar T>
struct rotation_types<T> {  // complete where <Eigen/Geometry> is included
  using quaternion = Eigen::Quaternion<T>;
  using angle_axis = Eigen::AngleAxis<T>;
};
}  // namespace detail

/// Eigen's quaternion of numbers, for which <Eigen/Geometry> is included, and one with its
/// methods where `T` is a traced scalar.
template <class T>
using quaternion = typename detail::rotation_types<T>::quaternion;
/// Eigen's rotation by an angle about an axis, of numbers, and one with its methods where `T` is a traced scalar.
template <class T>
using angle_axis = typename detail::rotation_types<T>::angle_axis;

/// A quaternion as an argument is its four coefficients; so is its gradient.
template <scalar T, int Options>
struct argument<Eigen::Quaternion<T, Options>> {
  using traced = quaternion_expr<T>;
  using gradient = Eigen::Quaternion<T, Options>;
  static constexpr bool rebindable = true;
  static constexpr traced trace(auto make) {
    return traced(matrix_expr<T, 4>(make.template operator()<T, make_shape(4)>()));
  }
  static constexpr void visit(auto& a, auto f) { f(a.coeffs().data(), std::size_t{4}); }
};

ETCH_NAMESPACE_END
