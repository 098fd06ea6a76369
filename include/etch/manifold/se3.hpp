// se3: rigid motions of space.
#pragma once

#include <etch/manifold/so3.hpp>

ETCH_NAMESPACE_BEGIN
namespace manifold {

/// A rigid motion of space, a rotation and then a translation x, y, z; none by default. Tangent vectors have six
/// entries: a translation, then axis times angle.
template <class T>
struct se3 {
  using tangent = param<T, 6>;

  T x = 0, y = 0, z = 0;
  so3<T> rotation;
  ETCH_MEMBERS(se3, x, y, z, rotation)

  constexpr se3() = default;
  constexpr se3(so3<T> const& turn, auto const& translation)
      : se3(turn, detail::triple<T>::of(detail::with_entries<3>(translation))) {}
  constexpr se3(so3<T> const& turn, detail::triple<T> const& to) : x(to.x), y(to.y), z(to.z), rotation(turn) {}
  /// The motion of a matrix of homogeneous coordinates, [3, 4] or [4, 4].
  static constexpr se3 from_matrix(auto const& m) {
    return {so3<T>::from_matrix(m),
            detail::triple<T>{static_cast<T>(m(0, 3)), static_cast<T>(m(1, 3)), static_cast<T>(m(2, 3))}};
  }

  /// The screw motion of constant speed and turn (J. Solà, J. Deray, D. Atchuthan, A micro Lie theory, 2018), with all
  /// derivatives also at 0.
  static constexpr se3 exp(auto const& v) { return near_identity<detail::exactly>(v); }
  /// As `exp`, of a precision: exactly, or to second order.
  template <class Precision>
  static constexpr se3 near_identity(auto const& v) {
    detail::triple<T> const along = detail::triple<T>::of(detail::with_entries<6>(v)),
                            turn{static_cast<T>(detail::entry(v, 3)), static_cast<T>(detail::entry(v, 4)),
                                 static_cast<T>(detail::entry(v, 5))};
    T const s = dot(turn, turn);
    auto const once = cross(turn, along);
    auto const bent = along + Precision::template series<2>(s) * once;
    auto const rotation = so3<T>::template near_identity<Precision>(std::array{turn.x, turn.y, turn.z});
    if constexpr (std::same_as<Precision, detail::to_second_order>) return {rotation, bent};
    else return {rotation, bent + Precision::template series<3>(s) * cross(turn, once)};
  }

  /// The translation as three numbers.
  constexpr detail::triple<T> position() const { return {x, y, z}; }
  /// The translation as a vector.
  constexpr auto translation() const { return position().vector(); }
  /// The motion as a matrix of homogeneous coordinates, [4, 4].
  constexpr auto matrix() const {
    auto const r = rotation.matrix();
    return detail::tensor_of<4, 4>(T(r(0, 0)), T(r(1, 0)), T(r(2, 0)), T(0), T(r(0, 1)), T(r(1, 1)), T(r(2, 1)), T(0),
                                   T(r(0, 2)), T(r(1, 2)), T(r(2, 2)), T(0), x, y, z, T(1));
  }
  /// Ad, with x exp(v) = exp(Ad v) x, [6, 6].
  constexpr auto adjoint() const {
    auto const r = rotation.matrix();
    auto const column = [&](int j) { return detail::triple<T>{T(r(0, j)), T(r(1, j)), T(r(2, j))}; };
    auto const a = column(0), b = column(1), c = column(2), p = position();
    auto const d = cross(p, a), e = cross(p, b), f = cross(p, c);
    T const o(0);
    return detail::tensor_of<6, 6>(a.x, a.y, a.z, o, o, o, b.x, b.y, b.z, o, o, o, c.x, c.y, c.z, o, o, o,  //
                                   d.x, d.y, d.z, a.x, a.y, a.z, e.x, e.y, e.z, b.x, b.y, b.z, f.x, f.y, f.z, c.x, c.y,
                                   c.z);
  }

  friend void operator+(se3 const&, se3 const&) = delete;
  friend void operator-(se3 const&, se3 const&) = delete;
};

/// The point, a vector of three entries, moved; or the columns of a matrix [3, n].
template <class T, class P>
constexpr auto act(se3<T> const& m, P const& point) {
  using S = detail::joint<T, detail::tag_of<P>>;
  auto const one = [&](auto const& v) {
    auto const p = detail::turned(m.rotation, detail::triple<S>::of(v));
    return detail::tensor_of<3>(S(p.x + m.x), S(p.y + m.y), S(p.z + m.z));
  };
  return detail::image<3, S>(point, one,
                             [&](auto const& points) { return m.rotation.matrix() * points + m.position().vector(); });
}
/// First b, then a.
template <class T, class U>
constexpr auto compose(se3<T> const& a, se3<U> const& b) {
  using S = detail::joint<T, U>;
  auto const p = detail::turned(a.rotation, detail::triple<S>{S(b.x), S(b.y), S(b.z)});
  return se3<S>(compose(a.rotation, b.rotation), detail::triple<S>{S(p.x + a.x), S(p.y + a.y), S(p.z + a.z)});
}
/// The motion the other way round.
template <class T>
constexpr se3<T> inverse(se3<T> const& a) {
  auto const back = inverse(a.rotation);
  return {back, detail::turned(back, T(-1) * a.position())};
}
/// The tangent vector whose `exp` this is, of an angle of at most pi.
template <class T>
constexpr auto log(se3<T> const& m) {
  auto const vector = log(m.rotation);
  auto const turn = detail::triple<T>::of(vector), p = m.position();
  T const s = T(T(0.25) * dot(turn, turn));
  T const bend = T(T(0.25) * (detail::series<2>(s) - detail::series<3>(s)) / detail::series<1>(s));
  auto const once = cross(turn, p);
  auto const along = p + T(-0.5) * once + bend * cross(turn, once);
  return detail::tensor_of<6>(along.x, along.y, along.z, turn.x, turn.y, turn.z);
}

}  // namespace manifold
ETCH_NAMESPACE_END
