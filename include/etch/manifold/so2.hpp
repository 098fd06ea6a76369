// so2: rotations of the plane.
#pragma once

#include <etch/manifold/numbers.hpp>

ETCH_NAMESPACE_BEGIN
namespace manifold {

/// A rotation of the plane by an angle a, as its cosine and sine; none by default. Tangent vectors have one entry, the
/// angle.
template <class T>
struct so2 {
  using tangent = param<T, 1>;

  T cosine = 1, sine = 0;
  ETCH_MEMBERS(so2, cosine, sine)

  constexpr so2() = default;
  constexpr so2(T const& cos, T const& sin) : cosine(cos), sine(sin) {}
  /// The rotation by an angle.
  constexpr explicit so2(T const& angle) : cosine(detail::cosine(angle)), sine(detail::sine(angle)) {}

  /// The rotation by the angle `v`, a number or a vector of one entry.
  static constexpr so2 exp(auto const& v) { return so2(static_cast<T>(detail::entry(detail::with_entries<1>(v), 0))); }
  /// As `exp`, of a precision: exactly, or to second order.
  template <class Precision>
  static constexpr so2 near_identity(auto const& v) {
    T const a = static_cast<T>(detail::entry(detail::with_entries<1>(v), 0)), s = T(a * a);
    return so2(Precision::template series<0>(s), T(a * Precision::template series<1>(s)));
  }

  /// The angle, in [-pi, pi].
  constexpr T angle() const { return detail::angle(sine, cosine); }
  /// The rotation as a matrix, [2, 2].
  constexpr auto matrix() const { return detail::tensor_of<2, 2>(cosine, sine, T(-sine), cosine); }
  /// The map of tangent vectors that the rotation is: the identity, [1, 1], since rotations of the plane commute.
  constexpr auto adjoint() const { return detail::tensor_of<1, 1>(T(1)); }

  friend void operator+(so2 const&, so2 const&) = delete;
  friend void operator-(so2 const&, so2 const&) = delete;
};

/// The rotation by both angles.
template <class T, class U>
constexpr auto compose(so2<T> const& a, so2<U> const& b) {
  using S = detail::joint<T, U>;
  return so2<S>(S(a.cosine * b.cosine - a.sine * b.sine), S(a.sine * b.cosine + a.cosine * b.sine));
}
/// The rotation the other way round.
template <class T>
constexpr so2<T> inverse(so2<T> const& x) {
  return {x.cosine, T(-x.sine)};
}
/// The angle as a vector of one entry, in [-pi, pi].
template <class T>
constexpr auto log(so2<T> const& x) {
  return detail::tensor_of<1>(x.angle());
}
/// The point, a vector of two entries, turned; or the columns of a matrix [2, n].
template <class T, class P>
constexpr auto act(so2<T> const& x, P const& point) {
  using S = detail::joint<T, detail::tag_of<P>>;
  auto const one = [&](auto const& v) {
    auto const p = detail::entry(v, 0), q = detail::entry(v, 1);
    return detail::tensor_of<2>(S(x.cosine * p - x.sine * q), S(x.sine * p + x.cosine * q));
  };
  return detail::image<2, S>(point, one, [&](auto const& points) { return x.matrix() * points; });
}

}  // namespace manifold
ETCH_NAMESPACE_END
