// By hand, from the formulas: eight columns at a time, whose entries are interleaved in registers.
#include "problem.hpp"

#include "../by_hand.hpp"

namespace chain_of_valleys {

namespace {

using number = bench::doubles;
constexpr int width = 8, last = variables - 1;

alignas(64) double slopes[variables], entries[nonzeros];

/// Three vectors entry by entry: a0 b0 c0 a1 b1 c1 ...
void store_interleaved(double* to, number a, number b, number c) {
  number const first = __builtin_shufflevector(a, b, 0, 8, 15, 1, 9, 15, 2, 10),
               second = __builtin_shufflevector(a, b, 15, 3, 11, 15, 4, 12, 15, 5),
               third = __builtin_shufflevector(a, b, 13, 15, 6, 14, 15, 7, 15, 15);
  bench::store(to, number(__builtin_shufflevector(first, c, 0, 1, 8, 3, 4, 9, 6, 7)));
  bench::store(to + 8, number(__builtin_shufflevector(second, c, 10, 1, 2, 11, 4, 5, 12, 7)));
  bench::store(to + 16, number(__builtin_shufflevector(third, c, 0, 13, 2, 3, 14, 5, 6, 15)));
}

/// Columns j, ... of the inside, and their gradient; the value's terms with the next variable are returned.
template <class V>
[[gnu::always_inline]] inline V columns_at(double const* x, int j) {
  V const before = bench::load<V>(x + j - 1), here = bench::load<V>(x + j), next = bench::load<V>(x + j + 1);
  V const bend = next - here * here, bend_before = here - before * before, rest = 1 - here;
  V const steep = -400 * here;
  bench::store(slopes + j, V(200 * bend_before + steep * bend - 2 * rest));
  V const diagonal = 202 - 400 * bend + 800 * here * here;
  if constexpr (sizeof(V) == sizeof(double)) {
    double* const column = entries + 3 * j - 1;
    column[0] = -400 * before, column[1] = diagonal, column[2] = steep;
  } else {
    store_interleaved(entries + 3 * j - 1, -400 * before, diagonal, steep);
  }
  return 100 * bend * bend + rest * rest;
}

}  // namespace

rival const here{"hand", [](data const& in, auto& d) {
                   double const* const x = in.data();
                   double const bend = x[1] - x[0] * x[0], rest = 1 - x[0];
                   slopes[0] = -400 * x[0] * bend - 2 * rest;
                   entries[0] = 2 - 400 * bend + 800 * x[0] * x[0], entries[1] = -400 * x[0];
                   number values[2]{};
                   int j = 1;
                   for (; j + 2 * width <= last; j += 2 * width)
                     for (int k = 0; k < 2; ++k) values[k] += columns_at<number>(x, j + k * width);
                   double value = 100 * bend * bend + rest * rest + bench::sum_of(values[0] + values[1]);
                   for (; j < last; ++j) value += columns_at<double>(x, j);
                   slopes[last] = 200 * (x[last] - x[last - 1] * x[last - 1]);
                   entries[nonzeros - 2] = -400 * x[last - 1], entries[nonzeros - 1] = 200;
                   d = {slopes, entries};
                   return value;
                 }};

}  // namespace chain_of_valleys
