// More programs of odd structure: arguments of every kind, and mixed types.
#include <etch/compile/executable.hpp>

#include "laws/agree.hpp"

using namespace etch;
using laws::check_agreement;
using laws::randomise;

namespace {

template <class A>
A random(std::uint64_t seed) {
  A a;
  randomise(a, 0.5, 1.5, seed);
  return a;
}

template <class T>
struct pair_of {
  param<T, 3> weight;
  T scale;
  ETCH_MEMBERS(pair_of, weight, scale)
};

}  // namespace

TEST_CASE("float, double and whole numbers in one loss") {
  auto const x = random<tensor<float, 13>>(1);
  auto const y = random<tensor<double, 13>>(2);
  tensor<int, 13> n;
  for (std::size_t i = 0; i < 13; ++i) n[i] = static_cast<int>(i % 3);
  tensor<std::uint8_t, 13> const small{1, 2, 255};
  check_agreement<wrt<0, 1>>(
      1e-5,
      [](auto a, auto b, auto k) {
        return sum(cwise_product(cast<double>(exp(a)), b)) + cast<double>(sum(cast<float>(b) + a * 2 + k));
      },
      x, y, n);
  check_agreement<wrt<1, 0>>(
      1e-5,
      [](auto a, auto b, auto k) { return sum(cwise_product(less_than(cast<float>(k), 2), a)) + sum(b) / 3 * sum(a); },
      x, 2.0, small);
}

TEST_CASE("arrays, tuples, structs and Eigen matrices as arguments") {
  std::array<tensor<float, 3>, 2> const pair{random<tensor<float, 3>>(1), random<tensor<float, 3>>(2)};
  std::tuple<float, std::array<double, 2>, pair_of<float>> mixed;
  randomise(mixed, 0.5, 1, 3);
  Eigen::Matrix<float, 3, 4, Eigen::RowMajor> rows;
  Eigen::Array<float, 3, 4> array;
  for (int i = 0; i < 12; ++i)
    rows(i % 3, i / 3) = static_cast<float>(i) * 0.1f, array(i % 3, i / 3) = static_cast<float>(i) - 5;
  check_agreement<wrt<0, 1>>(
      1e-4,
      [](auto p, auto m) {
        auto const& [scalar, two, inner] = m;
        return sum(cwise_product(p[0], p[1])) * scalar + cast<float>(two[1] - two[0]) * inner.scale +
               sum(cwise_product(inner.weight, p[1]));
      },
      pair, mixed);
  check_agreement<wrt<0, 1>>(1e-4, [](auto m, auto a) { return sum(a * a * m) + sum(square(m)); }, rows, array);
  check_agreement<wrt<0>>(1e-4, [](auto m, auto a) { return sum(square(m * transpose(a.matrix()))); }, rows, array);
}

TEST_CASE("one argument asked for twice has both its gradients") {
  auto const x = random<tensor<double, 4>>(1);
  auto const [value, gradients] = value_and_grad<wrt<0, 0>>([](auto v) { return sum(square(v)); })(x);
  static_cast<void>(value);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::get<0>(gradients)[i] == 2 * x[i]);
    CHECK(std::get<1>(gradients)[i] == 2 * x[i]);
  }
}
