// se2: rigid motions of the plane.
#pragma once

#include <etch/manifold/so2.hpp>

ETCH_NAMESPACE_BEGIN
namespace manifold {

/// A rigid motion of the plane, a rotation and then a translation x, y; none by default. Tangent vectors have three
/// entries: a translation, then an angle.
template <class T>
struct se2 {
  using tangent = param<T, 3>;

  T x = 0, y = 0;
  so2<T> rotation;
  ETCH_MEMBERS(se2, x, y, rotation)

  constexpr se2() = default;
  constexpr se2(so2<T> const& turn, auto const& translation)
      : x(static_cast<T>(detail::entry(detail::with_entries<2>(translation), 0))),
        y(static_cast<T>(detail::entry(translation, 1))),
        rotation(turn) {}
  /// The motion to the point x, y, with an angle.
  constexpr se2(T const& to_x, T const& to_y, T const& angle) : x(to_x), y(to_y), rotation(angle) {}

  /// The motion along an arc of constant speed and turn (J. Solà et al., A micro Lie theory, 2018).
  static constexpr se2 exp(auto const& v) {
    se2 to = near_identity<detail::exactly>(v);
    to.rotation = so2<T>(static_cast<T>(detail::entry(v, 2)));
    return to;
  }
  /// As `exp`, of a precision: exactly, or to second order.
  template <class Precision>
  static constexpr se2 near_identity(auto const& v) {
    T const a = static_cast<T>(detail::entry(detail::with_entries<3>(v), 0)), b = static_cast<T>(detail::entry(v, 1)),
            angle = static_cast<T>(detail::entry(v, 2)), s = T(angle * angle);
    T const along = Precision::template series<1>(s), across = T(angle * Precision::template series<2>(s));
    se2 to;
    to.x = along * a - across * b;
    to.y = across * a + along * b;
    to.rotation = so2<T>::template near_identity<Precision>(std::array{angle});
    return to;
  }

  /// The translation as a vector.
  constexpr auto translation() const { return detail::tensor_of<2>(x, y); }
  /// The motion as a matrix of homogeneous coordinates, [3, 3].
  constexpr auto matrix() const {
    auto const& r = rotation;
    return detail::tensor_of<3, 3>(r.cosine, r.sine, T(0), T(-r.sine), r.cosine, T(0), x, y, T(1));
  }
  /// Ad, with x exp(v) = exp(Ad v) x, [3, 3].
  constexpr auto adjoint() const {
    auto const& r = rotation;
    return detail::tensor_of<3, 3>(r.cosine, r.sine, T(0), T(-r.sine), r.cosine, T(0), y, T(-x), T(1));
  }

  friend void operator+(se2 const&, se2 const&) = delete;
  friend void operator-(se2 const&, se2 const&) = delete;
};

/// The point, a vector of two entries, moved; or the columns of a matrix [2, n].
template <class T, class P>
constexpr auto act(se2<T> const& m, P const& point) {
  using S = detail::joint<T, detail::tag_of<P>>;
  auto const& r = m.rotation;
  auto const one = [&](auto const& v) {
    auto const p = detail::entry(v, 0), q = detail::entry(v, 1);
    return detail::tensor_of<2>(S(r.cosine * p - r.sine * q + m.x), S(r.sine * p + r.cosine * q + m.y));
  };
  return detail::image<2, S>(point, one,
                             [&](auto const& points) { return r.matrix() * points + detail::tensor_of<2>(m.x, m.y); });
}
/// First b, then a.
template <class T, class U>
constexpr auto compose(se2<T> const& a, se2<U> const& b) {
  using S = detail::joint<T, U>;
  auto const& r = a.rotation;
  se2<S> to;
  to.x = r.cosine * b.x - r.sine * b.y + a.x;
  to.y = r.sine * b.x + r.cosine * b.y + a.y;
  to.rotation = compose(a.rotation, b.rotation);
  return to;
}
/// The motion the other way round.
template <class T>
constexpr se2<T> inverse(se2<T> const& a) {
  auto const& r = a.rotation;
  se2<T> to;
  to.x = -(r.cosine * a.x + r.sine * a.y);
  to.y = r.sine * a.x - r.cosine * a.y;
  to.rotation = inverse(r);
  return to;
}
/// The tangent vector whose `exp` this is, of an angle in [-pi, pi].
template <class T>
constexpr auto log(se2<T> const& m) {
  T const angle = m.rotation.angle(), half = T(T(0.5) * angle), s = T(half * half);
  T const along = T(detail::series<0>(s) / detail::series<1>(s));  // half / tan(half)
  return detail::tensor_of<3>(T(along * m.x + half * m.y), T(along * m.y - half * m.x), angle);
}

}  // namespace manifold
ETCH_NAMESPACE_END
