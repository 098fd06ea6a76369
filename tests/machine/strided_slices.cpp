// Programs that read strips or slices of an argument which do not adjoin: against Eigen, and against the same program
// on an argument in which they do.
#include <etch/etch.hpp>

#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace etch;

namespace {

template <class T>
std::unique_ptr<T> large(int seed) {
  return std::make_unique<T>(values::filled_with<T>(seed));
}

/// The values and slopes of a logistic regression, by Eigen.
template <class T>
struct by_eigen {
  double value = 0;
  Eigen::VectorXd by_weights;
  double by_bias = 0;

  by_eigen(auto const& x_given, auto const& y_given, auto const& w_given, T b) {
    Eigen::MatrixXd const x = x_given.template cast<double>();
    Eigen::VectorXd const y = y_given.template cast<double>(), w = w_given.template cast<double>();
    Eigen::ArrayXd const eta = (x * w).array() + static_cast<double>(b);
    Eigen::ArrayXd const e = (-eta).exp(), miss = y.array() - 1 / (1 + e);
    value = (y.array() * eta - eta - e.log1p()).sum();
    by_weights = x.transpose() * miss.matrix();
    by_bias = miss.sum();
  }
};

constexpr auto logistic = [](auto x, auto y, auto w, auto b) {
  auto const eta = x * w + b;
  return dot(y, eta) - sum(softplus(eta));
};

/// Of a matrix larger than a cache, with rows of observations.
template <class T, int Rows, int Columns>
void check_rows(double tolerance) {
  auto const x = large<tensor<T, Rows, Columns>>(1);
  auto const y = values::filled_with<tensor<T, Rows>>(2);
  auto const w = values::filled_with<tensor<T, Columns>>(3);
  T const b = T(0.25);
  static auto step = compile<wrt<2, 3>>(logistic, tensor<T, Rows, Columns>{}, y, w, b);
  static_assert(decltype(step)::facts.workspace_bytes < Rows * std::int64_t{sizeof(T)}, "a strip at a time");
  by_eigen<T> const expected(x->matrix(), y.flat(), w.flat(), b);
  double const scale = expected.by_weights.cwiseAbs().maxCoeff();
  for (int call = 0; call < 2; ++call) {
    CHECK(static_cast<double>(step(*x, y, w, b)) == doctest::Approx(expected.value).epsilon(tolerance));
    CHECK((step.template grad<2>().flat().template cast<double>() - expected.by_weights).cwiseAbs().maxCoeff() <
          tolerance * scale);
    CHECK(static_cast<double>(step.template grad<3>()) == doctest::Approx(expected.by_bias).epsilon(tolerance));
  }
  tensor<T, Columns> twice = step.template grad<2>();
  T by_bias = 0;
  step(*x, y, w, b, add_to(twice, by_bias));
  CHECK((twice.flat().template cast<double>() - 2 * expected.by_weights).cwiseAbs().maxCoeff() < 2 * tolerance * scale);
}

constexpr auto same = [](auto x) { return x; };
constexpr auto recurrence = [](auto view, auto w, auto x) {
  auto const xs = view(x);
  return sum(square(scan([&](auto h, auto slice) { return tanh(cwise_product(w, h) + sin(slice)); }, w, xs)));
};

/// Of a recurrence over `view(value(x))`, which is `value(y)`, where `y` has entry (i, j, k) of `x` at `place(i, j,
/// k)`.
template <class X, class Y, class Value = decltype(same)>
void check_slices(auto view, auto place, Value = {}) {
  auto const x = values::filled_with<X>(1);
  Y y{};
  constexpr int rows = Y::extent[0], columns = Y::extent[1];
  auto const w = values::filled_with<tensor<double, rows, columns>>(2);
  auto const each_entry = [&](auto f) {
    for (int k = 0; k < X::extent[2]; ++k)
      for (int j = 0; j < X::extent[1]; ++j)
        for (int i = 0; i < X::extent[0]; ++i)
          if (auto const [a, b, c] = place(i, j, k); a >= 0 && a < rows && b >= 0 && b < columns) f(i, j, k, a, b, c);
  };
  each_entry([&](int i, int j, int k, int a, int b, int c) { y(a, b, c) = x(i, j, k); });
  auto viewed = compile<wrt<0, 1>>(
      [](auto u, auto v) { return recurrence([](auto z) { return decltype(view){}(Value{}(z)); }, u, v); }, w, x);
  auto adjoining = compile<wrt<0, 1>>([](auto u, auto v) { return recurrence(Value{}, u, v); }, w, y);
  CHECK(viewed(w, x) == doctest::Approx(adjoining(w, y)).epsilon(1e-14));
  CHECK((viewed.template grad<0>().flat() - adjoining.template grad<0>().flat()).cwiseAbs().maxCoeff() < 1e-13);
  X expected{};
  each_entry(
      [&](int i, int j, int k, int a, int b, int c) { expected(i, j, k) = adjoining.template grad<1>()(a, b, c); });
  CHECK((viewed.template grad<1>().flat() - expected.flat()).cwiseAbs().maxCoeff() < 1e-13);
}

}  // namespace

TEST_CASE("a matrix by a vector and its transpose, strip by strip of rows") {
  check_rows<double, 2000, 80>(1e-11);
  check_rows<double, 20000, 9>(1e-11);
  check_rows<float, 3600, 96>(2e-4);
}

TEST_CASE("a classifier of columns, strip by strip") {
  constexpr int features = 100, classes = 3, batch = 3000;
  auto const loss = [](auto w, auto b, auto x, auto y) { return nn::softmax_cross_entropy(w * x + b, y); };
  auto const x = large<tensor<float, features, batch>>(1);
  auto const w = values::filled_with<tensor<float, classes, features>>(2);
  auto const b = values::filled_with<tensor<float, classes>>(3);
  auto const y = std::make_unique<tensor<int, batch>>();
  for (int i = 0; i < batch; ++i) (*y)(i) = i * i % classes;
  static auto step = compile<wrt<0, 1>>(loss, w, b, tensor<float, features, batch>{}, tensor<int, batch>{});
  static_assert(decltype(step)::facts.workspace_bytes < 2 * classes * batch * std::int64_t{sizeof(float)});
  float const value = step(w, b, *x, *y);
  Eigen::MatrixXd const xs = x->matrix().cast<double>(), ws = w.matrix().cast<double>();
  Eigen::VectorXd const bs = b.flat().cast<double>();
  Eigen::MatrixXd const z = (ws * xs).colwise() + bs;
  Eigen::MatrixXd const e = (z.rowwise() - z.colwise().maxCoeff().eval()).array().exp();
  Eigen::MatrixXd p = e.array().rowwise() / e.colwise().sum().eval().array();
  double expected = 0;
  for (int i = 0; i < batch; ++i) expected -= std::log(p((*y)(i), i)) / batch, p((*y)(i), i) -= 1;
  p /= batch;
  CHECK(static_cast<double>(value) == doctest::Approx(expected).epsilon(1e-4));
  Eigen::MatrixXd const slope = p * xs.transpose();
  CHECK((step.grad<0>().matrix().cast<double>() - slope).cwiseAbs().maxCoeff() < 1e-4 * slope.cwiseAbs().maxCoeff());
  CHECK((step.grad<1>().flat().cast<double>() - p.rowwise().sum()).cwiseAbs().maxCoeff() < 1e-5);
}

TEST_CASE("slices along another axis, of parts, and from the last to the first") {
  using indices = std::array<int, 3>;
  auto const turned = [](int i, int j, int k) { return indices{i, k, j}; };
  check_slices<tensor<double, 16, 4, 6>, tensor<double, 16, 6, 4>>([](auto x) { return permute<0, 2, 1>(x); }, turned);
  check_slices<tensor<double, 40, 3, 5>, tensor<double, 40, 5, 3>>([](auto x) { return permute<0, 2, 1>(x); }, turned,
                                                                   [](auto x) { return exp(sin(x)); });
  check_slices<tensor<double, 37, 3, 5>, tensor<double, 33, 3, 5>>(
      [](auto x) { return slice<0, 1, 33>(x); }, [](int i, int j, int k) { return indices{i - 1, j, k}; });
  check_slices<tensor<double, 8, 5, 6>, tensor<double, 8, 3, 6>>(
      [](auto x) { return slice<1, 2, 3>(x); }, [](int i, int j, int k) { return indices{i, j - 2, k}; });
  check_slices<tensor<double, 8, 2, 6>, tensor<double, 8, 2, 6>>(
      [](auto x) { return reverse<2>(x); }, [](int i, int j, int k) { return indices{i, j, 5 - k}; });
  check_slices<tensor<double, 7, 4, 6>, tensor<double, 7, 6, 4>>([](auto x) { return permute<0, 2, 1>(x); }, turned);
}
