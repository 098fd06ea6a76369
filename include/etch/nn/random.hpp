// Counter-based random numbers: entry i of stream s under seed k is a pure function of (k, s,
// i), the same on every compiler.
#pragma once

#include <etch/base/philox.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

ETCH_NAMESPACE_BEGIN
namespace nn {

using etch::philox;

namespace detail {

/// `x` itself, opaque to the optimiser: a product passed through it is rounded before it is added,
/// whatever the compiler would fuse.
constexpr double rounded(double x) {
  if (!__builtin_is_constant_evaluated()) asm("" : "+m"(x));
  return x;
}

/// c[0] x^n + ... + c[n], rounded after every operation.
template <std::size_t N>
constexpr double rounded_polynomial(double x, double const (&c)[N]) {
  double sum = c[0];
  for (std::size_t i = 1; i < N; ++i) sum = rounded(sum * x) + c[i];
  return sum;
}

/// log(x) for 0 < x < 1 by the series of 2 artanh((m-1)/(m+1)), m in [sqrt(1/2), sqrt(2)).
constexpr double rounded_log(double x) {
  std::uint64_t const base = std::bit_cast<std::uint64_t>(0.70710678118654752440);
  std::int64_t const bits = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(x) - base);
  double const m = std::bit_cast<double>((static_cast<std::uint64_t>(bits) & 0xFFFFFFFFFFFFFu) + base);
  double const s = (m - 1) / (m + 1), z = rounded(s * s);
  double const series = rounded_polynomial(
      z, {1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0});
  return rounded(static_cast<double>(bits >> 52) * 0.69314718055994530942) + rounded(rounded(2 * s) * series);
}

/// Quantile of the normal distribution: M. Wichura, Algorithm AS 241 (Applied Statistics 37, 1988),
/// PPND7; relative error about 1e-7.
constexpr double normal_quantile(double p) {
  double const q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    double const r = 0.180625 - rounded(q * q);
    return rounded(q * rounded_polynomial(r, {59.109374720, 159.29113202, 50.434271938, 3.3871327179})) /
           rounded_polynomial(r, {67.187563600, 78.757757664, 17.895169469, 1.0});
  }
  double const tail = -rounded_log(q < 0 ? p : 1 - p);
  double root = tail;  // square root by Newton's method, of a number between 2.6 and 50
  for (int i = 0; i < 8; ++i) root = (root + tail / root) / 2;
  double value = 0;
  if (root <= 5) {
    double const r = root - 1.6;
    value = rounded_polynomial(r, {0.17023821103, 1.3067284816, 2.7568153900, 1.4234372777}) /
            rounded_polynomial(r, {0.12021132975, 0.73700164250, 1.0});
  } else {
    double const r = root - 5;
    value = rounded_polynomial(r, {0.017337203997, 0.42868294337, 3.0812263860, 6.6579051150}) /
            rounded_polynomial(r, {0.012258202635, 0.24197894225, 1.0});
  }
  return q < 0 ? -value : value;
}

}  // namespace detail

/// A stream of random numbers. Copies continue independently from the same point; nothing is shared.
class generator {
 public:
  constexpr explicit generator(std::uint64_t seed, std::uint64_t stream = 0)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        stream_{static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)} {}

  /// 32 uniform random bits.
  constexpr std::uint32_t bits() {
    if (used_ == 4) {
      block_ = philox(
          {static_cast<std::uint32_t>(counter_), static_cast<std::uint32_t>(counter_ >> 32), stream_[0], stream_[1]},
          key_);
      ++counter_;
      used_ = 0;
    }
    return block_[used_++];
  }
  /// Uniform in (0, 1), never an end point.
  constexpr double uniform() { return (static_cast<double>(bits()) + 0.5) * 0x1p-32; }
  /// Uniform in (low, high).
  constexpr double uniform(double low, double high) { return low + detail::rounded(uniform() * (high - low)); }
  /// Standard normal.
  constexpr double normal() { return detail::normal_quantile(uniform()); }
  /// Uniform among 0 ... n-1, n > 0, without bias (D. Lemire, ACM TOMACS 29, 2019).
  constexpr std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{bits()} * n;
    if (static_cast<std::uint32_t>(product) < n)
      for (std::uint32_t const threshold = (0u - n) % n; static_cast<std::uint32_t>(product) < threshold;)
        product = std::uint64_t{bits()} * n;
    return static_cast<std::uint32_t>(product >> 32);
  }
  /// Fisher-Yates shuffle.
  constexpr void shuffle(auto& range) {
    for (std::uint32_t i = static_cast<std::uint32_t>(range.size()); i > 1; --i)
      std::swap(range[i - 1], range[below(i)]);
  }

 private:
  std::array<std::uint32_t, 2> key_, stream_;
  std::uint64_t counter_ = 0;
  std::array<std::uint32_t, 4> block_{};
  std::uint32_t used_ = 4;
};

}  // namespace nn
ETCH_NAMESPACE_END
