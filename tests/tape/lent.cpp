// Values that a tape reads where they are.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <tuple>

using namespace etch;

namespace {

template <class T>
struct network {
  param<T, 5, 3> weight;
  T scale;
  ETCH_MEMBERS(network, weight, scale)
};

}  // namespace

TEST_CASE("values that are lent are not copied, and give what copies give") {
  tape<double> t;
  tensor<double, 3, 3> a, b;
  for (std::size_t i = 0; i < 9; ++i) a[i] = 0.1 * static_cast<double>(i), b[i] = 1 - 0.2 * static_cast<double>(i);
  double const factor = 1.5;
  auto const x = t.watch(std::cref(a)), y = t.watch(std::ref(b));
  auto const c = t.constant(std::cref(b));
  auto const s = t.constant(std::cref(factor));
  CHECK(&value(x) == &a);
  CHECK(&value(c) == &b);
  auto const loss = [](auto const& u, auto const& v, auto const& w, auto const& k) {
    return sum(square(u * v + transpose(w) * u)) * k;
  };
  double const of_lent = t.backward(loss(x, y, c, s));
  tensor<double, 3, 3> const gx = t.grad(x), gy = t.grad(y);
  t.reset();
  auto const u = t.watch(a), v = t.watch(b);
  CHECK(&value(u) != &a);
  CHECK(t.backward(loss(u, v, t.constant(b), factor)) == of_lent);
  CHECK(t.grad(u) == gx);
  CHECK(t.grad(v) == gy);
}

TEST_CASE("structs and labels are lent, too") {
  tape<float> t;
  network<float> model;
  for (std::size_t i = 0; i < model.weight.size(); ++i) model.weight[i] = 0.1f * static_cast<float>(i % 7) - 0.3f;
  model.scale = 2;
  tensor<int, 3> const labels{2, 0, 1};
  auto const m = t.watch(std::cref(model));
  auto const l = t.constant(std::cref(labels));
  CHECK(&value(m.weight) == &model.weight);
  CHECK(&value(l) == &labels);
  auto const loss = [](auto const& each, auto const& of) {
    return nn::softmax_cross_entropy(each.scale * each.weight, of);
  };
  float const of_lent = t.backward(loss(m, l));
  auto const [value, grad] = value_and_grad(
      [](auto each, auto of) { return nn::softmax_cross_entropy(each.scale * each.weight, of); })(model, labels);
  CHECK(of_lent == doctest::Approx(value).epsilon(1e-6));
  network<float> const g = t.grad(m);
  CHECK(g.scale == doctest::Approx(grad.scale).epsilon(1e-5));
  for (std::size_t i = 0; i < 15; ++i) CHECK(g.weight[i] == doctest::Approx(grad.weight[i]).epsilon(1e-5));
}

TEST_CASE("Eigen's matrices are lent where their entries lie as a tensor's do, and never written to") {
  tape<double> t;
  Eigen::Matrix<double, 3, 2, Eigen::RowMajor> by_rows;
  by_rows << 1, 2, 3, 4, 5, 6;
  alignas(64) double numbers[9]{0, 1, 2, 3, 4, 5, 6, 7, 8};
  Eigen::Map<Eigen::Matrix<double, 2, 3>> const apart(numbers + 1);
  auto const r = t.watch(std::cref(by_rows));
  auto const k = t.watch(std::cref(apart));
  CHECK(t.backward(sum(r * k)) == (by_rows * apart).sum());
  CHECK(t.grad(r)(2, 1) == apart.row(1).sum());
  CHECK(t.grad(k)(1, 2) == by_rows.col(1).sum());
  CHECK(value(r)(0, 1) == 2);
  CHECK(value(k)(0, 1) == numbers[3]);
  for (int i = 0; i < 9; ++i) CHECK(numbers[i] == i);
  CHECK(by_rows(0, 1) == 2);
}

TEST_CASE("lent values in blocks, external functions and checkpoints, not aligned, and behind a position") {
  tape<double> t;
  alignas(64) double numbers[10];
  for (int i = 0; i < 10; ++i) numbers[i] = 0.3 * i - 1;
  Eigen::Map<Eigen::Vector3d const> const apart(numbers + 1);
  tensor<double, 3> const w{0.5, -1.5, 2};
  auto const x = t.watch(std::cref(apart));
  auto const here = t.mark();
  auto const weights = t.watch(std::cref(w));
  constexpr auto dot_of_sines = [](auto a, auto b) { return sum(cwise_product(sin(a), b)); };
  auto const of_each = [&](auto const& y) {
    t.backward(y, retain);
    for (int i = 0; i < 3; ++i) CHECK(t.grad(x)(i) == doctest::Approx(std::cos(apart(i)) * w(i)).epsilon(1e-14));
    for (int i = 0; i < 3; ++i) CHECK(t.grad(weights)(i) == doctest::Approx(std::sin(apart(i))).epsilon(1e-14));
  };
  of_each(t.apply(dot_of_sines, x, weights));
  of_each(t.checkpoint(dot_of_sines, x, weights));
  of_each(t.external(
      [](tensor<double, 3> const& a, tensor<double, 3> const& b) {
        double s = 0;
        for (int i = 0; i < 3; ++i) s += std::sin(a(i)) * b(i);
        return s;
      },
      [](double g, double, tensor<double, 3> const& a, tensor<double, 3> const& b) {
        std::tuple<tensor<double, 3>, tensor<double, 3>> all;
        for (int i = 0; i < 3; ++i)
          std::get<0>(all)(i) = g * std::cos(a(i)) * b(i), std::get<1>(all)(i) = g * std::sin(a(i));
        return all;
      },
      x, weights));
  t.rewind(here);
  t.backward(sum(x * transpose(x)));  // x is still there
  double const total = apart.sum();
  for (int i = 0; i < 3; ++i) CHECK(t.grad(x)(i) == doctest::Approx(2 * total).epsilon(1e-14));
  for (int i = 0; i < 10; ++i) CHECK(numbers[i] == 0.3 * i - 1);
}
