// By hand: the value, its two derivatives and the sum of their second ones of a strip of points are columns side by
// side, which the second layer multiplies by one tile of registers after the other.
#include "problem.hpp"

#include "../vector_math.hpp"

namespace laplacian_problem {

namespace {

using lanes = bench::lanes<double>;
constexpr int lane = bench::width<double>, registers = hidden / lane;
constexpr auto tile = bench::shape_of_tile<double>(hidden);
constexpr int kept = 12;  // points in a strip, whose columns stay in the first cache

lanes tanh(lanes x) { return 1 - 2 / (bench::exp<double>(2 * x) + 1); }

/// w times the columns of a strip, plus the bias in the first `values` of them. Kind `k` of point n is column
/// `k * points in the strip + n`.
template <int Columns>
[[gnu::noinline]] void second_layer(double const* w, double const* bias, double const* from, double* to, int values) {
  for (int down = 0; down < registers; down += tile.down)
    bench::in_loop_tiles<Columns, tile.right>([&]<int N>(int first, std::integral_constant<int, N>) {
      lanes sum[N][tile.down];
      for (int n = 0; n < N; ++n)
        for (int r = 0; r < tile.down; ++r)
          sum[n][r] = first + n < values ? bench::load(bias + (down + r) * lane) : lanes{};
      bench::multiply<double, hidden, 1, hidden>(sum, w + down * lane, bench::stacked<double, tile.down>(),
                                                 from + first * hidden, hidden);
      for (int n = 0; n < N; ++n)
        for (int r = 0; r < tile.down; ++r) bench::store(to + (first + n) * hidden + (down + r) * lane, sum[n][r]);
    });
}

alignas(64) double into_second[4 * kept * hidden], out_of_second[4 * kept * hidden];
double laplacians[points];

template <int Count>
void strip(data const& d, int first) {
  double const *const w1 = d.u.first.weight.data(), *const w3 = d.u.last.weight.data();
  constexpr int next = Count * hidden;  // from one kind of column to the next
  for (int r = 0; r < hidden; r += lane) {
    lanes const along_0 = bench::load(w1 + r), along_1 = bench::load(w1 + hidden + r),
                squares = -2 * (along_0 * along_0 + along_1 * along_1), b = bench::load(d.u.first.bias.data() + r);
    for (int n = 0; n < Count; ++n) {
      double* const to = into_second + n * hidden + r;
      lanes const h = tanh(b + along_0 * d.x(0, first + n) + along_1 * d.x(1, first + n)), slope = 1 - h * h;
      bench::store(to, h);
      bench::store(to + next, slope * along_0);
      bench::store(to + 2 * next, slope * along_1);
      bench::store(to + 3 * next, h * slope * squares);
    }
  }
  second_layer<4 * Count>(d.u.second.weight.data(), d.u.second.bias.data(), into_second, out_of_second, Count);
  for (int n = 0; n < Count; ++n) {
    lanes sum{};
    for (int r = 0; r < hidden; r += lane) {
      double const* const from = out_of_second + n * hidden + r;
      lanes const h = tanh(bench::load(from)), p = bench::load(from + next), q = bench::load(from + 2 * next);
      sum += bench::load(w3 + r) * (1 - h * h) * (bench::load(from + 3 * next) - 2 * h * (p * p + q * q));
    }
    laplacians[first + n] = bench::add_up<double>(sum);
  }
}

}  // namespace

rival const here{
    "hand", [](data const& d, at_points<1>& g) {
      bench::in_loop_tiles<points, kept>([&]<int N>(int first, std::integral_constant<int, N>) { strip<N>(d, first); });
      g.entries = laplacians;
      return laplacians[0];
    }};

}  // namespace laplacian_problem
