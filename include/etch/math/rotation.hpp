// Functions by which rotations depend on their angle, smooth in its square: K. Stumpff's, and the ratio of an angle to
// its sine with its derivatives.
#pragma once

#include <etch/math/hyperbolic.hpp>
#include <etch/math/trigonometric.hpp>
#include <etch/math/working.hpp>

#include <array>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

/// Whether an order is the same in all lanes, as it is but in tests.
template <class V>
ETCH_DETAIL_INLINED constexpr bool is_one_order(V k) {
  if constexpr (std::floating_point<V>) return true;
  else
    return select(k == V(k[0]), V(0), V(1)).across([](auto a, auto b) ETCH_DETAIL_INLINED_LAMBDA {
      return select(a > b, a, b);
    }) == 0;
}
/// That order; -1 where it is none.
template <class V>
ETCH_DETAIL_INLINED constexpr int order_in(V k) {
  if constexpr (std::floating_point<V>) return k >= 0 && k < 64 ? static_cast<int>(k) : -1;
  else return order_in(k.across([](auto a, auto) ETCH_DETAIL_INLINED_LAMBDA { return a; }));
}
constexpr double inverse_factorial(int k) {
  double product = 1;
  for (int i = 2; i <= k; ++i) product *= i;
  return 1 / product;
}
/// 1 / (j (j + 1))
inline constexpr std::array<double, 64> inverse_neighbours = [] {
  std::array<double, 64> all{};
  for (std::size_t j = 1; j < all.size(); ++j) all[j] = 1.0 / static_cast<double>(j * (j + 1));
  return all;
}();
/// The highest order whose coefficients are in the table.
inline constexpr int highest_stumpff = 30;

/// The sum of (-s)^n k! / (2n + k)!, for |s| up to 0.3 (k + 1) (k + 2).
template <class V>
ETCH_DETAIL_INLINED constexpr V near_stumpff(int k, V s) {
  constexpr int terms = 16;
  V sum(1.0);
  for (int n = terms; n-- > 0;) sum = V(1.0) - s * V(inverse_neighbours[static_cast<std::size_t>(2 * n + k + 1)]) * sum;
  return sum;
}
/// As `stumpff` for other s: from c_0, c_1 or c_2 upwards, which there loses no digits. Of √s the rest is added that
/// its rounding left.
template <class V>
ETCH_DETAIL_INLINED constexpr V far_stumpff(int k, V s) {
  bool const halved = k >= 2 && k % 2 == 0;  // c_2 = 2 sin²(√s / 2) / s
  V const size = math::abs(s), whole = root(size);
  wide<V> const square = two_product(whole, whole);
  V const rest = (as_written(size - square.high) - square.low) / (whole + whole);
  V const angle = halved ? whole * V(0.5) : whole, tail = halved ? rest * V(0.5) : rest;
  auto const bends = s < V(0.0);
  auto const from = [&](V sine, V cosine, V turned) {
    V const y = multiply_add(tail, cosine, sine);
    if (k == 0) return multiply_add(tail, turned, cosine);
    if (halved) return y * (V(2.0) * y) / s;
    V const ratio = y / whole;
    return ratio - ratio * (rest / whole);
  };
  V c = from(math::sin(angle), math::cos(angle), -math::sin(angle));
  if (any(indicator(bends, s))) {
    V const sine = math::sinh(angle);
    V const other = from(sine, math::cosh(angle), sine);
    c = select(bends, halved ? -other : other, c);
  }
  for (int j = k % 2 == 0 ? 2 : 1; j < k; j += 2) c = (V(inverse_factorial(j)) - c) / s;
  return c;
}

/// The integral over x from w to infinity of 1 / (x² + s)^k, where z = s / (s + w²) is up to 0.4: a series in z, times
/// w / ((2k - 1) (s
/// + w²)^k).
template <int Terms, class V>
ETCH_DETAIL_INLINED constexpr V near_angle_series(int k, V z) {
  V sum(1.0);
  for (int j = Terms; j-- > 0;) sum = V(1.0) + z * V((2.0 * (k + j)) / (2.0 * (k + j) + 1)) * sum;
  return sum;
}

}  // namespace detail

/// The sum over n of (-s)^n / (2n + k)!, for a whole number k from 0 to 30: cos(√s), sin(√s) / √s, (1 - cos(√s)) / s,
/// ... (K. Stumpff, Himmelsmechanik, 1959).
template <class V>
ETCH_DETAIL_INLINED constexpr V stumpff(V k, V s) {
  if constexpr (!std::floating_point<V>)
    if (!detail::is_one_order(k))
      return s.each([&](auto one, int i) ETCH_DETAIL_INLINED_LAMBDA { return math::stumpff(k[i], one); });
  int const order = detail::order_in(k);
  if (order < 0 || order > detail::highest_stumpff) return V(not_a_number<V>);
  return in_double(
      [order](auto w) {
        using U = decltype(w);
        if (detail::is_unbounded_constant(w)) return U(not_a_number<U>);
        U const limit(0.3 * (order + 1) * (order + 2));
        return detail::either(
            math::abs(w) <= limit,
            [&](auto is_near) ETCH_DETAIL_INLINED_LAMBDA {
              return U(detail::inverse_factorial(order)) * detail::near_stumpff(order, select(is_near, w, U(0.0)));
            },
            [&](auto is_near)
                ETCH_DETAIL_INLINED_LAMBDA { return detail::far_stumpff(order, select(is_near, limit + limit, w)); });
      },
      s);
}

/// The integral over x from w to infinity of 1 / (x² + s)^k, for a whole number k from 1 to 16; for k = 1 that is the
/// angle of the point (w, √s) over √s.
template <class V>
ETCH_DETAIL_INLINED constexpr V angle_ratio(V k, V s, V w) {
  if constexpr (!std::floating_point<V>)
    if (!detail::is_one_order(k))
      return s.each([&](auto one, int i) ETCH_DETAIL_INLINED_LAMBDA { return math::angle_ratio(k[i], one, w[i]); });
  int const order = detail::order_in(k);
  if (order < 1 || order > 16) return V(not_a_number<V>);
  if (detail::is_unbounded_constant(s) || detail::is_unbounded_constant(w)) return V(not_a_number<V>);
  return detail::computed(
      [order](auto of_square, auto of_side) {
        using W = decltype(of_square);
        using U = detail::word_of<W>;
        U const along = detail::rounded(of_side), square = detail::rounded(of_square);
        auto const pole = (square == U(0.0)) & !(along > U(0.0));
        W const safe = select(pole, detail::given<W>(1), of_side);
        W const size = of_square + safe * safe;
        U const z = square / detail::rounded(size);
        W quotient = safe;
        for (int i = 0; i < order; ++i) quotient = quotient / size;
        U const y = detail::either(
            (math::abs(z) < U(0.4)) & (along > U(0.0)),
            [&](auto is_near) ETCH_DETAIL_INLINED_LAMBDA {
              return detail::rounded(quotient) * U(1.0 / (2 * order - 1)) *
                     detail::near_angle_series<detail::is_wide<W> ? 40 : 20>(order, select(is_near, z, U(0.0)));
            },
            [&](auto is_near) ETCH_DETAIL_INLINED_LAMBDA {
              W const far = select(is_near | pole, detail::given<W>(1), of_square);
              W const length = root(far);
              W b = detail::mirrored(along < U(0.0), detail::angle(length, detail::magnitude(safe))) / length;
              W power = safe / size;
              for (int j = 1; j < order; ++j) {
                b = (b * U(2.0 * j - 1) + -power) / (far * U(2.0 * j));
                power = power / size;
              }
              return detail::rounded(b);
            });
        return select(pole, U(infinity<U>), y);
      },
      s, w);
}

}  // namespace math
ETCH_NAMESPACE_END
