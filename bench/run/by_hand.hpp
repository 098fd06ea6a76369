// by_hand: registers as the compilers' vectors, and the functions that hand-written rivals need.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace bench {

/// `Width` numbers in a register (or several, where the machine's are smaller).
template <class T, int Width>
struct register_of {
  typedef T type __attribute__((vector_size(sizeof(T) * Width)));
};
using floats = register_of<float, 16>::type;
using doubles = register_of<double, 8>::type;

template <class V, class T>
V load(T const* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class V, class T>
void store(T* to, V v) {
  std::memcpy(to, &v, sizeof v);
}

/// The sum of all entries, as a balanced tree.
template <class V>
auto sum_of(V v) {
  using T = std::remove_cvref_t<decltype(v[0])>;
  constexpr int width = sizeof(V) / sizeof(T);
  if constexpr (width == 2) return v[0] + v[1];
  else {
    using half = typename register_of<T, width / 2>::type;
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      half const low = __builtin_shufflevector(v, v, I...), high = __builtin_shufflevector(v, v, (I + width / 2)...);
      return sum_of(low + high);
    }(std::make_integer_sequence<int, width / 2>{});
  }
}

/// (e^r - 1 - r) / r² for |r| <= ln(2) / 2.
template <class V>
inline V exp_rest(V r) {
  V const r2 = r * r, r4 = r2 * r2;
  V const low = (0.5000000000000012 + 0.166666666666667 * r) + (0.04166666666651542 + 0.008333333333307186 * r) * r2,
          middle = (0.0013888888947015988 + 0.00019841269917417404 * r) +
                   (2.480148994217131e-05 + 2.755721627304302e-06 * r) * r2,
          high = 2.76312803434162e-07 + 2.51178695731022e-08 * r;
  return low + r4 * (middle + r4 * high);
}

/// e^x, scalar.
inline double exp(double x) {
  if (!(std::abs(x) < 708)) return std::exp(x);
  constexpr double magic = 6755399441055744.0;
  double const shifted = x * 1.44269504088896340736 + magic, n = shifted - magic;
  double const r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  double const y = 1 + (r + r * r * exp_rest(r));
  return std::bit_cast<double>(std::bit_cast<std::int64_t>(y) + (std::bit_cast<std::int64_t>(shifted) << 52));
}
/// e^x for |x| < 708, in a register of doubles.
template <class V>
  requires(sizeof(V) > sizeof(double))
V exp(V x) {
  constexpr double magic = 6755399441055744.0;
  typedef std::int64_t integers __attribute__((vector_size(sizeof(V))));
  V const shifted = x * 1.44269504088896340736 + magic, n = shifted - magic;
  V const r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  V const y = 1 + (r + r * r * exp_rest(r));
  return reinterpret_cast<V>(reinterpret_cast<integers>(y) + (reinterpret_cast<integers>(shifted) << 52));
}

}  // namespace bench
