// Circular functions and their inverses.
#pragma once

#include <etch/math/half_pi.hpp>

ETCH_NAMESPACE_BEGIN
namespace math {

namespace detail {

template <class T>
struct sine_constants;
/// Cephes sinf; atan: (atan(t) / t - 1) / t² in t² up to |t| = 1, to 2.3e-9.
template <>
struct sine_constants<float> {
  static constexpr float sin[] = {-1.9515295891e-4f, 8.3321608736e-3f, -1.6666654611e-1f};
  static constexpr float cos[] = {2.443315711809948e-5f, -1.388731625493765e-3f, 4.166664568298827e-2f};
  static constexpr float atan[] = {-1.8272278840773702e-3f, 1.1064509389780923e-2f, -3.1455832515366225e-2f,
                                   5.82346852846998e-2f,    -8.41946723100427e-2f,  0.1095757904958909f,
                                   -0.1426524594148236f,    0.19998638673284777f,   -0.33333301868288345f};
};
/// fdlibm k_sin, k_cos; atan: the series of (1 - atan(t) / t) / t² in t², interpolated up to |t| = 0.236.
template <>
struct sine_constants<double> {
  static constexpr double sin[] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                                   2.75573137070700676789e-06, -1.98412698298579493134e-04,
                                   8.33333333332248946124e-03, -1.66666666666666324348e-01};
  static constexpr double cos[] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                                   -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                                   -1.38888888888741095749e-03, 4.16666666666666019037e-02};
  static constexpr double atan[] = {0.042056275434257245, -0.057757546136918476, 0.0666073962015421,
                                    -0.0769211384271266,  0.09090905349056211,   -0.11111111070423858,
                                    0.14285714285492246,  -0.19999999999999532,  0.3333333333333333};
};

// The C library's functions, one number a call: with -ffast-math g++ would take their vector
// forms, which are up to 4 ulp off.
template <std::floating_point T>
[[gnu::cold, gnu::noinline]] T library_sin(T x) {
  return std::sin(x);
}
template <std::floating_point T>
[[gnu::cold, gnu::noinline]] T library_cos(T x) {
  return std::cos(x);
}
template <std::floating_point T>
[[gnu::cold, gnu::noinline]] T library_tan(T x) {
  return std::tan(x);
}
/// `y`, or what the C library's function gives where x is beyond the reach of the reduction.
template <class V>
ETCH_DETAIL_INLINED constexpr V or_library(V x, V y, auto library) {
  using T = scalar_in<V>;
  if (__builtin_is_constant_evaluated()) return y;
  return beyond(x, V(half_pi_constants<T>::limit), y, library);
}
/// Whether `x` is a NaN or infinite in a constant.
template <class V>
ETCH_DETAIL_INLINED constexpr bool is_unbounded_constant(V x) {
  if constexpr (std::floating_point<V>) return __builtin_is_constant_evaluated() && !(math::abs(x) < infinity<V>);
  else return false;
}

/// sin(x + quarter * pi/2).
template <class V>
ETCH_DETAIL_INLINED constexpr V sine(V x, int quarter, auto library) {
  using T = scalar_in<V>;
  using c = sine_constants<T>;
  if (is_unbounded_constant(x)) return V(not_a_number<V>);
  auto const [turns, r, tail] = reduce_by_half_pi(x);
  auto const q = turns + integer_of<T>(quarter);
  V const z = r * r;
  V const s = r + as_written(multiply_add(polynomial(z, c::sin) * z, r, tail));
  wide<V> const bend = fast_two_sum(V(T(1)), z * V(T(-0.5)));
  V const k = bend.high + as_written(multiply_add(polynomial(z, c::cos) * z, z, bend.low) - r * tail);
  auto const odd = -(q & integer_of<T>(1));
  auto const sign = (q & integer_of<T>(2)) << integer_of<T>(8 * sizeof(T) - 2);
  return or_library(x, from_bits(x, ((bits(k) & odd) | (bits(s) & ~odd)) ^ sign), library);
}

/// The nearest number of kind N, one word or two, to a constant.
template <class N>
ETCH_DETAIL_INLINED constexpr N nearest(double high, double low) {
  if constexpr (requires { N{}.low; }) return {decltype(N::low)(high), decltype(N::low)(low)};
  else return N(high);
}
template <class N>
ETCH_DETAIL_INLINED constexpr auto high_of(N const& n) {
  if constexpr (requires { n.low; }) return n.high;
  else return n;
}

/// The angle in [0, pi/2] of the point (x, y), where neither is negative nor both are 0; N is double or
/// lanes, in one word or two. With a breakpoint b = tan(offset) below y/x <= 1, atan(y/x) = offset + atan(t),
/// t = (y - b x) / (x + b y), |t| < 0.24.
template <class N>
ETCH_DETAIL_INLINED constexpr N angle(N y, N x) {
  auto const swapped = high_of(y) > high_of(x);
  N const p = select(swapped, x, y), q = select(swapped, y, x);
  using V = decltype(high_of(p));
  auto const one = high_of(p) > high_of(q) * V(0.72), half = high_of(p) > high_of(q) * V(0.236);
  V const b = select(one, V(1.0), select(half, V(0.5), V(0.0)));
  N const offset = select(one, nearest<N>(0.7853981633974483, 3.061616997868383e-17),
                          select(half, nearest<N>(0.4636476090008061, 2.2698777452961687e-17), nearest<N>(0, 0)));
  N const t = (p + q * -b) / (q + p * b);
  V const high = high_of(t), z = high * high, bend = high * z * polynomial(z, sine_constants<double>::atan);
  if constexpr (std::same_as<N, V>) {
    N const below = as_written(offset + as_written(t - bend));
    return select(swapped, nearest<N>(1.5707963267948966, 0) - below, below);
  } else {
    N const below = offset + fast_two_sum(high, t.low - multiply_add(t.low, z, bend));
    return select(swapped, nearest<N>(1.5707963267948966, 6.123233995736766e-17) + -below, below);
  }
}
/// pi - `angle` where x is negative.
template <class N>
ETCH_DETAIL_INLINED constexpr N mirrored(auto negative, N angle) {
  if constexpr (requires { angle.low; })
    return select(negative, nearest<N>(3.141592653589793, 1.2246467991473532e-16) + -angle, angle);
  else return select(negative, N(3.141592653589793) - angle, angle);
}

/// The number `x` in one word or in two.
template <bool InTwoWords, class V>
ETCH_DETAIL_INLINED constexpr auto in_words(V x) {
  if constexpr (InTwoWords) return wide<V>{x, V(0.0)};
  else return x;
}
/// sqrt(1 - m²) for 0 <= m <= 1, in one word or in two.
template <bool InTwoWords, class V>
ETCH_DETAIL_INLINED constexpr auto other_side(V m) {
  V const one(1.0);
  auto const below = m < one;
  V const bounded = select(below, m, V(0.0));
  auto const side = [&] {
    if constexpr (InTwoWords) return root(two_sum(one, -bounded) * two_sum(one, bounded));
    else return root((one - bounded) * (one + bounded));
  }();
  return select(below, side, in_words<InTwoWords>(V(0.0)));
}

template <bool InTwoWords, class V>
ETCH_DETAIL_INLINED constexpr V arc_sine(V x) {
  if (is_nan_constant(x)) return x;
  V const m = math::abs(x);
  V const y = math::copysign(high_of(angle(in_words<InTwoWords>(m), other_side<InTwoWords>(m))), x);
  return select(m <= V(1.0), y, V(not_a_number<V>));
}
template <bool InTwoWords, class V>
ETCH_DETAIL_INLINED constexpr V arc_cosine(V x) {
  if (is_nan_constant(x)) return x;
  V const m = math::abs(x);
  V const y = high_of(mirrored(x < V(0.0), angle(other_side<InTwoWords>(m), in_words<InTwoWords>(m))));
  return select(m <= V(1.0), y, V(not_a_number<V>));
}
/// Operands are scaled to where no quotient of them loses digits; two zeros, or two infinities, count as
/// equal or in a proportion of 0 : 1.
template <bool InTwoWords, class V>
ETCH_DETAIL_INLINED constexpr V arc_tangent(V a, V b) {
  if (is_nan_constant(a)) return a;
  if (is_nan_constant(b)) return b;
  V const m = math::abs(a), n = math::abs(b), zero(0.0), one(1.0), infinite(infinity<V>);
  V const larger = select(m > n, m, n);
  V const by = select(larger > V(0x1p+900), V(0x1p-200), select(larger < one, V(0x1p+600), one));
  auto const no_ratio = (larger == infinite) | (larger == zero) | (a != a) | (b != b);
  V const y = select(no_ratio, select(m == infinite, one, zero), m * by);
  V const x = select(no_ratio, select((n == infinite) | (m != infinite), one, zero), n * by);
  auto const turned = mirrored(math::copysign(one, b) < zero, angle(in_words<InTwoWords>(y), in_words<InTwoWords>(x)));
  return select(a == a, select(b == b, math::copysign(high_of(turned), a), b), a);
}

/// The angle of the point (b, a) in floats: a quotient t of at most 1, its arc tangent, and the multiple of pi/2 that
/// belongs to it, of which what a float loses is added first.
template <class V>
ETCH_DETAIL_INLINED constexpr V short_arc_tangent(V a, V b) {
  if (is_nan_constant(a)) return a;
  if (is_nan_constant(b)) return b;
  V const m = math::abs(a), n = math::abs(b), zero(0.0f), one(1.0f);
  auto const steep = m > n;
  auto const infinite = (m == V(infinity<V>)) & (n == V(infinity<V>));
  auto const none = (m == zero) & (n == zero);
  V const t = quotient(select(infinite, one, select(steep, n, m)), select(infinite | none, one, select(steep, m, n)));
  V const z = t * t, y = as_written(multiply_add(t * z, polynomial(z, sine_constants<float>::atan), t));
  auto const left = math::copysign(one, b) < zero;
  V const high = select(steep, V(1.57079637f), select(left, V(3.14159274f), zero)),
          low = select(steep, V(-4.37113883e-8f), select(left, V(-8.74227766e-8f), zero));
  V const from_axis = select(steep, -y, y), turned = select(left, -from_axis, from_axis);
  return math::copysign(high + as_written(low + turned), a);
}

}  // namespace detail

template <class V>
ETCH_DETAIL_INLINED constexpr V sin(V x) {
  return select(x == V(scalar_in<V>(0)), x, detail::sine(x, 0, [](auto one) ETCH_DETAIL_INLINED_LAMBDA {
                  return detail::library_sin(one);
                }));  // keeps the sign of 0
}
template <class V>
ETCH_DETAIL_INLINED constexpr V cos(V x) {
  return detail::sine(x, 1, [](auto one) ETCH_DETAIL_INLINED_LAMBDA { return detail::library_cos(one); });
}

/// The quotient of sine and cosine, both in two words.
template <class V>
ETCH_DETAIL_INLINED constexpr V tan(V x) {
  if constexpr (is_float<V>) {
    return in_double([](auto w) ETCH_DETAIL_INLINED_LAMBDA { return math::tan(w); }, x);
  } else {
    using c = detail::sine_constants<double>;
    if (detail::is_unbounded_constant(x)) return V(not_a_number<V>);
    auto const [q, r, tail] = detail::reduce_by_half_pi(x);
    wide<V> const z = two_product(r, r);
    V const half(0.5), h = z.high;
    wide<V> const s =
        fast_two_sum(r, multiply_add(detail::polynomial(h, c::sin) * h, r, multiply_add(-half * h, tail, tail)));
    wide<V> const k = fast_two_sum(V(1.0), -half * h);
    V const rest = multiply_add(detail::polynomial(h, c::cos) * h, h, k.low) - multiply_add(r, tail, half * z.low);
    wide<V> const cosine = fast_two_sum(k.high, rest);
    auto const odd = to_real(x, q & std::int64_t(1)) == V(1.0);
    wide<V> const y = select(odd, -cosine, s) / select(odd, s, cosine);
    return select(x == V(0.0), x, detail::or_library(x, y.high, [](auto one) ETCH_DETAIL_INLINED_LAMBDA {
                    return detail::library_tan(one);
                  }));
  }
}

template <class V>
ETCH_DETAIL_INLINED constexpr V asin(V x) {
  if constexpr (is_float<V>)
    return in_double([](auto w) ETCH_DETAIL_INLINED_LAMBDA { return detail::arc_sine<false>(w); }, x);
  else return detail::arc_sine<true>(x);
}
template <class V>
ETCH_DETAIL_INLINED constexpr V acos(V x) {
  if constexpr (is_float<V>)
    return in_double([](auto w) ETCH_DETAIL_INLINED_LAMBDA { return detail::arc_cosine<false>(w); }, x);
  else return detail::arc_cosine<true>(x);
}
template <class V>
ETCH_DETAIL_INLINED constexpr V atan(V x) {
  if constexpr (is_float<V>) return detail::short_arc_tangent(x, V(1.0f));
  else return detail::arc_tangent<true>(x, V(1.0));
}
/// The angle of the point (b, a), in [-pi, pi].
template <class V>
ETCH_DETAIL_INLINED constexpr V atan2(V a, V b) {
  if constexpr (is_float<V>) return detail::short_arc_tangent(a, b);
  else return detail::arc_tangent<true>(a, b);
}

}  // namespace math
ETCH_NAMESPACE_END
