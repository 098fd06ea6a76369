// By hand: reset, update and both parts of new of a few units side by side in a tile, so that a cell is finished where
// its products are; the way back step by step, weights' gradients while the step is in the cache.
#include "problem.hpp"

#include "../tile.hpp"
#include "../vector_math.hpp"

namespace {

using bench::lanes, bench::load, bench::store;
constexpr int width = gru::width, batch = gru::batch, steps = gru::steps, lane = bench::width<float>;
constexpr int groups = width / lane, kept = 4 * lane, rows = 3 * lane, tall = width / lane, right = 6, wide = 8;

/// A layer's weights, packed: on the way there by groups of units, on the way back transposed;
/// and the sums of their gradients.
struct layer {
  alignas(64) float input[groups][width][rows], recurrent[groups][width][rows], bias[groups][kept];
  alignas(64) float input_back[groups][rows][width], recurrent_back[groups][rows][width];
  alignas(64) float d_input[groups][width][rows], d_recurrent[groups][width][rows], d_bias[groups][kept];
  alignas(64) float gates[steps][groups][batch][kept];  // r, z, n, and new's part of h; on the way back their adjoints
  alignas(64) float h[steps + 1][batch][width], dh[batch][width];
};
layer layers[gru::layers];

/// The ones of the four rows kept that a product with x makes, and those that one with h makes.
constexpr std::array<int, 3> of_x{0, lane, 2 * lane}, of_h{0, lane, 3 * lane};

/// The row of gate `gate` of the first unit of a group.
constexpr int row_of(int group, int gate) { return gate * width + group * lane; }

void pack(layer& to, gru::layer<float> const& from) {
  for (int p = 0; p < groups; ++p)
    for (int gate = 0; gate < 3; ++gate)
      for (int u = 0; u < lane; ++u) {
        int const at = gate * lane + u, row = row_of(p, gate) + u;
        for (int k = 0; k < width; ++k) {
          to.input[p][k][at] = to.input_back[p][at][k] = from.input(row, k);
          to.recurrent[p][k][at] = to.recurrent_back[p][at][k] = from.recurrent(row, k);
        }
        float const of_input = from.input_bias(row), of_state = from.recurrent_bias(row);
        to.bias[p][at] = gate < 2 ? of_input + of_state : of_input;
        if (gate == 2) to.bias[p][at + lane] = of_state;
      }
  std::memset(to.d_input, 0, sizeof to.d_input);
  std::memset(to.d_recurrent, 0, sizeof to.d_recurrent);
  std::memset(to.d_bias, 0, sizeof to.d_bias);
  std::memset(to.dh, 0, sizeof to.dh);
}

void unpack(gru::layer<float>& to, layer const& from) {
  for (int p = 0; p < groups; ++p)
    for (int gate = 0; gate < 3; ++gate) {
      int const row = row_of(p, gate);
      for (int k = 0; k < width; ++k) {
        std::memcpy(&to.input(row, k), &from.d_input[p][k][gate * lane], lane * sizeof(float));
        std::memcpy(&to.recurrent(row, k), &from.d_recurrent[p][k][gate * lane], lane * sizeof(float));
      }
      std::memcpy(&to.input_bias(row), &from.d_bias[p][gate * lane], lane * sizeof(float));
      std::memcpy(&to.recurrent_bias(row), &from.d_bias[p][(gate == 2 ? 3 : gate) * lane], lane * sizeof(float));
    }
}

/// From the gates before their functions to h; apart from the tile, which needs all registers.
[[gnu::noinline]] void cells(layer& l, int t, int p, int begin, int end) {
  for (int j = begin; j < end; ++j) {
    float* const gate = l.gates[t][p][j];
    lanes<float> const r = bench::logistic(load(gate)), z = bench::logistic(load(gate + lane)),
                       n = bench::tanh(load(gate + 2 * lane) + r * load(gate + 3 * lane));
    store(gate, r), store(gate + lane, z), store(gate + 2 * lane, n);
    store(&l.h[t + 1][j][p * lane], n + z * (load(&l.h[t][j][p * lane]) - n));
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
    bench::multiply_into<float, rows, 1, width, 0, 1, 2>(z, l.input[p][0], x + n * width, width);
    if (t > 0) bench::multiply_into<float, rows, 1, width, 0, 1, 3>(z, l.recurrent[p][0], l.h[t][n], width);
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

/// From the adjoint of h to those of the gates before their functions, and to what goes past them to h one step before.
template <bool Last>
[[gnu::noinline]] void cells_back(layer& l, int t) {
  for (int p = 0; p < groups; ++p) {
    lanes<float> sum[4];
    for (int r = 0; r < 4; ++r) sum[r] = load(&l.d_bias[p][r * lane]);
    for (int j = 0; j < batch; ++j) {
      float* const gate = l.gates[t][p][j];
      lanes<float> const r = load(gate), z = load(gate + lane), n = load(gate + 2 * lane), hn = load(gate + 3 * lane);
      lanes<float> dh = load(&l.dh[j][p * lane]);
      if (Last) dh += 2 * load(&l.h[t + 1][j][p * lane]);
      lanes<float> const dn = dh * (1 - z) * (1 - n * n);
      lanes<float> const d[4] = {dn * hn * r * (1 - r), dh * (load(&l.h[t][j][p * lane]) - n) * z * (1 - z), dn,
                                 dn * r};
      store(&l.dh[j][p * lane], dh * z);
      for (int k = 0; k < 4; ++k) sum[k] += d[k], store(gate + k * lane, d[k]);
    }
    for (int r = 0; r < 4; ++r) store(&l.d_bias[p][r * lane], sum[r]);
  }
}

template <int Columns, int New, bool Add>
[[gnu::always_inline]] inline void operand_strip(layer const& l, float const (&weights)[groups][rows][width], int t,
                                                 float (*to)[width], int n) {
  lanes<float> sum[Columns][tall];
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 16
    for (int r = 0; r < tall; ++r) sum[j][r] = Add ? load(&to[n + j][r * lane]) : lanes<float>{};
  for (int p = 0; p < groups; ++p) {
    bench::multiply<float, width, 1, kept>(sum, weights[p][0], bench::stacked<float, tall>(), l.gates[t][p][n],
                                           2 * lane);
    bench::multiply<float, width, 1, kept>(sum, weights[p][2 * lane], bench::stacked<float, tall>(),
                                           l.gates[t][p][n] + New, lane);
  }
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 16
    for (int r = 0; r < tall; ++r) store(&to[n + j][r * lane], sum[j][r]);
}

/// The transposed weights times the adjoints of step t's gates; new's are `New` rows down.
template <int New, bool Add>
[[gnu::noinline]] void operand(layer const& l, float const (&weights)[groups][rows][width], int t, float (*to)[width]) {
  int n = 0;
  for (; n + right <= batch; n += right) operand_strip<right, New, Add>(l, weights, t, to, n);
  if constexpr (batch % right != 0) operand_strip<batch % right, New, Add>(l, weights, t, to, n);
}

/// Adds the adjoints of step t's gates, `which` of the rows kept, times the operand's transpose.
[[gnu::noinline]] void weights(layer const& l, int t, float const* with, std::array<int, 3> const& which,
                               float (*to)[width][rows]) {
  static_assert(width % wide == 0);
  for (int p = 0; p < groups; ++p)
    for (int n = 0; n < width; n += wide) {
      lanes<float> sum[wide][3];
#pragma GCC unroll 8
      for (int j = 0; j < wide; ++j)
#pragma GCC unroll 3
        for (int r = 0; r < 3; ++r) sum[j][r] = load(&to[p][n + j][r * lane]);
      bench::multiply<float, kept, width, 1>(sum, l.gates[t][p][0], which, with + n, batch);
#pragma GCC unroll 8
      for (int j = 0; j < wide; ++j)
#pragma GCC unroll 3
        for (int r = 0; r < 3; ++r) store(&to[p][n + j][r * lane], sum[j][r]);
    }
}

float compute(gru::inputs const& in, gru::gradient& g) {
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
    weights(second, t, first.h[t + 1][0], of_x, second.d_input);
    if (t > 0)
      weights(second, t, second.h[t][0], of_h, second.d_recurrent),
          operand<3 * lane, true>(second, second.recurrent_back, t, second.dh);
    operand<2 * lane, true>(second, second.input_back, t, first.dh);
    cells_back<false>(first, t);
    weights(first, t, in.x.data() + t * batch * width, of_x, first.d_input);
    if (t > 0)
      weights(first, t, first.h[t][0], of_h, first.d_recurrent),
          operand<3 * lane, true>(first, first.recurrent_back, t, first.dh);
  }
  unpack(g[0], first), unpack(g[1], second);
  return bench::add_up<float>(value);
}

bench::rival<gru> const here("hand", [](gru::inputs const& in, gru::gradient& g) { return compute(in, g); });

}  // namespace
