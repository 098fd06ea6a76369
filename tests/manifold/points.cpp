#include "manifold/differences.hpp"

using namespace elements;
using namespace etch::manifold;

namespace {

template <class G>
constexpr int space = std::is_same_v<G, so2<double>> || std::is_same_v<G, se2<double>> ? 2 : 3;

constexpr auto seen = [](auto const& x, auto const& points) { return sum(sin(act(x, points))); };
constexpr auto one_by_one = [](auto const& x, auto const& points) {
  return etch::sum_map([&](auto p) { return seen(x, p); }, points);
};

template <int D, int N>
tensor<double, D, N> some_points() {
  tensor<double, D, N> p;
  for (int i = 0; i < D * N; ++i) p[static_cast<std::size_t>(i)] = std::sin(1.0 + 3 * i);
  return p;
}
template <int D, int N>
tensor<double, D> column(tensor<double, D, N> const& p, int j) {
  tensor<double, D> x;
  for (int i = 0; i < D; ++i) x(i) = p(i, j);
  return x;
}

template <class G, int N>
void check_columns() {
  auto const p = some_points<space<G>, N>();
  for (auto const& v : tangents<G>({0, 1e-9, 0.5, 3})) {
    G const x = G::exp(v);
    auto const moved = act(x, p);
    double far = 0;
    for (int j = 0; j < N; ++j) far = std::max(far, distance(act(x, column(p, j)), column(moved, j)));
    CHECK(far == 0);

    auto const [by_x, by_points] = grad<wrt<0, 1>>(seen)(x, p);
    auto const [x_alone, points_alone] = grad<wrt<0, 1>>(one_by_one)(x, p);
    CHECK(distance(by_x, x_alone) < 1e-13);
    CHECK(distance(by_points, points_alone) < 1e-14);
    CHECK(distance(grad<wrt<0>>(seen)(x, p), by_x) < 1e-14);
    CHECK(distance(grad<wrt<1>>(seen)(x, p), by_points) < 1e-14);
    auto const value = [&](G const& at) {
      double total = 0;
      for (double each : act(at, p)) total += std::sin(each);
      return total;
    };
    CHECK(distance(gradient_by_differences(value, x), by_x) < 1e-9);

    tape<double> t;
    auto const pose = t.watch(x);
    auto const cloud = t.watch(p);
    t.backward(seen(pose, cloud));
    CHECK(distance(t.grad(pose), by_x) < 1e-14);
    CHECK(distance(t.grad(cloud), by_points) < 1e-14);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("columns of points move as each of them does", G, so2<double>, so3<double>, se2<double>,
                   se3<double>) {
  check_columns<G, 3>();  // a square matrix is points, too
}

TEST_CASE("a single column is a matrix still") { check_columns<so3<double>, 1>(); }

TEST_CASE("either side is plain, in constant expressions, too") {
  constexpr tensor<float, 3, 2> p{1, 2, 3, -1, 0, 4};
  static_assert(act(so3<float>(), p) == p);
  static_assert(act(se3<float>(so3<float>(), tensor<float, 3>{1, 1, 1}), p) == tensor<float, 3, 2>{2, 3, 4, 0, 1, 5});
  constexpr auto turned = [](auto q) { return sum(act(q, tensor<float, 3, 2>{1, 2, 3, -1, 0, 4})); };
  constexpr auto together = [](auto q, auto x) { return sum(act(q, x)); };
  so3<float> const q = so3<float>::exp(tensor<float, 3>{0.2f, -0.4f, 0.3f});
  CHECK(distance(grad(turned)(q), grad<wrt<0>>(together)(q, p)) < 1e-6);
  constexpr auto by_known = [](auto x) { return sum(square(act(se2<double>(1, 2, 0.5), x))); };
  constexpr auto by_all = [](auto m, auto x) { return sum(square(act(m, x))); };
  auto const x = some_points<2, 4>();
  CHECK(distance(grad(by_known)(x), grad<wrt<1>>(by_all)(se2<double>(1, 2, 0.5), x)) < 1e-14);
}

TEST_CASE("points in numbers that a call says, and Eigen's") {
  so3<double> const q = so3<double>::exp(tensor<double, 3>{0.2, -0.4, 0.3});
  auto const p = some_points<3, 3>();
  auto const all = act(q, p);
  tensor<double, 3, upto<4>> some;
  some.resize(2);
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 3; ++i) some(i, j) = p(i, j);
  auto const moved = act(q, some);
  CHECK(moved.count() == 2);
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 3; ++i) CHECK(moved(i, j) == all(i, j));

  Eigen::Matrix3d const columns = p.matrix();
  Eigen::MatrixXd const any = Eigen::Matrix3Xd(columns);
  CHECK((act(q, columns) - all.matrix()).norm() == 0);
  CHECK((act(q, Eigen::Matrix3Xd(any)) - all.matrix()).norm() == 0);
  CHECK((act(q, 2 * columns - columns) - all.matrix()).norm() == 0);
  // A product of arrays would be one by entries.
  CHECK(distance(grad<wrt<0>>(seen)(q, Eigen::Array33d(columns)), grad<wrt<0>>(seen)(q, p)) < 1e-15);
}
