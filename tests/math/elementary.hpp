// The elementary functions as objects, ours and the C library's in long double, so that tests can hand both around.
#pragma once

#include <etch/math/math.hpp>

#include <cmath>
#include <limits>

namespace ours {

inline constexpr auto exp = [](auto x) { return etch::math::exp(x); };
inline constexpr auto exp2 = [](auto x) { return etch::math::exp2(x); };
inline constexpr auto expm1 = [](auto x) { return etch::math::expm1(x); };
inline constexpr auto log = [](auto x) { return etch::math::log(x); };
inline constexpr auto log2 = [](auto x) { return etch::math::log2(x); };
inline constexpr auto log10 = [](auto x) { return etch::math::log10(x); };
inline constexpr auto log1p = [](auto x) { return etch::math::log1p(x); };
inline constexpr auto sqrt = [](auto x) { return etch::math::sqrt(x); };
inline constexpr auto cbrt = [](auto x) { return etch::math::cbrt(x); };
inline constexpr auto rsqrt = [](auto x) { return etch::math::rsqrt(x); };
inline constexpr auto sin = [](auto x) { return etch::math::sin(x); };
inline constexpr auto cos = [](auto x) { return etch::math::cos(x); };
inline constexpr auto tan = [](auto x) { return etch::math::tan(x); };
inline constexpr auto asin = [](auto x) { return etch::math::asin(x); };
inline constexpr auto acos = [](auto x) { return etch::math::acos(x); };
inline constexpr auto atan = [](auto x) { return etch::math::atan(x); };
inline constexpr auto sinh = [](auto x) { return etch::math::sinh(x); };
inline constexpr auto cosh = [](auto x) { return etch::math::cosh(x); };
inline constexpr auto tanh = [](auto x) { return etch::math::tanh(x); };
inline constexpr auto asinh = [](auto x) { return etch::math::asinh(x); };
inline constexpr auto acosh = [](auto x) { return etch::math::acosh(x); };
inline constexpr auto atanh = [](auto x) { return etch::math::atanh(x); };
inline constexpr auto logaddexp = [](auto a, auto b) { return etch::math::logaddexp(a, b); };
inline constexpr auto xlogy = [](auto a, auto b) { return etch::math::xlogy(a, b); };
inline constexpr auto hypot = [](auto a, auto b) { return etch::math::hypot(a, b); };
inline constexpr auto pow = [](auto a, auto b) { return etch::math::pow(a, b); };
inline constexpr auto atan2 = [](auto a, auto b) { return etch::math::atan2(a, b); };

}  // namespace ours

namespace exact {

inline constexpr auto exp = [](long double x) { return std::exp(x); };
inline constexpr auto exp2 = [](long double x) { return std::exp2(x); };
inline constexpr auto expm1 = [](long double x) { return std::expm1(x); };
inline constexpr auto log = [](long double x) { return std::log(x); };
inline constexpr auto log2 = [](long double x) { return std::log2(x); };
inline constexpr auto log10 = [](long double x) { return std::log10(x); };
inline constexpr auto log1p = [](long double x) { return std::log1p(x); };
inline constexpr auto sqrt = [](long double x) { return std::sqrt(x); };
inline constexpr auto cbrt = [](long double x) { return std::cbrt(x); };
inline constexpr auto sin = [](long double x) { return std::sin(x); };
inline constexpr auto cos = [](long double x) { return std::cos(x); };
inline constexpr auto tan = [](long double x) { return std::tan(x); };
inline constexpr auto asin = [](long double x) { return std::asin(x); };
inline constexpr auto acos = [](long double x) { return std::acos(x); };
inline constexpr auto atan = [](long double x) { return std::atan(x); };
inline constexpr auto sinh = [](long double x) { return std::sinh(x); };
inline constexpr auto cosh = [](long double x) { return std::cosh(x); };
inline constexpr auto tanh = [](long double x) { return std::tanh(x); };
inline constexpr auto asinh = [](long double x) { return std::asinh(x); };
inline constexpr auto acosh = [](long double x) { return std::acosh(x); };
inline constexpr auto atanh = [](long double x) { return std::atanh(x); };
inline constexpr auto rsqrt = [](long double x) { return 1 / std::sqrt(x); };
inline constexpr auto pow = [](long double a, long double b) { return std::pow(a, b); };
inline constexpr auto atan2 = [](long double a, long double b) { return std::atan2(a, b); };
/// NaN where either operand is, also beside an infinity.
inline constexpr auto hypot = [](long double a, long double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : std::hypot(a, b);
};
inline constexpr auto logaddexp = [](long double a, long double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  long double const m = a > b ? a : b, n = a > b ? b : a;
  return std::isinf(m) ? m : m + std::log1p(std::exp(n - m));
};
inline constexpr auto xlogy = [](long double a, long double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  return a == 0 ? 0 : a * std::log(b);
};

}  // namespace exact
