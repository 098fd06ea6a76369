// By hand: blocks of columns go through both products while they are in the second cache, panel by panel;
// exp on the tile, the gradient of b on the way.
#include "problem.hpp"

#include "../hand_product.hpp"
#include "../vector_math.hpp"

namespace {

using bench::lanes;
constexpr int rows = dense_exp::rows, features = dense_exp::features, columns = dense_exp::columns;
using packed_weights = bench::panels<double, rows, features, bench::lies<1, rows>>;
constexpr int down = packed_weights::shape.down, right = packed_weights::shape.right, high = packed_weights::rows;
constexpr int block = std::min(columns, 16 * right), panel_count = packed_weights::count, lane = bench::width<double>;
static_assert(rows % high == 0);

struct {
  packed_weights w;
  alignas(64) double e[high * block];  // of one panel
  lanes<double> db[panel_count][down];
} kept;

/// Apart from the tile, which needs all registers.
[[gnu::noinline]] void exponentials(double* e, int count, lanes<double> (&sum)[down]) {
  for (int j = 0; j < count; ++j)
#pragma GCC unroll 8
    for (int r = 0; r < down; ++r) {
      lanes<double> const y = bench::exp<double>(bench::load(e + j * high + r * lane));
      sum[r] += y;
      bench::store(e + j * high + r * lane, y);
    }
}

/// exp(W x + b) in panel p for the columns from n on.
template <int Columns>
[[gnu::always_inline]] inline void forward(dense_exp::inputs const& i, double const* x, int p, int n) {
  lanes<double> z[Columns][down];
#pragma GCC unroll 32
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 8
    for (int r = 0; r < down; ++r) z[j][r] = bench::load(i.model.b.data() + p * high + r * lane);
  bench::multiply<double, high, 1, features>(z, kept.w[p], bench::stacked<double, down>(), x + n * features, features);
  double* const e = kept.e + n * high;
#pragma GCC unroll 32
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 8
    for (int r = 0; r < down; ++r) bench::store(e + j * high + r * lane, z[j][r]);
  exponentials(e, Columns, kept.db[p]);
}

template <int Block, bool Add>
[[gnu::noinline]] void both_ways(dense_exp::inputs const& i, double const* x, double* dw) {
  for (int p = 0; p < panel_count; ++p) {
    int n = 0;
    for (; n + right <= Block; n += right) forward<right>(i, x, p, n);
    if constexpr (Block % right != 0) forward<Block % right>(i, x, p, n);
    bench::block_product<double, high, features, Block, bench::lies<features, 1>, rows, Add>::run(kept.e, x,
                                                                                                  dw + p * high);
  }
}

double compute(dense_exp::inputs const& i, dense_exp::gradient& g) {
  kept.w.pack(i.model.w.data());
  for (auto& each : kept.db)
    for (auto& sum : each) sum = lanes<double>{};
  both_ways<block, false>(i, i.x.data(), g.w.data());
  int n = block;
  for (; n + block <= columns; n += block) both_ways<block, true>(i, i.x.data() + n * features, g.w.data());
  if constexpr (columns % block != 0) both_ways<columns % block, true>(i, i.x.data() + n * features, g.w.data());
  double value = 0;
  for (int p = 0; p < panel_count; ++p)
    for (int r = 0; r < down; ++r) {
      bench::store(g.b.data() + p * high + r * lane, kept.db[p][r]);
      value += bench::add_up<double>(kept.db[p][r]);
    }
  return value;
}

bench::rival<dense_exp> const here("hand",
                                   [](dense_exp::inputs const& i, dense_exp::gradient& g) { return compute(i, g); });

}  // namespace
