// special: tensors filled with a few special values again and again, so that scalars, partial and
// full registers meet each of them.
#pragma once

#include <etch/compile/gradient.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

namespace special {

using namespace etch;

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

template <class T, int... Dims>
tensor<T, Dims...> repeated(std::vector<T> const& pattern, std::size_t shift = 0) {
  tensor<T, Dims...> x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = pattern[(i + shift) % pattern.size()];
  return x;
}

/// Equal, where NaN equals NaN.
inline bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Every entry of `got` is the one that `pattern` has at its place.
template <class A, class T>
void check_repeated(A const& got, std::vector<T> const& pattern, std::size_t shift = 0) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CAPTURE(got.size());
    CAPTURE(got[i]);
    CHECK(same(static_cast<double>(got[i]), static_cast<double>(pattern[(i + shift) % pattern.size()])));
  }
}

/// Calls `f.template operator()<T, N>()` in both types, for one entry, which is scalar code, and for several registers,
/// the last partly filled. All lengths from 4 on take the same registers.
void in_all_sizes(auto f) {
  f.template operator()<float, 1>();
  f.template operator()<float, 33>();
  f.template operator()<double, 1>();
  f.template operator()<double, 13>();
}

}  // namespace special
