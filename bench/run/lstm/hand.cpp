// By hand: the four gates of a few units side by side in a tile, so that a cell is finished where its products are; the
// way back step by step, weights' gradients while the step is in the cache.
#include "problem.hpp"

#include "../tile.hpp"
#include "../vector_math.hpp"

namespace {

using bench::lanes, bench::load, bench::store;
constexpr int width = lstm::width, batch = lstm::batch, steps = lstm::steps, lane = bench::width<float>;
constexpr int groups = width / lane, rows = 4 * lane, tall = width / lane, right = 6;

/// A layer's weights, packed: on the way there by groups of units, on the way back transposed;
/// and the sums of their gradients.
struct layer {
  alignas(64) float input[groups][width][rows], recurrent[groups][width][rows], bias[groups][rows];
  alignas(64) float input_back[groups][rows][width], recurrent_back[groups][rows][width];
  alignas(64) float d_input[groups][width][rows], d_recurrent[groups][width][rows], d_bias[groups][rows];
  alignas(64) float gates[steps][groups][batch][rows];  // first the gates, on the way back their adjoints
  alignas(64) float h[steps + 1][batch][width], c[steps + 1][batch][width];
  alignas(64) float dh[batch][width], dc[batch][width];
};
layer layers[lstm::layers];

/// The row of gate `gate` of the first unit of a group.
constexpr int row_of(int group, int gate) { return gate * width + group * lane; }

void pack(layer& to, lstm::layer<float> const& from) {
  for (int p = 0; p < groups; ++p)
    for (int gate = 0; gate < 4; ++gate) {
      for (int k = 0; k < width; ++k)
        for (int u = 0; u < lane; ++u) {
          int const at = gate * lane + u;
          to.input[p][k][at] = to.input_back[p][at][k] = from.input(row_of(p, gate) + u, k);
          to.recurrent[p][k][at] = to.recurrent_back[p][at][k] = from.recurrent(row_of(p, gate) + u, k);
        }
      std::memcpy(&to.bias[p][gate * lane], &from.bias[static_cast<std::size_t>(row_of(p, gate))],
                  lane * sizeof(float));
    }
  std::memset(to.d_input, 0, sizeof to.d_input);
  std::memset(to.d_recurrent, 0, sizeof to.d_recurrent);
  std::memset(to.d_bias, 0, sizeof to.d_bias);
  std::memset(to.dh, 0, sizeof to.dh);
  std::memset(to.dc, 0, sizeof to.dc);
}

void unpack(lstm::layer<float>& to, layer const& from) {
  for (int p = 0; p < groups; ++p)
    for (int gate = 0; gate < 4; ++gate) {
      for (int k = 0; k < width; ++k) {
        std::memcpy(&to.input(row_of(p, gate), k), &from.d_input[p][k][gate * lane], lane * sizeof(float));
        std::memcpy(&to.recurrent(row_of(p, gate), k), &from.d_recurrent[p][k][gate * lane], lane * sizeof(float));
      }
      std::memcpy(&to.bias[static_cast<std::size_t>(row_of(p, gate))], &from.d_bias[p][gate * lane],
                  lane * sizeof(float));
    }
}

/// From the gates before their functions to h and c; apart from the tile, which needs all registers.
[[gnu::noinline]] void cells(layer& l, int t, int p, int begin, int end) {
  for (int j = begin; j < end; ++j) {
    float* const gate = l.gates[t][p][j];
    lanes<float> const i = bench::logistic(load(gate)), f = bench::logistic(load(gate + lane)),
                       g = bench::tanh(load(gate + 2 * lane)), o = bench::logistic(load(gate + 3 * lane));
    lanes<float> const c = f * load(&l.c[t][j][p * lane]) + i * g;
    store(gate, i), store(gate + lane, f), store(gate + 2 * lane, g), store(gate + 3 * lane, o);
    store(&l.c[t + 1][j][p * lane], c);
    store(&l.h[t + 1][j][p * lane], o * bench::tanh(c));
  }
}

template <int Columns>
[[gnu::always_inline]] inline void forward_strip(layer& l, float const* x, int t, int n) {
  for (int p = 0; p < groups; ++p) {
    lanes<float> z[Columns][4];
#pragma GCC unroll 8
    for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) z[j][r] = load(&l.bias[p][r * lane]);
    bench::multiply<float, rows, 1, width>(z, l.input[p][0], bench::stacked<float, 4>(), x + n * width, width);
    if (t > 0)
      bench::multiply<float, rows, 1, width>(z, l.recurrent[p][0], bench::stacked<float, 4>(), l.h[t][n], width);
#pragma GCC unroll 8
    for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r) store(&l.gates[t][p][n + j][r * lane], z[j][r]);
    cells(l, t, p, n, n + Columns);
  }
}

[[gnu::noinline]] void forward(layer& l, float const* x, int t) {
  int n = 0;
  for (; n + right <= batch; n += right) forward_strip<right>(l, x, t, n);
  if constexpr (batch % right != 0) forward_strip<batch % right>(l, x, t, n);
}

/// From the adjoints of h and c to those of the gates before their functions, and of c one step before.
template <bool Last>
[[gnu::noinline]] void cells_back(layer& l, int t) {
  for (int p = 0; p < groups; ++p) {
    lanes<float> sum[4];
    for (int r = 0; r < 4; ++r) sum[r] = load(&l.d_bias[p][r * lane]);
    for (int j = 0; j < batch; ++j) {
      float* const gate = l.gates[t][p][j];
      lanes<float> const i = load(gate), f = load(gate + lane), g = load(gate + 2 * lane), o = load(gate + 3 * lane);
      lanes<float> const y = bench::tanh(load(&l.c[t + 1][j][p * lane]));
      lanes<float> dh = load(&l.dh[j][p * lane]);
      if (Last) dh += 2 * load(&l.h[t + 1][j][p * lane]);
      lanes<float> const dc = load(&l.dc[j][p * lane]) + dh * o * (1 - y * y);
      lanes<float> const d[4] = {dc * g * i * (1 - i), dc * load(&l.c[t][j][p * lane]) * f * (1 - f),
                                 dc * i * (1 - g * g), dh * y * o * (1 - o)};
      store(&l.dc[j][p * lane], dc * f);
      for (int r = 0; r < 4; ++r) sum[r] += d[r], store(gate + r * lane, d[r]);
    }
    for (int r = 0; r < 4; ++r) store(&l.d_bias[p][r * lane], sum[r]);
  }
}

template <int Columns, bool Add>
[[gnu::always_inline]] inline void operand_strip(layer const& l, float const (&weights)[groups][rows][width], int t,
                                                 float (*to)[width], int n) {
  lanes<float> sum[Columns][tall];
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 16
    for (int r = 0; r < tall; ++r) sum[j][r] = Add ? load(&to[n + j][r * lane]) : lanes<float>{};
  for (int p = 0; p < groups; ++p)
    bench::multiply<float, width, 1, rows>(sum, weights[p][0], bench::stacked<float, tall>(), l.gates[t][p][n], rows);
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 16
    for (int r = 0; r < tall; ++r) store(&to[n + j][r * lane], sum[j][r]);
}

/// The transposed weights times the adjoints of step t's gates.
template <bool Add>
[[gnu::noinline]] void operand(layer const& l, float const (&weights)[groups][rows][width], int t, float (*to)[width]) {
  int n = 0;
  for (; n + right <= batch; n += right) operand_strip<right, Add>(l, weights, t, to, n);
  if constexpr (batch % right != 0) operand_strip<batch % right, Add>(l, weights, t, to, n);
}

template <int Columns>
[[gnu::always_inline]] inline void weights_strip(float const (&gates)[batch][rows], float const* with,
                                                 float (*to)[rows], int n) {
  lanes<float> sum[Columns][4];
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) sum[j][r] = load(&to[n + j][r * lane]);
  bench::multiply<float, rows, width, 1>(sum, gates[0], bench::stacked<float, 4>(), with + n, batch);
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) store(&to[n + j][r * lane], sum[j][r]);
}

/// Adds the adjoints of step t's gates times the operand's transpose.
[[gnu::noinline]] void weights(layer const& l, int t, float const* with, float (*to)[width][rows]) {
  for (int p = 0; p < groups; ++p) {
    int n = 0;
    for (; n + right <= width; n += right) weights_strip<right>(l.gates[t][p], with, to[p], n);
    if constexpr (width % right != 0) weights_strip<width % right>(l.gates[t][p], with, to[p], n);
  }
}

float compute(lstm::inputs const& in, lstm::gradient& g) {
  auto& [first, second] = layers;
  pack(first, in.weights[0]), pack(second, in.weights[1]);
  lanes<float> value{};
  for (int t = 0; t < steps; ++t) {
    forward(first, in.x.data() + t * batch * width, t);
    forward(second, first.h[t + 1][0], t);
    for (int j = 0; j < batch; ++j)
      for (int u = 0; u < width; u += lane) {
        lanes<float> const h = load(&second.h[t + 1][j][u]);
        value += h * h;
      }
  }
  for (int t = steps - 1; t >= 0; --t) {
    cells_back<true>(second, t);
    weights(second, t, first.h[t + 1][0], second.d_input);
    if (t > 0)
      weights(second, t, second.h[t][0], second.d_recurrent),
          operand<false>(second, second.recurrent_back, t, second.dh);
    if (t == steps - 1) operand<false>(second, second.input_back, t, first.dh);
    else operand<true>(second, second.input_back, t, first.dh);
    cells_back<false>(first, t);
    weights(first, t, in.x.data() + t * batch * width, first.d_input);
    if (t > 0)
      weights(first, t, first.h[t][0], first.d_recurrent), operand<false>(first, first.recurrent_back, t, first.dh);
  }
  unpack(g[0], first), unpack(g[1], second);
  return bench::add_up<float>(value);
}

bench::rival<lstm> const here("hand", [](lstm::inputs const& in, lstm::gradient& g) { return compute(in, g); });

}  // namespace
