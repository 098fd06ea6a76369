// Reductions of values of the tape, and what they consist of: values combined with what others hold, along any axes.
#pragma once

#include <etch/op/table.hpp>
#include <etch/tape/elementwise.hpp>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// Combines `from` into `to`, to whose shape it broadcasts: to = Op::combine(to, from), position by position. Positions
/// of `to` may be one and the same entry, which then combines them all. The order is a function of shape and steps,
/// never of an address. `from` may be `to` itself or one entry of it; else their memory does not overlap.
template <class Op, class T>
class accumulate {
 public:
  accumulate(strided_value const& to, strided_value const& from) {
    if (to.extent.size() == 1) {
      *to.first<T>() = Op::combine(*to.first<T>(), *from.first<T>());
      return;
    }
    strided_value const values[]{to, stretched(from, to.extent)};
    T* const y = values[0].template first<T>();
    T const* x = values[1].template first<T>();
    walk const way(to.extent, values, true);
    bool steady = true;
    for (std::size_t axis = 0; axis < max_rank; ++axis) steady = steady && way.step[axis][1] == 0;
    T const one = *x;  // which may be an entry of the result
    if (steady) x = &one;
    std::int64_t const to_step = way.step[0][0], step = way.step[0][1];
    int const n = way.extent[0];
    way.rows([&](walk::offsets const& at) {
      if (to_step == 0) y[at[0]] = Op::combine(y[at[0]], combined(x + at[1], step, n));
      else spread(y + at[0], to_step, x + at[1], step, n);
    });
  }

  /// All `n` entries, `step` apart, combined.
  [[gnu::noinline]] static T combined(T const* x, std::ptrdiff_t step, std::ptrdiff_t n) {
    if (n < width) {
      T y = start;
      for (std::ptrdiff_t i = 0; i < n; ++i) y = Op::combine(y, x[i * step]);
      return y;
    }
    // Four named sums: compilers keep them in registers, and an array in memory.
    V first(start), second(start), third(start), fourth(start);
    alignas(64) T gathered[block];
    for (std::ptrdiff_t at = 0; at < n; at += block) {
      std::ptrdiff_t const count = step == 1 ? n : std::min(std::ptrdiff_t{block}, n - at);
      T const* from = x + at * step;
      if (step != 1) {
        for (std::ptrdiff_t i = 0; i < count; ++i) gathered[i] = from[i * step];
        from = gathered;
      }
      std::ptrdiff_t i = 0;
      for (; i + 4 * width <= count; i += 4 * width) {
        first = Op::combine(first, load_register<V>(from + i));
        second = Op::combine(second, load_register<V>(from + i + width));
        third = Op::combine(third, load_register<V>(from + i + 2 * width));
        fourth = Op::combine(fourth, load_register<V>(from + i + 3 * width));
      }
      for (; i + width <= count; i += width) first = Op::combine(first, load_register<V>(from + i));
      if (i < count) {
        alignas(64) T rest[width];
        for (int k = 0; k < width; ++k) rest[k] = i + k < count ? from[i + k] : start;
        second = Op::combine(second, load_register<V>(rest));
      }
      if (step == 1) break;
    }
    V const total = Op::combine(Op::combine(first, second), Op::combine(third, fourth));
    if constexpr (width == 1) return total;
    else return total.across([](auto a, auto b) { return Op::combine(a, b); });
  }

 private:
  using V = register_of<T>;
  static constexpr int width = width_of<V>, block = 256;  // entries gathered at a time
  static constexpr T start = static_cast<T>(Op::start);

  /// A row of entries, each combined into an entry of its own.
  static void spread(T* y, std::ptrdiff_t to_step, T const* x, std::ptrdiff_t step, int n) {
    int i = 0;
    if (to_step == 1 && step == 1) {
      for (; i + width <= n; i += width)
        store_register<V>(Op::combine(load_register<V>(y + i), load_register<V>(x + i)), y + i);
    } else if (to_step == 1 && step == 0) {
      V const all(*x);
      for (; i + width <= n; i += width) store_register<V>(Op::combine(load_register<V>(y + i), all), y + i);
    }
    for (; i < n; ++i) y[i * to_step] = Op::combine(y[i * to_step], x[i * step]);
  }
};

/// The reduction `Op` of `x` along the axes of which `y` has one entry only. `y` is contiguous.
template <class Op, class T>
void reduce(strided_value const& y, strided_value const& x) {
  if (y.extent.size() == 1 && x.is_contiguous()) {
    *y.first<T>() = accumulate<Op, T>::combined(x.first<T>(), 1, x.extent.size());
    return;
  }
  std::fill_n(y.first<T>(), y.extent.size(), static_cast<T>(Op::start));
  accumulate<Op, T>(stretched(y, x.extent), x);
}

}  // namespace dynamic
ETCH_NAMESPACE_END
