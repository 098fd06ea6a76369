// close: comparison of results that were computed in the same way by different code, which may round differently.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tapes {

/// Distance of two numbers in units of the epsilon of `T` at the larger of 1 and both; NaN equals NaN
/// alone, an infinity itself alone.
template <class T>
double steps_between(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : 1e30;
  if (a == b) return 0;
  if (std::isinf(a) || std::isinf(b)) return 1e30;
  double const x = static_cast<double>(a), y = static_cast<double>(b);
  return std::abs(x - y) / std::max({1.0, std::abs(x), std::abs(y)}) /
         static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <class T>
inline constexpr T inf = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T none = std::numeric_limits<T>::quiet_NaN();

/// Whether two numbers are equal to the sign of zero, NaN and NaN too.
template <class T>
bool identical(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace tapes
