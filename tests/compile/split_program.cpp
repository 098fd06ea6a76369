#include <etch/compile/split_program.hpp>

#include "compile/both_parts.hpp"

#include <etch/etch.hpp>

namespace {

using namespace etch;
using both_halves::distance_from_one_program;
using both_halves::fill;
using both_halves::halves_of;
using both_halves::run_of;
using both_halves::some;
using both_halves::within;

constexpr auto chain = [](auto x, auto z) { return sin(x) * z + exp(-x * x); };

TEST_CASE("a statement of scalars: value and derivatives as of the formula") {
  run_of<decltype(chain), wrt<0, 1>, double, double> call(0.7, -1.5);
  call.seeds = {2.0};
  CHECK(call.forward() == status::ok);
  CHECK(call.backward() == status::ok);
  double const e = std::exp(-0.49);
  CHECK(std::get<0>(call.results) == doctest::Approx(std::sin(0.7) * -1.5 + e).epsilon(1e-15));
  CHECK(std::get<0>(call.gradients) == doctest::Approx(2 * (std::cos(0.7) * -1.5 - 1.4 * e)).epsilon(1e-15));
  CHECK(std::get<1>(call.gradients) == doctest::Approx(2 * std::sin(0.7)).epsilon(1e-15));
  static_assert(std::is_same_v<decltype(call)::halves::result<0>, double>);
  CHECK(within(2, distance_from_one_program(wrt<0, 1>{}, chain, 0.7, -1.5)));
  CHECK(within(2, distance_from_one_program(wrt<1>{}, chain, 0.7f, -1.5f)));
}

constexpr auto transposed = [](auto a, auto b) { return std::tuple(transpose(transpose(a) * b), transpose(b)); };

TEST_CASE("products of transposes: gradients as of the formula") {
  using call_type = run_of<decltype(transposed), wrt<0, 1>, tensor<double, 3, 2>, tensor<double, 3, 4>>;
  call_type call(some<tensor<double, 3, 2>>(1), some<tensor<double, 3, 4>>(2));
  CHECK(call.forward() == status::ok);
  CHECK(call.backward() == status::ok);
  auto const& [a, b] = call.arguments;
  auto const& [seed_y, seed_b] = call.seeds;  // of y[j, i] = sum over k of a[k, i] b[k, j], and of bᵀ
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 2; ++i) {
      double g = 0;
      for (int j = 0; j < 4; ++j) g += seed_y(j, i) * b(k, j);
      CHECK(std::get<0>(call.gradients)(k, i) == doctest::Approx(g).epsilon(1e-14));
    }
    for (int j = 0; j < 4; ++j) {
      double g = seed_b(j, k);
      for (int i = 0; i < 2; ++i) g += seed_y(j, i) * a(k, i);
      CHECK(std::get<1>(call.gradients)(k, j) == doctest::Approx(g).epsilon(1e-14));
    }
  }
  CHECK(within(4, distance_from_one_program(wrt<0, 1>{}, transposed, a, b)));
}

constexpr auto odd_results = [](auto x, auto y) {
  return std::tuple(x, 2 * x, y, x, 3.0, sum(x), sum(exp(stop_gradient(y))));
};

TEST_CASE("results may be arguments, equal, constants, and such as nothing influences") {
  using vector = tensor<double, 3>;
  run_of<decltype(odd_results), wrt<0, 1>, vector, vector> call(vector{1, 2, 3}, vector{4, 5, 6});
  using halves = decltype(call)::halves;
  static_assert(halves::result_count == 7 && halves::saved_bytes == 0);
  static_assert(!halves::seed_is_read(4) && !halves::seed_is_read(6) && halves::seed_is_read(5));
  call.seeds = {vector{1, 10, 100}, vector{2, 3, 4}, vector{7, 8, 9}, vector{0.5, 0.25, 0.125}, 1, 5, 1};
  CHECK(call.forward() == status::ok);
  CHECK(call.backward() == status::ok);
  CHECK(std::get<0>(call.results) == vector{1, 2, 3});
  CHECK(std::get<1>(call.results) == vector{2, 4, 6});
  CHECK(std::get<2>(call.results) == vector{4, 5, 6});
  CHECK(std::get<3>(call.results) == vector{1, 2, 3});
  CHECK(std::get<4>(call.results) == 3);
  CHECK(std::get<5>(call.results) == 6);
  CHECK(std::get<0>(call.gradients) == vector{1 + 4 + 0.5 + 5, 10 + 6 + 0.25 + 5, 100 + 8 + 0.125 + 5});
  CHECK(std::get<1>(call.gradients) == vector{7, 8, 9});
  CHECK(within(1, distance_from_one_program(wrt<0, 1>{}, odd_results, vector{1, 2, 3}, vector{4, 5, 6})));
}

template <class T>
struct pair_of_weights {
  param<T, 3> used, unused;
  ETCH_MEMBERS(pair_of_weights, used, unused)
};
constexpr auto uses_one = [](auto weights, auto x, auto y) { return sum(square(weights.used) * exp(x)) + 0 * sum(y); };

TEST_CASE("a leaf without influence has no gradient; neither has a function without any") {
  using halves = halves_of<decltype(uses_one), wrt<0, 1, 2>, pair_of_weights<float>, float, tensor<float, 2>>;
  static_assert(halves::leaf_count == 4 && halves::gradient_of_leaf(0) == 0 && halves::gradient_of_leaf(1) == -1 &&
                halves::gradient_of_leaf(2) == 1);
  CHECK(within(4, distance_from_one_program(wrt<0, 1, 2>{}, uses_one, some<pair_of_weights<float>>(1), 0.5f,
                                            some<tensor<float, 2>>(2))));

  constexpr auto constant = [](auto) { return 7.0f; };
  run_of<decltype(constant), wrt<0>, float> call(1.0f);
  static_assert(decltype(call)::halves::gradient_count == 0 && decltype(call)::halves::backward_workspace_bytes == 0);
  CHECK(call.forward() == status::ok);
  CHECK(call.backward() == status::ok);
  CHECK(std::isnan(std::get<0>(call.gradients)));
}

constexpr auto masked = [](auto x, auto w) {
  auto const y = w * x;
  return select(y > 0, cwise_product(log(y), sqrt(y)), square(y));
};

TEST_CASE("what a branch that was not taken makes of 0 does not arrive") {
  using vector = tensor<double, 4>;
  run_of<decltype(masked), wrt<0, 1>, vector, double> call(vector{0, -1, 4, 1}, 1.0);
  call.seeds = {vector{1, 1, 1, 1}};
  CHECK(call.forward() == status::ok);
  CHECK(call.backward() == status::ok);
  auto const& g = std::get<0>(call.gradients);
  CHECK(g(0) == 0);
  CHECK(g(1) == -2);
  CHECK(g(2) == doctest::Approx(2.0 / 4 + std::log(4.0) / 4).epsilon(1e-15));  // (log y √y)' = 1/√y + log y / (2 √y)
  CHECK(g(3) == 1);
  CHECK(within(2, distance_from_one_program(wrt<0, 1>{}, masked, vector{0, -1, 4, 1}, 1.0)));
}

TEST_CASE("functions of equal content are the same two programs") {
  constexpr auto again = [](auto p, auto q) {
    auto const e = exp(-p * p);
    return sin(p) * q + e;
  };
  using one = halves_of<decltype(chain), wrt<0, 1>, double, double>;
  using other = halves_of<decltype(again), wrt<0, 1>, double, double>;
  static_assert(std::is_same_v<one::forward_program, other::forward_program> &&
                std::is_same_v<one::backward_program, other::backward_program>);
}

constexpr auto square_of = [](auto m, auto v) { return square(m) * v; };

TEST_CASE("a row-major matrix has a gradient of its own order") {
  using matrix = Eigen::Matrix<double, 2, 3, Eigen::RowMajor>;
  matrix m;
  m << 1, 2, 3, 4, 5, 6;
  run_of<decltype(square_of), wrt<0, 1>, matrix, tensor<double, 3>> call(m, tensor<double, 3>{1, 10, 100});
  call.seeds = {tensor<double, 2>{1, 2}};
  CHECK(call.forward() == status::ok);
  CHECK(call.backward() == status::ok);
  CHECK(std::get<0>(call.results) == tensor<double, 2>{941, 3866});
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) CHECK(std::get<0>(call.gradients)(i, j) == (i + 1) * 2 * m(i, j) * std::pow(10.0, j));
  CHECK(std::get<1>(call.gradients) == tensor<double, 3>{33, 54, 81});
}

TEST_CASE("a row-major map of many entries has a gradient in the order in which the function sees it") {
  constexpr int rows = 160, columns = 120;
  constexpr auto product = [](auto m, auto v) { return m * v; };
  using map = Eigen::Map<Eigen::Matrix<double, rows, columns, Eigen::RowMajor> const>;
  auto const entries = std::make_unique<tensor<double, rows * columns>>();
  tensor<double, columns> v;
  fill(*entries, 1), fill(v, 2);
  auto const call =
      std::make_unique<run_of<decltype(product), wrt<0>, map, tensor<double, columns>>>(map(entries->data()), v);
  CHECK(call->forward() == status::ok);
  CHECK(call->backward() == status::ok);
  auto const& seed = std::get<0>(call->seeds);
  int wrong = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) wrong += std::get<0>(call->gradients)(i, j) != seed(i) * v(j);
  CHECK(wrong == 0);
}

}  // namespace
