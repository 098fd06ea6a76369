// By hand: strips of columns go from x to dz through registers and the first cache, everything between
// the products fused into their tiles.
#include "problem.hpp"

#include "../hand_product.hpp"
#include "../vector_math.hpp"

namespace {

using bench::lanes;
constexpr int in = mlp::in, hidden = mlp::hidden, out = mlp::out, batch = mlp::batch;
constexpr int lane = bench::width<float>, down = hidden / lane, padded = (out + lane - 1) / lane * lane,
              right = bench::shape_of_tile<float>(hidden).right;
constexpr std::size_t high = padded / lane;

struct {
  alignas(64) float w2[padded * hidden], w2_transposed[hidden * out], b2[padded];
  alignas(64) float h[hidden * batch], dz[hidden * batch], d_out[padded * batch];
} kept;

/// Apart from the tiles, which need all registers.
[[gnu::noinline]] void hyperbolic_tangents(float* h, std::size_t count) {
  for (std::size_t j = 0; j < count; j += lane) bench::store(h + j, bench::tanh(bench::load(h + j)));
}

/// Columns n to n + N of everything but the weights' gradients.
template <std::size_t N>
[[gnu::always_inline]] inline void strip(mlp::inputs const& i, int n, lanes<float>& value, lanes<float> (&db1)[down],
                                         lanes<float> (&db2)[high]) {
  auto const rows = bench::stacked<float, down>();
  auto const out_rows = bench::stacked<float, high>();
  float* const h = kept.h + n * hidden;
  float* const d_out = kept.d_out + n * padded;
  {
    lanes<float> z[N][down];
#pragma GCC unroll 32
    for (std::size_t j = 0; j < N; ++j)
      for (std::size_t r = 0; r < down; ++r) z[j][r] = bench::load(i.model.b1.data() + r * lane);
    bench::multiply<float, hidden, 1, in>(z, i.model.w1.data(), rows, i.x.data() + n * in, in);
#pragma GCC unroll 32
    for (std::size_t j = 0; j < N; ++j)
      for (std::size_t r = 0; r < down; ++r) bench::store(h + j * hidden + r * lane, z[j][r]);
  }
  hyperbolic_tangents(h, N * hidden);
  {
    lanes<float> o[N][high];
#pragma GCC unroll 32
    for (std::size_t j = 0; j < N; ++j)
      for (std::size_t r = 0; r < high; ++r) o[j][r] = bench::load(kept.b2 + r * lane);
    bench::multiply<float, padded, 1, hidden>(o, kept.w2, out_rows, h, hidden);
#pragma GCC unroll 32
    for (std::size_t j = 0; j < N; ++j)
      for (std::size_t r = 0; r < high; ++r) {
        value += o[j][r] * o[j][r];
        o[j][r] += o[j][r];
        db2[r] += o[j][r];
        bench::store(d_out + j * padded + r * lane, o[j][r]);
      }
  }
  lanes<float> dh[N][down] = {};
  bench::multiply<float, hidden, 1, padded>(dh, kept.w2_transposed, rows, d_out, out);
#pragma GCC unroll 32
  for (std::size_t j = 0; j < N; ++j)
    for (std::size_t r = 0; r < down; ++r) {
      lanes<float> const y = bench::load(h + j * hidden + r * lane), d = dh[j][r] * (1 - y * y);
      db1[r] += d;
      bench::store(kept.dz + n * hidden + j * hidden + r * lane, d);
    }
}

float compute(mlp::inputs const& i, mlp::gradient& g) {
  for (int k = 0; k < hidden; ++k)
    for (int o = 0; o < out; ++o) kept.w2[o + k * padded] = kept.w2_transposed[k + o * hidden] = i.model.w2(o, k);
  for (int o = 0; o < out; ++o) kept.b2[o] = i.model.b2[static_cast<std::size_t>(o)];
  lanes<float> value{}, db1[down] = {}, db2[high] = {};
  int n = 0;
  for (; n + right <= batch; n += right) strip<right>(i, n, value, db1, db2);
  if constexpr (batch % right != 0) strip<batch % right>(i, n, value, db1, db2);
  for (int r = 0; r < down; ++r) bench::store(g.b1.data() + r * lane, db1[r]);
  for (int o = 0; o < out; ++o) g.b2[static_cast<std::size_t>(o)] = db2[o / lane][o % lane];
  bench::hand_product<float, hidden, in, batch, bench::lies<1, hidden>, bench::lies<in, 1>, hidden>::run(
      kept.dz, i.x.data(), g.w1.data());
  bench::hand_product<float, out, hidden, batch, bench::lies<1, padded>, bench::lies<hidden, 1>, out>::run(
      kept.d_out, kept.h, g.w2.data());
  return bench::add_up<float>(value);
}

bench::rival<mlp> const here("hand", [](mlp::inputs const& i, mlp::gradient& g) { return compute(i, g); });

}  // namespace
