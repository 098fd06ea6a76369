// A program that workers share gives what the program gives: value, gradients, further results, status and exceptions;
// the same bits whoever works when.
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

#include "compile/parallel_numbers.hpp"
#include "compile/threads.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <memory>

namespace {

using namespace etch;
using namespace parallel_numbers;

constexpr auto cross_entropy = [](auto model, auto x, auto y) { return nn::softmax_cross_entropy(model(x), y); };

template <int N, int Batch>
void shares_a_mean() {
  network<double> model;
  tensor<double, 6, Batch> x;
  tensor<int, Batch> y;
  fill(model), fill(x), fill(y);
  auto step = compile(cross_entropy, model, x, y);
  auto shared = parallel<N>(step);
  static_assert(shared.facts.workers == N && shared.facts.entries == Batch);
  CAPTURE(N);
  CHECK(shared(model, x, y) == doctest::Approx(step(model, x, y)).epsilon(1e-14));
  CHECK(shared.value() == shared(model, x, y));
  CHECK(distance(step.template grad<0>(), shared.template grad<0>()) < 1e-14);
}

TEST_CASE("a mean over a batch, in equal parts and in unequal ones") {
  shares_a_mean<1, 7>();
  shares_a_mean<2, 8>();
  shares_a_mean<3, 7>();
  shares_a_mean<3, 128>();
  shares_a_mean<4, 128>();
  shares_a_mean<7, 7>();
}

TEST_CASE("a sum with a penalty, which counts once") {
  tensor<double, 5> w{0.5, -1, 2, 0.25, -3};
  tensor<double, 5, 7> x;
  tensor<double, 7> y;
  fill(x), fill(y);
  constexpr auto loss = [](auto u, auto v, auto z) {
    return sum(square(transpose(v) * u - z)) + 0.75 * sum(square(u)) - 2.0;
  };
  auto shared = parallel<3>(compile(loss, w, x, y));
  double value = -2;
  tensor<double, 5> gradient;
  for (int i = 0; i < 5; ++i) value += 0.75 * w(i) * w(i), gradient(i) = 1.5 * w(i);
  for (int j = 0; j < 7; ++j) {
    double r = -y(j);
    for (int i = 0; i < 5; ++i) r += x(i, j) * w(i);
    value += r * r;
    for (int i = 0; i < 5; ++i) gradient(i) += 2 * r * x(i, j);
  }
  CHECK(shared(w, x, y) == doctest::Approx(value).epsilon(1e-14));
  CHECK(distance(gradient, shared.grad<0>()) < 1e-14);

  // Destinations, which may be the arguments themselves.
  tensor<double, 5> to, sums = w;
  shared(w, x, y, into(to));
  CHECK(to == shared.grad<0>());
  shared(w, x, y, add_to(sums));
  for (int i = 0; i < 5; ++i) CHECK(sums(i) == w(i) + to(i));
  tensor<double, 5> both = w;
  shared(both, x, y, into(both));
  CHECK(both == to);
}

constexpr auto several = [](auto w, auto x) {
  auto const y = tanh(w * x);
  return std::tuple{mean(square(y)), y, sum<1>(y), sum(square(w)), sum<0>(x)};
};

TEST_CASE("further results are added up, put side by side, or those of all workers") {
  tensor<double, 4, 3> w;
  tensor<double, 3, 10> x;
  fill(w), fill(x);
  auto step = compile(several, w, x);
  auto shared = parallel<3>(step);
  CHECK(shared(w, x) == doctest::Approx(step(w, x)).epsilon(1e-14));
  CHECK(distance(step.result<1>(), shared.result<1>()) < 1e-15);
  CHECK(distance(step.result<2>(), shared.result<2>()) < 1e-14);
  CHECK(shared.result<3>() == step.result<3>());
  CHECK(distance(step.result<4>(), shared.result<4>()) < 1e-15);
  CHECK(distance(step.grad<0>(), shared.grad<0>()) < 1e-14);
  auto inference = compile<wrt<>>([](auto u, auto v) { return tanh(u * v); }, w, x);
  auto parts = parallel<4>(inference);
  CHECK(distance(inference(w, x), parts(w, x)) < 1e-15);
}

TEST_CASE("an argument that is differentiated and split") {
  tensor<float, 4, 3> w;
  tensor<float, 3, 11> x;
  tensor<float, 4, 11> y;
  fill(w), fill(x), fill(y);
  constexpr auto loss = [](auto u, auto v, auto z) { return mean(square(tanh(u * v) - z)); };
  auto step = compile<wrt<1, 0>>(loss, w, x, y);
  auto shared = parallel<2, over<1, 2>>(step);
  CHECK(shared(w, x, y) == doctest::Approx(step(w, x, y)).epsilon(1e-6));
  CHECK(distance(step.grad<0>(), shared.grad<0>()) < 1e-6);
  CHECK(distance(step.grad<1>(), shared.grad<1>()) < 1e-6);
  tensor<float, 3, 11> of_x = x;
  tensor<float, 4, 3> of_w;
  shared(w, x, y, into(of_x, of_w));
  CHECK(of_x == shared.grad<1>());
  CHECK(of_w == shared.grad<0>());
}

TEST_CASE("a loss of which a worker's entries are nothing but its own gradient") {
  tensor<double, 2> w{1, 2};
  tensor<double, 9> x;
  fill(x);
  auto only_penalty =
      parallel<2, over<1>>(compile<wrt<0>>([](auto u, auto v) { return std::tuple{sum(square(u)), v * 2.0}; }, w, x));
  CHECK(only_penalty(w, x) == 5);
  CHECK(only_penalty.grad<0>() == tensor<double, 2>{2, 4});
  for (int i = 0; i < 9; ++i) CHECK(only_penalty.result<1>()(i) == 2 * x(i));
}

TEST_CASE("Eigen's matrices, in either order of memory") {
  using columns = Eigen::Matrix<double, 3, 8>;
  using rows = Eigen::Matrix<double, 8, 3, Eigen::RowMajor>;
  Eigen::Matrix<double, 4, 3> w;
  columns x;
  fill(w), fill(x);
  rows const turned = x.transpose();
  Eigen::Matrix<double, 8, 1> y = Eigen::Matrix<double, 8, 1>::LinSpaced(-1, 1);
  auto step = compile([](auto u, auto v, auto z) { return mean(square(tanh(u * v))) + sum(v * z); }, w, x, y);
  auto of_columns = parallel<3>(step);
  auto of_rows = parallel<3>(
      compile([](auto u, auto v, auto z) { return mean(square(tanh(u * transpose(v)))) + sum(transpose(v) * z); }, w,
              turned, y));
  CHECK(of_columns(w, x, y) == doctest::Approx(step(w, x, y)).epsilon(1e-14));
  CHECK(of_rows(w, turned, y) == doctest::Approx(step(w, x, y)).epsilon(1e-14));
  CHECK((of_columns.grad<0>() - step.grad<0>()).norm() < 1e-15);
  CHECK((of_rows.grad<0>() - step.grad<0>()).norm() < 1e-15);
  alignas(64) double memory[25];
  std::copy(x.data(), x.data() + 24, memory + 1);
  Eigen::Map<columns const> const there(memory + 1);
  auto of_map =
      parallel<3>(compile([](auto u, auto v, auto z) { return mean(square(tanh(u * v))) + sum(v * z); }, w, there, y));
  CHECK(of_map(w, there, y) == of_columns(w, x, y));
}

TEST_CASE("the same bits in every run, whoever works when") {
  static network<float> model;
  static tensor<float, 6, 101> x;
  static tensor<int, 101> y;
  fill(model), fill(x), fill(y);
  auto const step = compile(cross_entropy, model, x, y);
  auto one = std::make_unique<decltype(parallel<5, workers::in_turn>(step))>();
  auto other = std::make_unique<decltype(parallel<5, test_workers::threads>(step))>();
  auto third = std::make_unique<decltype(parallel<5, test_workers::backwards>(step))>();
  float const value = (*one)(model, x, y);
  auto const gradient = one->grad<0>();
  CHECK((*third)(model, x, y) == value);
  CHECK(same_bits(third->grad<0>(), gradient));
  bool same = true;
  for (int run = 0; run < 100; ++run)
    same = same && (*other)(model, x, y) == value && same_bits(other->grad<0>(), gradient);
  CHECK(same);
}

TEST_CASE("gradients that all workers add up") {
  auto const w = std::make_unique<tensor<float, 120, 101>>();
  tensor<float, 101, 6> x;
  fill(*w, 0.1), fill(x);
  constexpr auto loss = [](auto u, auto v) { return sum(square(tanh(u * v))); };
  using program = decltype(compile(loss, *w, x));
  auto const step = std::make_unique<program>();
  auto const shared = std::make_unique<decltype(parallel<3, test_workers::threads>(program{}))>();
  static_assert(std::remove_reference_t<decltype(*shared)>::facts.summand_bytes > 64 * 1024);
  CHECK((*shared)(*w, x) == doctest::Approx((*step)(*w, x)).epsilon(1e-6));
  CHECK(distance(step->grad<0>(), shared->grad<0>()) < 1e-5);
}

TEST_CASE("what a worker throws arrives at the caller, and so does its status") {
  tensor<double, 2, 2, 4> matrices;
  for (int i = 0; i < 4; ++i) matrices(0, 0, i) = matrices(1, 1, i) = 1;
  tensor<double, 1> scale{1};
  auto inverses = parallel<4, over<1>>(compile(
      [](auto factor, auto of) { return sum_map([&](auto each) { return sum(inverse(each)) * sum(factor); }, of); },
      scale, matrices));
  CHECK(inverses(scale, matrices) == 8);
  CHECK(inverses.status() == status::ok);
  matrices(0, 0, 2) = 0;
  inverses(scale, matrices);
  CHECK(inverses.status() == status::singular);
  matrices(0, 0, 2) = 1;
  CHECK(inverses(scale, matrices) == 8);
  CHECK(inverses.status() == status::ok);
#if !defined(NDEBUG)
  tensor<double, 3, 5> table;
  tensor<int, 6> index{0, 1, 2, 3, 4, 0};
  fill(table);
  auto picked = parallel<3, test_workers::threads>(
      compile([](auto from, auto at) { return sum(square(gather<1>(from, at))); }, table, index));
  picked(table, index);
  index(4) = 7;
  CHECK_THROWS_WITH_AS(picked(table, index),
                       "etch: index out of range: 7 where the axis has 5 entries, in argument 1, of argument 0",
                       etch::exception);
  index(4) = 4;
  CHECK(picked(table, index) > 0);
#endif
}

TEST_CASE("many small models, one a thread, and none waits for another") {
  constexpr auto error = [](auto u, auto v, auto z) { return mean(square(u(0) + u(1) * v - z)); };
  using line = tensor<double, 2>;
  using samples = tensor<double, 16>;
  std::array<line, 4> models;
  auto const train = [&](int which) {
    auto step = compile(error, line{}, samples{}, samples{});
    line model;
    samples x, y;
    for (int i = 0; i < 16; ++i) x(i) = i / 16.0, y(i) = 3 - which * x(i);
    for (int i = 0; i < 2000; ++i) {
      step(model, x, y);
      model -= 0.5 * step.grad<0>();
    }
    models[static_cast<std::size_t>(which)] = model;
  };
  test_workers::threads::each<4>(train);
  for (int i = 0; i < 4; ++i) {
    CHECK(models[static_cast<std::size_t>(i)](0) == doctest::Approx(3));
    CHECK(models[static_cast<std::size_t>(i)](1) == doctest::Approx(-i).epsilon(1e-9));
  }
}

TEST_CASE("options of the program: static storage, checks of numbers, a budget") {
  tensor<double, 4, 3> w;
  tensor<double, 3, 10> x;
  fill(w), fill(x);
  constexpr auto loss = [](auto u, auto v) { return mean(square(tanh(u * v))); };
  auto& shared = parallel<2>(compile<wrt<0>, in_static_storage>(loss, w, x));
  CHECK(&shared == &parallel<2>(compile<wrt<0>, in_static_storage>(loss, w, x)));
  auto step = compile(loss, w, x);
  CHECK(shared(w, x) == doctest::Approx(step(w, x)).epsilon(1e-14));

  auto checked = parallel<2>(compile<wrt<0>, check_finite>(loss, w, x));
  CHECK(checked(w, x) == shared.value());
  CHECK(checked.status() == status::ok);
  x(1, 7) = std::numeric_limits<double>::infinity();
  checked(w, x);
  CHECK(checked.not_finite() == "argument 1");
  static constinit auto constant = parallel<2>(compile([](auto u, auto v) { return mean(square(tanh(u * v))); },
                                                       tensor<double, 4, 3>{}, tensor<double, 3, 10>{}));
  x(1, 7) = 0;
  CHECK(constant(w, x) == shared(w, x));
}

}  // namespace
