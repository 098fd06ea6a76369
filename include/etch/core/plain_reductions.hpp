// sum, mean, prod, max, min, argmax, argmin, dot, squared_norm, norm, variance, stddev of plain tensors, as numbers:
// what the operations of the same names are on traced values. Sums of float are added up in double.
#pragma once

#include <etch/math/power.hpp>
#include <etch/core/tensor.hpp>

ETCH_NAMESPACE_BEGIN

namespace detail {

/// The type in which a sum of `T` is added up.
template <class T>
using accumulator = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

/// The index in memory order of the entry that comes first in the order `before`; NaN comes before all others, and of
/// equal ones the first.
template <class T, int... Dims>
constexpr std::size_t extreme_of(tensor<T, Dims...> const& x, auto before) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[best] == x[best] && (before(x[i], x[best]) || x[i] != x[i])) best = i;
  return best;
}

/// The larger of a size and that of `x`; NaN stays.
constexpr double larger_size(double size, double x) {
  double const other = x < 0 ? -x : x;
  return size != size || other <= size ? size : other;
}
/// The factor of entries before they are squared, so that no square is beyond the largest number or lost below
/// the smallest; 0 where the norm is `largest` itself.
constexpr double norm_scale(double largest) {
  if (largest == 0 || largest - largest != 0) return 0;
  return largest > 0x1p+400 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p+600 : 1;
}

}  // namespace detail

/// Sum of all entries. That of integers must fit into their type, or into int for bool, which counts.
template <scalar T, int... Dims>
constexpr auto sum(tensor<T, Dims...> const& x) {
  detail::accumulator<T> total = 0;
  for (T each : x) total += static_cast<detail::accumulator<T>>(each);
  return static_cast<std::conditional_t<std::is_same_v<T, bool>, int, T>>(total);
}
/// Arithmetic mean of all entries.
template <std::floating_point T, int... Dims>
constexpr T mean(tensor<T, Dims...> const& x) {
  double total = 0;
  for (T each : x) total += static_cast<double>(each);
  return static_cast<T>(total / static_cast<double>(x.size()));
}
/// Product of all entries.
template <scalar T, int... Dims>
constexpr T prod(tensor<T, Dims...> const& x) {
  detail::accumulator<T> total = 1;
  for (T each : x) total *= static_cast<detail::accumulator<T>>(each);
  return static_cast<T>(total);
}

/// Largest entry; NaN wins.
template <scalar T, int... Dims>
constexpr T max(tensor<T, Dims...> const& x) {
  return x[detail::extreme_of(x, [](T a, T b) { return a > b; })];
}
/// Smallest entry; NaN wins.
template <scalar T, int... Dims>
constexpr T min(tensor<T, Dims...> const& x) {
  return x[detail::extreme_of(x, [](T a, T b) { return a < b; })];
}
/// The index of the largest entry in memory order. Of equal entries the first; NaN counts as largest.
template <scalar T, int... Dims>
constexpr std::size_t argmax(tensor<T, Dims...> const& x) {
  return detail::extreme_of(x, [](T a, T b) { return a > b; });
}
/// The index of the smallest entry in memory order. Of equal entries the first; NaN counts as smallest.
template <scalar T, int... Dims>
constexpr std::size_t argmin(tensor<T, Dims...> const& x) {
  return detail::extreme_of(x, [](T a, T b) { return a < b; });
}

/// The sum of products of two tensors of one shape, entry by entry.
template <std::floating_point T, int... Dims>
constexpr T dot(tensor<T, Dims...> const& a, tensor<T, Dims...> const& b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return static_cast<T>(total);
}
/// The sum of squares of all entries.
template <std::floating_point T, int... Dims>
constexpr T squared_norm(tensor<T, Dims...> const& x) {
  return dot(x, x);
}
/// The Euclidean norm of all entries, also where their squares are beyond the largest number or below the smallest.
template <std::floating_point T, int... Dims>
constexpr T norm(tensor<T, Dims...> const& x) {
  double largest = 0, total = 0;
  for (T each : x) largest = detail::larger_size(largest, static_cast<double>(each));
  double const scale = detail::norm_scale(largest);
  if (scale == 0) return static_cast<T>(largest);
  for (T each : x) total += (scale * static_cast<double>(each)) * (scale * static_cast<double>(each));
  return static_cast<T>(math::sqrt(total) / scale);
}

/// The variance of all entries: of a population, or with `ddof` = 1 of a sample. From centred entries.
template <std::floating_point T, int... Dims>
constexpr T variance(tensor<T, Dims...> const& x, int ddof = 0) {
  double total = 0, squares = 0;
  for (T each : x) total += static_cast<double>(each);
  double const centre = total / static_cast<double>(x.size());
  for (T each : x) squares += (static_cast<double>(each) - centre) * (static_cast<double>(each) - centre);
  return static_cast<T>(squares / (static_cast<double>(x.size()) - ddof));
}
/// The square root of the variance.
template <std::floating_point T, int... Dims>
constexpr T stddev(tensor<T, Dims...> const& x, int ddof = 0) {
  return math::sqrt(variance(x, ddof));
}

ETCH_NAMESPACE_END
