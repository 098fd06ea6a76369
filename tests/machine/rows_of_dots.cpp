// Products whose registers run along the terms, and what is made of their entries: an element-wise function, its
// derivative, sums of each row and of all. The truth is plain loops in long double.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace etch;

namespace {

constexpr auto loss = [](auto a, auto b, auto shift, auto y) {
  auto const e = tanh(transpose(a) * b + shift);
  return sum(cwise_product(e, y)) + sum(square(etch::sum<1>(e)));
};

template <class T>
T entry(int i) {
  return static_cast<T>((i * 37 % 101 - 50) / 100.0);
}

/// e[M, N] of a [K, M] and b [K, N].
template <class T, int K, int M, int N>
void check() {
  CAPTURE(K);
  CAPTURE(M);
  CAPTURE(N);
  static tensor<T, K, M> a;
  static tensor<T, K, N> b;
  static tensor<T, M> shift;
  static tensor<T, M, N> y;
  int next = 0;
  auto const fill = [&](auto& x) {
    for (T& each : x) each = entry<T>(next++);
  };
  fill(a), fill(b), fill(shift), fill(y);
  static auto step = compile<wrt<0, 1, 2>>(loss, a, b, shift, y);

  using real = long double;
  auto const at = [](int i, int j) { return static_cast<std::size_t>(i + j * M); };
  std::vector<real> e(M * N), of_row(M), g(M * N);
  real value = 0;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < M; ++i) {
      real z = shift(i);
      for (int k = 0; k < K; ++k) z += real(a(k, i)) * real(b(k, j));
      e[at(i, j)] = std::tanh(z);
      of_row[static_cast<std::size_t>(i)] += e[at(i, j)];
      value += e[at(i, j)] * real(y(i, j));
    }
  for (real each : of_row) value += each * each;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < M; ++i)
      g[at(i, j)] = (1 - e[at(i, j)] * e[at(i, j)]) * (real(y(i, j)) + 2 * of_row[static_cast<std::size_t>(i)]);

  double const bound = sizeof(T) == 4 ? 1e-4 : 1e-12;
  double worst = 0;
  auto const compare = [&](real truth, T made) {
    worst = std::max(worst, static_cast<double>(std::abs(truth - real(made)) / (1 + std::abs(truth))));
  };
  compare(value, step(a, b, shift, y));
  for (int k = 0; k < K; ++k) {
    for (int i = 0; i < M; ++i) {
      real sum = 0;
      for (int j = 0; j < N; ++j) sum += g[at(i, j)] * real(b(k, j));
      compare(sum, step.template grad<0>()(k, i));
    }
    for (int j = 0; j < N; ++j) {
      real sum = 0;
      for (int i = 0; i < M; ++i) sum += g[at(i, j)] * real(a(k, i));
      compare(sum, step.template grad<1>()(k, j));
    }
  }
  for (int i = 0; i < M; ++i) {
    real sum = 0;
    for (int j = 0; j < N; ++j) sum += g[at(i, j)];
    compare(sum, step.template grad<2>()(i));
  }
  CHECK(worst < bound);
}

}  // namespace

TEST_CASE("one column of dots, in whole registers and others") {
  check<double, 64, 100, 1>();
  check<double, 33, 9, 1>();
  check<float, 64, 131, 1>();
  check<float, 100, 17, 1>();
  check<double, 3, 45, 1>();  // fewer terms than lanes
}

TEST_CASE("several columns, and fewer rows than a register has lanes") {
  check<double, 32, 35, 5>();
  check<double, 128, 3, 6>();
  check<float, 50, 65, 2>();
  check<float, 65, 1, 9>();
}
