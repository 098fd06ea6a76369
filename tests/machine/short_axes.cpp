// Arrays whose first axis is shorter than a register: functions of their entries, sums along both axes, products with
// few rows. The truth is Eigen in long double.
#include <etch/etch.hpp>

#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>

#include <cmath>

using namespace etch;
using values::filled_with;

namespace {

using real = long double;
template <int Rows, int Columns>
using array_of = Eigen::Array<real, Rows, Columns>;

template <int Rows, int Columns = 1>
array_of<Rows, Columns> in_reals(auto const& x) {
  array_of<Rows, Columns> y;
  for (std::size_t i = 0; i < x.size(); ++i) y.data()[i] = static_cast<real>(x[i]);
  return y;
}
template <class T>
constexpr real bound = sizeof(T) == 4 ? 1e-5L : 1e-13L;
/// Checks that `made` is `truth`, but for rounding of about so many terms.
template <class X, class Truth>
void check_entries(X const& made, Truth const& truth, int terms) {
  using T = typename X::value_type;
  REQUIRE(static_cast<std::size_t>(truth.size()) == made.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    real const each = truth.data()[i];
    CHECK(std::abs(real(made[i]) - each) <= bound<T> * static_cast<real>(terms) * (1 + std::abs(each)));
  }
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
  auto const x = filled_with<tensor<T, A, N>>(1);
  auto const w = filled_with<tensor<T, A>>(2);
  auto const v = filled_with<tensor<T, N>>(3);
  static auto step = compile<wrt<0, 1, 2>>(weighted_softmax, x, w, v);
  tensor<T, 1> const value{step(x, w, v)};
  array_of<A, N> p = in_reals<A, N>(x).exp();
  array_of<A, 1> const weight = in_reals<A>(w);
  array_of<1, N> const of_column = in_reals<1, N>(v), total = p.colwise().sum();
  p.rowwise() /= total;
  array_of<1, N> const mean = (p.colwise() * weight).colwise().sum();
  check_entries(value, array_of<1, 1>((mean * of_column).sum()), N);
  check_entries(step.template grad<1>(), array_of<A, 1>((p.rowwise() * of_column).rowwise().sum()), N);
  check_entries(step.template grad<2>(), mean, A);
  array_of<A, N> above = weight.template replicate<1, N>();
  above.rowwise() -= mean;
  array_of<A, N> of_x = p * above;
  of_x.rowwise() *= of_column;
  check_entries(step.template grad<0>(), of_x, A);
}

/// tanh(m x + b) of points in columns, or of m's transpose.
template <class T, int A, int K, int N, bool Transposed = false>
void check_layer() {
  CAPTURE(A);
  CAPTURE(K);
  CAPTURE(N);
  constexpr int rows = Transposed ? K : A, columns = Transposed ? A : K;
  auto const m = filled_with<tensor<T, rows, columns>>(1);
  auto const x = filled_with<tensor<T, K, N>>(2);
  auto const b = filled_with<tensor<T, A>>(3);
  auto const y = filled_with<tensor<T, A, N>>(4);
  static auto step = compile<wrt<0, 1, 2>>(layer<Transposed>, m, x, b, y);
  tensor<T, 1> const value{step(m, x, b, y)};
  array_of<rows, columns> const stored = in_reals<rows, columns>(m);
  array_of<A, K> matrix;
  if constexpr (Transposed) matrix = stored.transpose();
  else matrix = stored;
  array_of<K, N> const points = in_reals<K, N>(x);
  array_of<A, N> z = matrix.matrix() * points.matrix();
  z.colwise() += in_reals<A>(b);
  array_of<A, N> const made = z.tanh(), weight = in_reals<A, N>(y), g = (1 - made.square()) * weight;
  check_entries(value, array_of<1, 1>((made * weight).sum()), A * N);
  array_of<A, K> const of_matrix = g.matrix() * points.matrix().transpose();
  if constexpr (Transposed) check_entries(step.template grad<0>(), array_of<K, A>(of_matrix.transpose()), N);
  else check_entries(step.template grad<0>(), of_matrix, N);
  check_entries(step.template grad<1>(), array_of<K, N>(matrix.matrix().transpose() * g.matrix()), K);
  check_entries(step.template grad<2>(), array_of<A, 1>(g.rowwise().sum()), N);
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
