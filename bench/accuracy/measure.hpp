// measure: sample points of a floating type, and the distance of a value from the truth in units in the last place.
#pragma once

#include "oracle.hpp"

#include <etch/nn/random.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace accuracy {

template <class T>
using pattern_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Numbers in `within`: special ones, ends and their neighbours, `n` uniform among all bit patterns, `n`
/// uniform in value, `n` of moderate size.
template <class T>
std::vector<T> sample(range within, std::size_t n, std::uint64_t seed = 1) {
  using limits = std::numeric_limits<T>;
  std::vector<T> x;
  auto const add = [&](T v) {
    if (double const wide = static_cast<double>(v); wide >= within.low && wide <= within.high) x.push_back(v);
  };
  auto const add_around = [&](double v) {
    T const centre = static_cast<T>(v);
    add(centre), add(std::nextafter(centre, -limits::infinity())), add(std::nextafter(centre, limits::infinity()));
  };
  for (double v : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 8.0, 40.0, 88.7, 104.0, 709.78, 745.13, within.low, within.high})
    add_around(v), add_around(-v);
  for (T v : {limits::min(), limits::denorm_min(), limits::epsilon(), limits::max(), limits::infinity()})
    add(v), add(-v);
  add(T(-0.0));
  etch::nn::generator random(seed);
  double const largest = static_cast<double>(limits::max()), low = std::max(within.low, -largest),
               high = std::min(within.high, largest);
  std::size_t const until = x.size() + n;
  for (std::size_t tries = 0; x.size() < until && tries < 8 * n; ++tries) {
    T const v =
        std::bit_cast<T>(static_cast<pattern_of<T>>((static_cast<std::uint64_t>(random.bits()) << 32) | random.bits()));
    if (std::isfinite(v)) add(v);
  }
  for (std::size_t i = 0; i < n; ++i) add(static_cast<T>(low / 2 + (high / 2 - low / 2) * random.uniform()) * T(2));
  for (std::size_t i = 0; i < n; ++i)
    add(static_cast<T>(std::copysign(std::exp2(24 * random.uniform() - 16) * (1 + random.uniform() * 0x1p-22),
                                     random.uniform() - 0.5)));
  return x;
}

/// The spacing of numbers of type T at `x`.
template <class T>
quad spacing(quad const& x) {
  using limits = std::numeric_limits<T>;
  if (x == 0) return limits::denorm_min();
  int exponent = 0;
  frexp(x, &exponent);
  return ldexp(quad(1), std::max(exponent - limits::digits, limits::min_exponent - limits::digits));
}

/// |got - truth| in units in the last place of the truth, or of `scale` if that is larger; 0 for equal infinities and
/// for NaN where the truth is NaN.
template <class T>
double distance(T got, quad const& truth, double scale = 0) {
  using limits = std::numeric_limits<T>;
  if (isnan(truth) || std::isnan(got)) return isnan(truth) && std::isnan(got) ? 0 : infinity;
  quad const largest(limits::max()), overflow = largest + spacing<T>(largest);
  if (abs(truth) >= overflow && std::isinf(got)) return std::signbit(got) == (truth < 0) ? 0 : infinity;
  if (isinf(truth)) return infinity;
  quad const wanted = abs(truth) > overflow ? (truth < 0 ? quad(-overflow) : overflow) : truth;
  quad const value = std::isinf(got) ? (got < 0 ? quad(-overflow) : overflow) : quad(got);
  return static_cast<double>(abs(value - wanted) / spacing<T>(abs(wanted) > largest ? largest
                                                              : abs(wanted) < scale ? quad(scale)
                                                                                    : abs(wanted)));
}

/// The largest distance met, and where.
struct worst {
  double ulp = 0, at = 0, beside = 0;
  void meet(double distance, double x, double y = 0) {
    if (distance > ulp) *this = {distance, x, y};
  }
};

}  // namespace accuracy
