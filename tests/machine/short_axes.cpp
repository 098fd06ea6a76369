// Arrays whose first axis is shorter than a register: functions of their entries, sums along both axes, products with
// few rows. The truth is plain loops in long double.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace etch;

namespace {

using real = long double;

template <class T>
T entry(int i) {
  return static_cast<T>((i * 37 % 101 - 50) / 50.0);
}
void fill(int seed, auto&... x) {
  (
      [&](auto& each) {
        for (auto& e : each) e = entry<std::remove_reference_t<decltype(e)>>(seed++);
      }(x),
      ...);
}
template <class T>
constexpr real bound = sizeof(T) == 4 ? 1e-5L : 1e-13L;
/// Whether `made` is `truth`, but for rounding of about so many terms.
template <class T>
bool is_near(T made, real truth, int terms = 1) {
  return std::abs(real(made) - truth) <= bound<T> * static_cast<real>(terms) * (1 + std::abs(truth));
}

constexpr auto weighted_softmax = [](auto x, auto w, auto v) {
  return sum(cwise_product(cwise_product(etch::softmax<0>(x), w), transpose(v)));
};
template <bool Transposed>
constexpr auto layer = [](auto m, auto x, auto b, auto y) {
  if constexpr (Transposed) return sum(cwise_product(tanh(transpose(m) * x + b), y));
  else return sum(cwise_product(tanh(m * x + b), y));
};

/// Columns of a softmax along the first axis, each entry with a weight of its row and one of its column.
template <class T, int A, int N>
void check_softmax() {
  CAPTURE(A);
  CAPTURE(N);
  static tensor<T, A, N> x;
  static tensor<T, A> w;
  static tensor<T, N> v;
  fill(A + N, x, w, v);
  static auto step = compile<wrt<0, 1, 2>>(weighted_softmax, x, w, v);
  real value = 0;
  std::vector<real> of_w(A), of_v(N);
  std::vector<std::vector<real>> of_x(N, std::vector<real>(A));
  for (int j = 0; j < N; ++j) {
    real total = 0, mean = 0;
    std::vector<real> p(A);
    for (int i = 0; i < A; ++i) total += p[static_cast<std::size_t>(i)] = std::exp(real(x(i, j)));
    for (int i = 0; i < A; ++i) mean += (p[static_cast<std::size_t>(i)] /= total) * real(w(i));
    value += mean * real(v(j));
    of_v[static_cast<std::size_t>(j)] = mean;
    for (int i = 0; i < A; ++i) {
      of_w[static_cast<std::size_t>(i)] += p[static_cast<std::size_t>(i)] * real(v(j));
      of_x[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] =
          p[static_cast<std::size_t>(i)] * (real(w(i)) - mean) * real(v(j));
    }
  }
  CHECK(is_near(step(x, w, v), value, N));
  for (int i = 0; i < A; ++i) CHECK(is_near(step.template grad<1>()(i), of_w[static_cast<std::size_t>(i)], N));
  for (int j = 0; j < N; ++j) {
    CHECK(is_near(step.template grad<2>()(j), of_v[static_cast<std::size_t>(j)], A));
    for (int i = 0; i < A; ++i)
      CHECK(is_near(step.template grad<0>()(i, j), of_x[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)], A));
  }
}

/// tanh(m x + b) of points in columns, or of m's transpose.
template <class T, int A, int K, int N, bool Transposed = false>
void check_layer() {
  CAPTURE(A);
  CAPTURE(K);
  CAPTURE(N);
  static std::conditional_t<Transposed, tensor<T, K, A>, tensor<T, A, K>> m;
  static tensor<T, K, N> x;
  static tensor<T, A> b;
  static tensor<T, A, N> y;
  fill(A + K + N, m, x, b, y);
  static auto step = compile<wrt<0, 1, 2>>(layer<Transposed>, m, x, b, y);
  auto const of_m = [](auto const& matrix, int i, int k) { return Transposed ? matrix(k, i) : matrix(i, k); };
  real value = 0;
  std::vector<std::vector<real>> g(N, std::vector<real>(A));
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < A; ++i) {
      real z = b(i);
      for (int k = 0; k < K; ++k) z += real(of_m(m, i, k)) * real(x(k, j));
      value += std::tanh(z) * real(y(i, j));
      g[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = (1 - std::tanh(z) * std::tanh(z)) * real(y(i, j));
    }
  CHECK(is_near(step(m, x, b, y), value, A * N));
  for (int i = 0; i < A; ++i) {
    real sum = 0;
    for (int j = 0; j < N; ++j) sum += g[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
    CHECK(is_near(step.template grad<2>()(i), sum, N));
    for (int k = 0; k < K; ++k) {
      real dot = 0;
      for (int j = 0; j < N; ++j) dot += g[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] * real(x(k, j));
      CHECK(is_near(T(of_m(step.template grad<0>(), i, k)), dot, N));
    }
  }
  for (int j = 0; j < N; ++j)
    for (int k = 0; k < K; ++k) {
      real dot = 0;
      for (int i = 0; i < A; ++i)
        dot += g[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] * real(of_m(m, i, k));
      CHECK(is_near(step.template grad<1>()(k, j), dot, K));
    }
}

}  // namespace

TEST_CASE("functions and sums along a short axis") {
  check_softmax<double, 1, 5>();
  check_softmax<double, 2, 7>();
  check_softmax<double, 3, 1>();
  check_softmax<double, 3, 40>();
  check_softmax<float, 2, 1>();
  check_softmax<float, 2, 33>();
  check_softmax<float, 3, 17>();
}

TEST_CASE("products with two and three rows") {
  check_layer<double, 2, 2, 1>();
  check_layer<double, 2, 5, 9>();
  check_layer<double, 3, 3, 40>();
  check_layer<double, 3, 70, 11>();
  check_layer<float, 2, 3, 20>();
  check_layer<float, 3, 3, 1>();
  check_layer<float, 3, 4, 37>();
  check_layer<double, 3, 3, 12, true>();
  check_layer<float, 2, 9, 5, true>();
}
