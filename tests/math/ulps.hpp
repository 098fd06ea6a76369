// ulps: distances from the truth, which is the C library's function in long double with 64 bits of
// mantissa, in units of the last place.
#pragma once

#include <etch/math/number.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace ulps {

template <class T>
using limits = std::numeric_limits<T>;
template <class T>
inline constexpr T inf = limits<T>::infinity();
template <class T>
inline constexpr T undefined = limits<T>::quiet_NaN();
template <class T>
inline constexpr T top = limits<T>::max();
template <class T>
inline constexpr T smallest = limits<T>::denorm_min();

/// Distance of `got` from the exact value `want`, in units of the last place of a T at `want`. An overflow counts as
/// the next power of 2; NaN is at distance 0 from NaN alone.
template <class T>
double distance(T got, long double want) {
  constexpr double far = 1e9;
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : far;
  long double const top = std::ldexp(1.0L, limits<T>::max_exponent);
  long double const value =
      std::isinf(got) ? std::copysign(top, static_cast<long double>(got)) : static_cast<long double>(got);
  want = std::clamp(want, -top, top);
  int exponent = limits<T>::min_exponent;
  if (want != 0) std::frexp(want, &exponent);
  long double const unit =
      std::ldexp(1.0L, std::clamp(exponent, limits<T>::min_exponent, limits<T>::max_exponent) - limits<T>::digits);
  return static_cast<double>(std::abs(value - want) / unit);
}

/// Whether `got` is `want` to the sign of zero.
template <class T>
bool exactly(T got, T want) {
  return std::isnan(want) ? std::isnan(got) : got == want && std::signbit(got) == std::signbit(want);
}

/// The number itself, which the compiler may not know.
template <class T>
T at_run_time(T x) {
  return *static_cast<T volatile*>(&x);
}

/// Reproducible arguments.
template <class T>
struct samples {
  std::mt19937_64 random{12345};

  double unit() { return static_cast<double>(random() >> 11) * 0x1p-53; }
  T between(T low, T high) {
    return static_cast<T>(static_cast<double>(low) + unit() * (static_cast<double>(high) - static_cast<double>(low)));
  }
  /// Of any magnitude and sign, subnormal ones too.
  T any() {
    int const lowest = limits<T>::min_exponent - limits<T>::digits;
    double const exponent = lowest + unit() * (limits<T>::max_exponent - lowest);
    T const magnitude = static_cast<T>(std::ldexp(1 + unit(), static_cast<int>(std::floor(exponent)) - 1));
    return random() % 2 == 0 ? magnitude : -magnitude;
  }
};

/// Where everything special happens: zeros, ones, the ends of the range, and their neighbours.
template <class T>
std::vector<T> special_points() {
  std::vector<T> all;
  for (T const x : {T(0), limits<T>::denorm_min(), limits<T>::min(), limits<T>::epsilon(), T(0.5), T(1), T(2), T(3),
                    T(10), T(1) / limits<T>::epsilon(), T(2) / limits<T>::epsilon() - 1, limits<T>::max()})
    for (T const y : {x, std::nextafter(x, T(0)), std::nextafter(x, limits<T>::infinity())})
      all.insert(all.end(), {y, -y});
  all.insert(all.end(), {limits<T>::infinity(), -limits<T>::infinity(), limits<T>::quiet_NaN()});
  return all;
}

struct worst_case {
  double error = 0;
  long double at = 0, beside = 0;

  void add(double e, long double x, long double y = 0) {
    if (e > error) *this = {e, x, y};
  }
};

/// The largest error of `ours` against `exact`: at special points, at points of every
/// magnitude, and spread over [low, high].
template <class T>
worst_case worst(T low, T high, auto ours, auto exact) {
  worst_case found;
  samples<T> some;
  auto const look = [&](T x) {
    T const kept = at_run_time(x);
    found.add(distance<T>(ours(kept), exact(static_cast<long double>(kept))), static_cast<long double>(kept));
  };
  for (T x : special_points<T>()) look(x);
  for (int i = 0; i < 10000; ++i) look(some.any());
  for (int i = 0; i < 20000; ++i) look(some.between(low, high));
  return found;
}
/// The same for two operands, the second in [low_b, high_b].
template <class T>
worst_case worst(T low, T high, T low_b, T high_b, auto ours, auto exact) {
  worst_case found;
  samples<T> some;
  auto const look = [&](T x, T y) {
    T const a = at_run_time(x), b = at_run_time(y);
    auto const p = static_cast<long double>(a), q = static_cast<long double>(b);
    found.add(distance<T>(ours(a, b), exact(p, q)), p, q);
  };
  for (T x : special_points<T>())
    for (T y : special_points<T>()) look(x, y);
  for (int i = 0; i < 10000; ++i) look(some.any(), some.any());
  for (int i = 0; i < 10000; ++i)
    look(some.any(), some.between(low_b, high_b)), look(some.between(low, high), some.any());
  for (int i = 0; i < 20000; ++i) look(some.between(low, high), some.between(low_b, high_b));
  return found;
}

/// Checks the promise for one range (of each operand), given as doubles.
template <class T, class... End>
void within(double bound, auto ours, auto exact, End... ends) {
  worst_case const found = worst<T>(static_cast<T>(ends)..., ours, exact);
  CAPTURE(static_cast<double>(found.at));
  CAPTURE(static_cast<double>(found.beside));
  CHECK(found.error <= bound);
}

/// An argument and the value there, exactly, to the sign of zero.
template <class T>
struct known {
  T x, y;
};
template <class T>
void check_known(auto f, std::vector<known<T>> const& table) {
  for (auto const [x, y] : table) {
    CAPTURE(static_cast<double>(x));
    CAPTURE(static_cast<double>(f(at_run_time(x))));
    CHECK(exactly<T>(f(at_run_time(x)), y));
  }
}

/// The largest error of `f` evaluated by the compiler at the points that the stateless `At` returns.
template <class T, class F, class At>
double of_constants(F, At, auto exact) {
  static constexpr auto x = At{}();
  static constexpr auto y = [] {
    std::array<T, x.size()> values{};
    for (std::size_t i = 0; i < x.size(); ++i) values[i] = F{}(static_cast<T>(x[i]));
    return values;
  }();
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, distance<T>(y[i], exact(static_cast<long double>(static_cast<T>(x[i])))));
  return largest;
}

/// Whether the stateless `f` can be evaluated by the compiler.
template <class F>
concept constant_expression = requires { typename std::bool_constant<(static_cast<void>(F{}()), true)>; };

}  // namespace ulps
