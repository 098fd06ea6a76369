// Programs that are computed in strips, against a plain evaluation.
#include <etch/compile/program.hpp>

#include <etch/op/elementwise.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

namespace {

constexpr int rows = 48, depth = 20, batch = 6000;

template <class T>
using weights = etch::tensor<T, rows, depth>;
template <class T>
using inputs = etch::tensor<T, depth, batch>;

template <class T, class Wrt>
void check_dense(double tolerance) {
  auto const loss = [](auto w, auto b, auto x) { return sum(tanh(w * x + b)); };
  using program = decltype(etch::compile<Wrt>(loss, weights<T>{}, etch::tensor<T, rows>{}, inputs<T>{}));
  static_assert(program::facts.workspace_bytes <= 576 * 1024, "a strip at a time");
  auto const p = std::make_unique<program>();
  auto const w = std::make_unique<weights<T>>();
  auto const x = std::make_unique<inputs<T>>();
  etch::tensor<T, rows> b;
  int n = 0;
  for (auto& each : *w) each = static_cast<T>((n += 7) % 13 - 6) / T(30);
  for (auto& each : *x) each = static_cast<T>((n += 5) % 17 - 8) / T(10);
  for (auto& each : b) each = static_cast<T>((n += 3) % 5 - 2) / T(4);

  double value = 0;
  std::vector<double> dw(rows * depth), db(rows), dx(depth * batch);
  for (int k = 0; k < batch; ++k)
    for (int i = 0; i < rows; ++i) {
      double z = b(i);
      for (int j = 0; j < depth; ++j) z += static_cast<double>((*w)(i, j)) * (*x)(j, k);
      double const y = std::tanh(z), g = 1 - y * y;
      value += y;
      db[static_cast<std::size_t>(i)] += g;
      for (int j = 0; j < depth; ++j) {
        dw[static_cast<std::size_t>(i + rows * j)] += g * (*x)(j, k);
        dx[static_cast<std::size_t>(j + depth * k)] += g * (*w)(i, j);
      }
    }
  auto const check = [&](auto const& gradient, std::vector<double> const& expected, double times) {
    double largest = 0, worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      largest = std::max(largest, times * std::abs(expected[i]));
      worst = std::max(worst, std::abs(static_cast<double>(gradient.data()[i]) - times * expected[i]));
    }
    CHECK(worst <= tolerance * largest);
  };
  for (int call = 0; call < 2; ++call) {
    CHECK(std::abs((*p)(*w, b, *x) - value) <= tolerance * rows * batch);
    check(p->template grad<0>(), dw, 1);
    check(p->template grad<1>(), db, 1);
    if constexpr (std::is_same_v<Wrt, etch::wrt<0, 1, 2>>) check(p->template grad<2>(), dx, 1);
  }
  if constexpr (std::is_same_v<Wrt, etch::wrt<0, 1>>) {
    auto to_w = std::make_unique<weights<T>>(p->template grad<0>());
    auto to_b = p->template grad<1>();
    (*p)(*w, b, *x, etch::add_to(*to_w, to_b));
    check(*to_w, dw, 2);
    check(to_b, db, 2);
  }
}

}  // namespace

TEST_CASE("a dense layer in strips: float and double, with and without the gradient of what is cut") {
  check_dense<float, etch::wrt<0, 1>>(1e-4);
  check_dense<double, etch::wrt<0, 1>>(1e-12);
  check_dense<double, etch::wrt<0, 1, 2>>(1e-12);
}
