// By hand. The sum needs vectors only: with v = (xᵀ)ⁿ 1 and w = xⁿ z 1, both from one pass over x, its gradient is the
// sum of the v wᵀ that make a hundred steps together. The squares need the products; what is kept of a step lies in
// panels, which all products read in place.
#include "problem.hpp"

#include "../hand_product.hpp"

namespace {

using bench::lanes, bench::load, bench::store;
constexpr int d = chain_of_sum::size, steps = chain_of_sum::steps, lane = bench::width<double>;

// ---- the sum ----

struct {
  alignas(64) double v[steps][d], w[steps + 1][d];  // w backwards: the first is the last
} vectors;

/// to_w = x w, to_v = xᵀ v.
[[gnu::noinline]] void both(double const* x, double const* w, double const* v, double* to_w, double* to_v) {
  constexpr int registers = d / lane;
  static_assert(d % lane == 0);
  lanes<double> sum[registers] = {};
  for (int j = 0; j < d; ++j) {
    lanes<double> dot[4] = {};
    lanes<double> const entry = w[j] - lanes<double>{};
#pragma GCC unroll 64
    for (int r = 0; r < registers; ++r) {
      lanes<double> const column = load(x + j * d + r * lane);
      sum[r] += column * entry;
      dot[r % 4] += column * load(v + r * lane);
    }
    to_v[j] = bench::add_up<double>((dot[0] + dot[1]) + (dot[2] + dot[3]));
  }
#pragma GCC unroll 64
  for (int r = 0; r < registers; ++r) store(to_w + r * lane, sum[r]);
}

double of_sum(chain_of_sum::inputs const& i, chain_of_sum::gradient& g) {
  static double unused[d];
  std::fill(vectors.v[0], vectors.v[0] + d, 1);
  std::fill(vectors.w[steps], vectors.w[steps] + d, 0);
  for (int j = 0; j < d; ++j)
    for (int k = 0; k < d; ++k) vectors.w[steps][k] += i.z.data()[k + j * d];
  for (int n = 0; n < steps; ++n)
    both(i.x.data(), vectors.w[steps - n], vectors.v[n], vectors.w[steps - n - 1],
         n + 1 < steps ? vectors.v[n + 1] : unused);
  double value = 0;
  for (double e : vectors.w[0]) value += e;
  bench::hand_product<double, d, d, steps, bench::lies<1, d>, bench::lies<d, 1>, d>::run(vectors.v[0], vectors.w[1],
                                                                                         g.data());
  return value;
}

// ---- the squares ----

using left = bench::panels<double, d, d, bench::lies<1, d>>;
using left_transposed = bench::panels<double, d, d, bench::lies<d, 1>>;
constexpr int down = left::shape.down, high = left::rows, right = high % 5 == 0 ? 5 : 4, panel_count = left::count;
static_assert(left::rows == left_transposed::rows && high % right == 0 && d % right == 0);

struct {
  left x, z[steps + 1];
  left_transposed transposed;
} kept;

/// to = a from, both in panels.
[[gnu::noinline]] void step(double const* a, double const* from, double* to) {
  for (int p = 0; p < panel_count; ++p)
    for (int n = 0; n < d; n += right) {
      lanes<double> sum[right][down] = {};
      for (int q = 0; q < panel_count; ++q) {
        constexpr int last = d - (panel_count - 1) * high;
        bench::multiply<double, high, 1, high>(sum, a + (p * d + q * high) * high, bench::stacked<double, down>(),
                                               from + (q * d + n) * high, q + 1 < panel_count ? high : last);
      }
#pragma GCC unroll 32
      for (int j = 0; j < right; ++j)
#pragma GCC unroll 8
        for (int r = 0; r < down; ++r) store(to + (p * d + n + j) * high + r * lane, sum[j][r]);
    }
}

/// g = or += a bᵀ, a and b in panels.
template <bool Add>
[[gnu::noinline]] void gradient(double const* a, double const* b, double* g) {
  for (int p = 0; p < panel_count; ++p)
    for (int n = 0; n < d; n += right) {
      lanes<double> sum[right][down];
#pragma GCC unroll 32
      for (int j = 0; j < right; ++j)
#pragma GCC unroll 8
        for (int r = 0; r < down; ++r)
          sum[j][r] = Add ? load(g + (n + j) * panel_count * high + p * high + r * lane) : lanes<double>{};
      bench::multiply<double, high, high, 1>(sum, a + p * d * high, bench::stacked<double, down>(),
                                             b + n / high * d * high + n % high, d);
#pragma GCC unroll 32
      for (int j = 0; j < right; ++j)
#pragma GCC unroll 8
        for (int r = 0; r < down; ++r) store(g + (n + j) * panel_count * high + p * high + r * lane, sum[j][r]);
    }
}

double of_squares(chain_of_squares::inputs const& i, chain_of_squares::gradient& g) {
  static_assert(d % high == 0, "panels end with the matrix");
  kept.x.pack(i.x.data()), kept.transposed.pack(i.x.data()), kept.z[0].pack(i.z.data());
  for (int n = 0; n < steps; ++n) step(kept.x.entries, kept.z[n].entries, kept.z[n + 1].entries);
  lanes<double> value{};
  for (int e = 0; e < d * d; e += lane) {
    lanes<double> const y = load(kept.z[steps].entries + e);
    value += y * y;
    store(kept.z[steps].entries + e, y + y);
  }
  for (int n = steps; n > 0; --n) {
    if (n == steps) gradient<false>(kept.z[n].entries, kept.z[n - 1].entries, g.data());
    else gradient<true>(kept.z[n].entries, kept.z[n - 1].entries, g.data());
    if (n > 1) step(kept.transposed.entries, kept.z[n].entries, kept.z[n - 1].entries);
  }
  return bench::add_up<double>(value);
}

bench::rival<chain_of_sum> const here("hand", [](chain_of_sum::inputs const& i, chain_of_sum::gradient& g) {
  return of_sum(i, g);
});
bench::rival<chain_of_squares> const there("hand", [](chain_of_squares::inputs const& i,
                                                      chain_of_squares::gradient& g) { return of_squares(i, g); });

}  // namespace
