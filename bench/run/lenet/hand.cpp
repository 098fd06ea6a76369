// The same gradient by hand. Images go through in strips of 32, so that everything between two layers stays in the
// second-level cache; registers hold 16 images; convolutions are computed in registers, with bias, relu and pooling,
// and of the pooled values the place in the window is kept.
#include "problem.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace {

constexpr int side = lenet::side, side1 = lenet::side1, side2 = lenet::side2, taps = lenet::taps, batch = lenet::batch;
constexpr int channels1 = lenet::channels1, channels2 = lenet::channels2, flat = lenet::flat;
constexpr int hidden1 = lenet::hidden1, hidden2 = lenet::hidden2, out = lenet::out;
constexpr int lanes = 16, strip = 32, taps2 = taps * taps;
typedef float vec __attribute__((vector_size(64)));
typedef int ints __attribute__((vector_size(64)));
typedef float unaligned __attribute__((vector_size(64), aligned(4)));

inline vec load(float const* from) { return *reinterpret_cast<unaligned const*>(from); }
inline void store(float* to, vec v) { *reinterpret_cast<unaligned*>(to) = v; }
inline vec splat(float x) { return vec{} + x; }

template <int N>
[[gnu::always_inline]] inline void unrolled(auto&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, N>{});
}
template <int N, int Width>
inline void in_loop_tiles(auto f) {
  int i = 0;
  for (; i + Width <= N; i += Width) f(std::integral_constant<int, Width>{}, i);
  if constexpr (N % Width != 0) f(std::integral_constant<int, N % Width>{}, i);
}

/// 16 rows of 16 entries, transposed.
void transpose(float const* from, int from_step, float* to, int to_step) {
  vec row[lanes];
  for (int i = 0; i < lanes; ++i) row[i] = load(from + i * from_step);
  unrolled<4>([&](auto stage) __attribute__((always_inline)) {
    constexpr int half = 1 << stage;
    unrolled<lanes>([&](auto i) __attribute__((always_inline)) {
      if constexpr ((i & half) == 0)
        [&]<int... L>(std::integer_sequence<int, L...>) __attribute__((always_inline)) {
          vec const a = row[i], b = row[i + half];
          row[i] = __builtin_shufflevector(a, b, ((L & half) == 0 ? L : L - half + lanes)...);
          row[i + half] = __builtin_shufflevector(a, b, ((L & half) == 0 ? L + half : L + lanes)...);
        }(std::make_integer_sequence<int, lanes>{});
    });
  });
  for (int i = 0; i < lanes; ++i) store(to + i * to_step, row[i]);
}

// ---- convolutions on one strip; images lie as [channels][height][width][strip] ----

/// Convolution, bias, pooling and relu. `place` is the entry of the window that was the largest, or -1 where relu is 0.
template <int Side, int In, int Out>
void conv_relu_pool(float const* x, float const* w, float const* bias, float* pooled, int* place) {
  constexpr int half = (Side - taps + 1) / 2;
  for (int n = 0; n < strip; n += lanes)
    in_loop_tiles<Out, 6>([&](auto channels, int o) {
      for (int q = 0; q < half; ++q)
        for (int p = 0; p < half; ++p) {
          vec sum[4][channels.value] = {};
          for (int c = 0; c < In; ++c)
            for (int j = 0; j < taps; ++j)
              for (int i = 0; i < taps; ++i) {
                float const* const at = x + ((c * Side + 2 * q + j) * Side + 2 * p + i) * strip + n;
                vec const entry[] = {load(at), load(at + strip), load(at + Side * strip),
                                     load(at + (Side + 1) * strip)};
                float const* const of_w = w + (o * In + c) * taps2 + j * taps + i;
                unrolled<channels>([&](auto k) __attribute__((always_inline)) {
                  vec const tap = splat(of_w[k * In * taps2]);
                  unrolled<4>([&](auto d) __attribute__((always_inline)) { sum[d][k] += entry[d] * tap; });
                });
              }
          unrolled<channels>([&](auto k) __attribute__((always_inline)) {
            vec best = sum[0][k];
            ints where{};
            unrolled<3>([&](auto d) __attribute__((always_inline)) {
              ints const better = sum[d + 1][k] > best;
              best = better ? sum[d + 1][k] : best;
              where = better ? ints{} + (d + 1) : where;
            });
            best += bias[o + k];
            ints const positive = best > vec{};
            std::size_t const to =
                static_cast<std::size_t>(((o + k) * half + q) * half + p) * strip + static_cast<std::size_t>(n);
            store(pooled + to, positive ? best : vec{});
            *reinterpret_cast<ints*>(place + to) = positive ? where : ints{} - 1;
          });
        }
    });
}

/// The way back through pooling and relu; `sums` collects the bias gradients.
template <int Half, int Channels>
void unpool(float const* g, int const* place, float* dy, vec* sums) {
  for (int c = 0; c < Channels; ++c) {
    vec sum{};
    for (int q = 0; q < Half; ++q)
      for (int p = 0; p < Half; ++p)
        for (int n = 0; n < strip; n += lanes) {
          int const at = ((c * Half + q) * Half + p) * strip + n;
          vec const each = load(g + at);
          ints const where = *reinterpret_cast<ints const*>(place + at);
          sum += where >= 0 ? each : vec{};
          for (int d = 0; d < 4; ++d)
            store(dy + ((c * 2 * Half + 2 * q + d / 2) * 2 * Half + 2 * p + d % 2) * strip + n,
                  where == d ? each : vec{});
        }
    sums[c] += sum;
  }
}

/// dw += x dy, one register for each entry: 5 taps by `Columns` channels at a time, over `Rows` rows
/// of the result, which stay in L1.
template <int Side, int In, int Out, int Columns, int Rows>
void kernel_gradient(float const* x, float const* dy, vec* dw) {
  constexpr int size = Side - taps + 1;
  in_loop_tiles<Out, Columns>([&](auto columns, int o) {
    for (int n = 0; n < strip; n += lanes)
      for (int first = 0; first < size; first += Rows)
        for (int c = 0; c < In; ++c)
          for (int j = 0; j < taps; ++j) {
            vec* const into = dw + (o * In + c) * taps2 + j * taps;
            vec sum[taps][columns.value];
            unrolled<taps>([&](auto i) __attribute__((always_inline)) {
              unrolled<columns>([&](auto k) __attribute__((always_inline)) { sum[i][k] = into[k * In * taps2 + i]; });
            });
            for (int q = first; q < std::min(first + Rows, size); ++q) {
              float const* a = x + (c * Side + q + j) * Side * strip + n;
              float const* b = dy + (o * size + q) * size * strip + n;
              for (int p = 0; p < size; ++p, a += strip, b += strip) {
                vec g[columns.value];
                unrolled<columns>([&](auto k)
                                      __attribute__((always_inline)) { g[k] = load(b + k * size * size * strip); });
                unrolled<taps>([&](auto i) __attribute__((always_inline)) {
                  vec const entry = load(a + i * strip);
                  unrolled<columns>([&](auto k) __attribute__((always_inline)) { sum[i][k] += entry * g[k]; });
                });
              }
            }
            unrolled<taps>([&](auto i) __attribute__((always_inline)) {
              unrolled<columns>([&](auto k) __attribute__((always_inline)) { into[k * In * taps2 + i] = sum[i][k]; });
            });
          }
  });
}

/// dx = dy w, all images of the strip by `In` channels at a time.
template <int Side, int In, int Out>
void image_gradient(float const* dy, float const* w, float* dx) {
  constexpr int size = Side - taps + 1, packets = strip / lanes;
  for (int v = 0; v < Side; ++v)
    for (int u = 0; u < Side; ++u) {
      vec sum[packets][In] = {};
      for (int j = std::max(0, v - size + 1); j <= std::min(taps - 1, v); ++j)
        for (int i = std::max(0, u - size + 1); i <= std::min(taps - 1, u); ++i)
          for (int o = 0; o < Out; ++o) {
            float const* const at = dy + ((o * size + v - j) * size + u - i) * strip;
            vec const g[] = {load(at), load(at + lanes)};
            unrolled<In>([&](auto c) __attribute__((always_inline)) {
              vec const tap = splat(w[(o * In + c) * taps2 + j * taps + i]);
              unrolled<packets>([&](auto n) __attribute__((always_inline)) { sum[n][c] += g[n] * tap; });
            });
          }
      unrolled<In>([&](auto c) __attribute__((always_inline)) {
        unrolled<packets>([&](auto n) __attribute__((always_inline)) {
          store(dx + ((c * Side + v) * Side + u) * strip + n * lanes, sum[n][c]);
        });
      });
    }
}

// ---- dense layers on the whole batch; M is a multiple of 16 ----

/// c[i, j] = finish(sum over k of a[i, k] b[k, j], i, j), columns of a and c contiguous.
template <int M, int N, int K>
void product(float const* a, int a_step, float const* b, int b_down, int b_right, float* c, int c_step, auto finish) {
  constexpr int packets = M / lanes;
  in_loop_tiles<packets, packets % 4 == 0   ? 4
                         : packets % 3 == 0 ? 3
                                            : 2>([&](auto rows, int p) {
    in_loop_tiles<N, rows == 4   ? 6
                     : rows == 3 ? 9
                                 : 12>([&](auto columns, int j) {
      vec sum[columns.value][rows.value] = {};
      for (int k = 0; k < K; ++k) {
        vec entry[rows.value];
        unrolled<rows>([&](auto r)
                           __attribute__((always_inline)) { entry[r] = load(a + k * a_step + (p + r) * lanes); });
        unrolled<columns>([&](auto q) __attribute__((always_inline)) {
          vec const factor = splat(b[k * b_down + (j + q) * b_right]);
          unrolled<rows>([&](auto r) __attribute__((always_inline)) { sum[q][r] += entry[r] * factor; });
        });
      }
      unrolled<columns>([&](auto q) __attribute__((always_inline)) {
        unrolled<rows>([&](auto r) __attribute__((always_inline)) {
          int const i = (p + r) * lanes;
          store(c + (j + q) * c_step + i, finish(sum[q][r], i, j + q));
        });
      });
    });
  });
}

constexpr int padded(int n) { return (n + lanes - 1) / lanes * lanes; }
template <int N>
void add_up(vec const* from, float* to) {
  for (int i = 0; i < N; ++i) {
    float total = 0;
    for (int l = 0; l < lanes; ++l) total += from[i][l];
    to[i] = total;
  }
}

template <int Rows, int Columns>
struct matrix {
  static constexpr int rows = padded(Rows);
  alignas(64) float entry[Columns][rows];  // rows beyond `Rows` stay 0
  void take(float const* from) {
    for (int j = 0; j < Columns; ++j) std::copy(from + j * Rows, from + (j + 1) * Rows, entry[j]);
  }
  void give(float* to) const {
    for (int j = 0; j < Columns; ++j) std::copy(entry[j], entry[j] + Rows, to + j * Rows);
  }
  void add_up_rows(float* to) const {
    for (int i = 0; i < Rows; ++i) to[i] = 0;
    for (int j = 0; j < Columns; ++j)
      for (int i = 0; i < Rows; ++i) to[i] += entry[j][i];
  }
  float const* data() const { return entry[0]; }
  float* data() { return entry[0]; }
};

struct buffers {
  alignas(64) float x[batch / strip][side * side * strip];
  alignas(64) float a1[batch / strip][channels1 * side1 * side1 * strip];
  alignas(64) int place1[batch / strip][channels1 * side1 * side1 * strip], place2[batch / strip][flat * strip];
  alignas(64) float a2[flat * strip], g2[flat * strip], dy2[channels2 * 4 * side2 * side2 * strip],
      g1[channels1 * side1 * side1 * strip], dy1[channels1 * 4 * side1 * side1 * strip];
  vec dk1[channels1 * taps2], dk2[channels2 * channels1 * taps2], dc1[channels1], dc2[channels2];
  alignas(64) float z[flat][batch], dz[flat][batch];
  matrix<hidden1, flat> w1, dw1;
  matrix<hidden2, hidden1> w2, dw2;
  matrix<out, hidden2> w3, dw3;
  matrix<hidden1, batch> h1, d1;
  matrix<hidden2, batch> h2, d2;
  matrix<out, batch> y;
  alignas(64) float turned[padded(hidden1)][batch], turned_w[hidden2][padded(hidden1)];
  alignas(64) float b1[padded(hidden1)], b2[padded(hidden2)], b3[lanes];
};

buffers s;

float run(lenet::inputs const& d, lenet::gradient& g) {
  lenet::parameters const& m = d.model;
  for (int t = 0; t < batch / strip; ++t) {
    for (int n = 0; n < strip; n += lanes)
      for (int i = 0; i < side * side; i += lanes)
        transpose(d.x.data() + (t * strip + n) * side * side + i, side * side, s.x[t] + i * strip + n, strip);
    conv_relu_pool<side, 1, channels1>(s.x[t], m.k1.data(), m.c1.data(), s.a1[t], s.place1[t]);
    conv_relu_pool<side1, channels1, channels2>(s.a1[t], m.k2.data(), m.c2.data(), s.a2, s.place2[t]);
    for (int k = 0; k < flat; ++k) std::copy(s.a2 + k * strip, s.a2 + (k + 1) * strip, s.z[k] + t * strip);
  }

  s.w1.take(m.w1.data()), s.w2.take(m.w2.data()), s.w3.take(m.w3.data());
  std::copy(m.b1.begin(), m.b1.end(), s.b1), std::copy(m.b2.begin(), m.b2.end(), s.b2),
      std::copy(m.b3.begin(), m.b3.end(), s.b3);
  auto const relu_of = [](float const* bias) {
    return [bias](vec sum, int i, int) {
      vec const y = sum + load(bias + i);
      return y > vec{} ? y : vec{};
    };
  };
  product<padded(hidden1), batch, flat>(s.w1.data(), s.w1.rows, s.z[0], batch, 1, s.h1.data(), s.h1.rows,
                                        relu_of(s.b1));
  product<padded(hidden2), batch, hidden1>(s.w2.data(), s.w2.rows, s.h1.data(), 1, s.h1.rows, s.h2.data(), s.h2.rows,
                                           relu_of(s.b2));
  product<padded(out), batch, hidden2>(s.w3.data(), s.w3.rows, s.h2.data(), 1, s.h2.rows, s.y.data(), s.y.rows,
                                       [](vec sum, int i, int) { return sum + load(s.b3 + i); });
  vec squares{};
  for (auto& column : s.y.entry) {
    vec const y = load(column);
    squares += y * y;
    store(column, 2 * y);
  }
  float value = 0;
  for (int l = 0; l < lanes; ++l) value += squares[l];

  auto const plain = [](vec sum, int, int) { return sum; };
  auto const behind = [](auto const& h) {
    return [&h](vec sum, int i, int j) { return load(h.entry[j] + i) > vec{} ? sum : vec{}; };
  };
  product<padded(out), hidden2, batch>(s.y.data(), s.y.rows, s.h2.data(), s.h2.rows, 1, s.dw3.data(), s.dw3.rows,
                                       plain);
  s.dw3.give(g.w3.data()), s.y.add_up_rows(g.b3.data());
  for (int i = 0; i < hidden2; ++i)
    for (int k = 0; k < out; ++k) s.turned_w[k][i] = s.w3.entry[i][k];
  product<padded(hidden2), batch, out>(s.turned_w[0], padded(hidden1), s.y.data(), 1, s.y.rows, s.d2.data(), s.d2.rows,
                                       behind(s.h2));
  product<padded(hidden2), hidden1, batch>(s.d2.data(), s.d2.rows, s.h1.data(), s.h1.rows, 1, s.dw2.data(), s.dw2.rows,
                                           plain);
  s.dw2.give(g.w2.data()), s.d2.add_up_rows(g.b2.data());
  for (int i = 0; i < padded(hidden1); i += lanes)  // rows of w2 and of d1 beyond the last are 0
    for (int k = 0; k < hidden2; ++k)
      for (int l = i; l < std::min(i + lanes, hidden1); ++l) s.turned_w[k][l] = s.w2.entry[l][k];
  product<padded(hidden1), batch, hidden2>(s.turned_w[0], padded(hidden1), s.d2.data(), 1, s.d2.rows, s.d1.data(),
                                           s.d1.rows, behind(s.h1));
  product<padded(hidden1), flat, batch>(s.d1.data(), s.d1.rows, s.z[0], 1, batch, s.dw1.data(), s.dw1.rows, plain);
  s.dw1.give(g.w1.data()), s.d1.add_up_rows(g.b1.data());
  for (int i = 0; i < padded(hidden1); i += lanes)
    for (int n = 0; n < batch; n += lanes) transpose(s.d1.entry[n] + i, s.d1.rows, s.turned[i] + n, batch);
  product<batch, flat, hidden1>(s.turned[0], batch, s.w1.data(), 1, s.w1.rows, s.dz[0], batch, plain);

  std::fill(std::begin(s.dk1), std::end(s.dk1), vec{}), std::fill(std::begin(s.dk2), std::end(s.dk2), vec{});
  std::fill(std::begin(s.dc1), std::end(s.dc1), vec{}), std::fill(std::begin(s.dc2), std::end(s.dc2), vec{});
  for (int t = 0; t < batch / strip; ++t) {
    for (int k = 0; k < flat; ++k) std::copy(s.dz[k] + t * strip, s.dz[k] + (t + 1) * strip, s.g2 + k * strip);
    unpool<side2, channels2>(s.g2, s.place2[t], s.dy2, s.dc2);
    kernel_gradient<side1, channels1, channels2, 4, 8>(s.a1[t], s.dy2, s.dk2);
    image_gradient<side1, channels1, channels2>(s.dy2, m.k2.data(), s.g1);
    unpool<side1, channels1>(s.g1, s.place1[t], s.dy1, s.dc1);
    kernel_gradient<side, 1, channels1, 3, 3>(s.x[t], s.dy1, s.dk1);
  }
  add_up<channels1 * taps2>(s.dk1, g.k1.data()), add_up<channels2 * channels1 * taps2>(s.dk2, g.k2.data());
  add_up<channels1>(s.dc1, g.c1.data()), add_up<channels2>(s.dc2, g.c2.data());
  return value;
}

bench::rival<lenet> const here("hand", [](lenet::inputs const& i, lenet::gradient& g) { return run(i, g); });

}  // namespace
