#include <etch/etch.hpp>
#include <etch/optim/ceres.hpp>

#include <ceres/ceres.h>

#include <cmath>
#include <vector>

// Ceres brings glog's macros of these names.
#undef CHECK
#undef CHECK_EQ
#undef CHECK_NE
#undef CHECK_LT
#undef CHECK_LE
#undef CHECK_GT
#undef CHECK_GE
#include <doctest/doctest.h>

namespace {

using namespace etch;

constexpr auto growth = [](auto b, auto x, auto y) { return b(0) * (1 - exp(-b(1) * x)) - y; };

ceres::Solver::Summary solve(ceres::Problem& problem, int threads = 1) {
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.max_num_iterations = 500;
  options.function_tolerance = options.gradient_tolerance = options.parameter_tolerance = 1e-14;
  options.num_threads = threads;
  options.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  return summary;
}

TEST_CASE("residuals and Jacobian of a curve, observation by observation, rows as Ceres has them") {
  tensor<double, 2> const b{2, 0.5};
  tensor<double, 11> x, y;  // more than the lanes of a register, and no multiple
  for (int i = 0; i < 11; ++i) x(i) = 0.3 * i, y(i) = 0.1 * i * i;
  auto const cost = optim::ceres_cost(growth, b, x, y);
  CHECK(cost->num_residuals() == 11);
  CHECK(cost->parameter_block_sizes() == std::vector<int>{2});
  double residuals[11], without[11], jacobian[22];
  double const* blocks[] = {b.data()};
  double* jacobians[] = {jacobian};
  double* nothing[] = {nullptr};
  CHECK(cost->Evaluate(blocks, without, nullptr));
  CHECK(cost->Evaluate(blocks, residuals, jacobians));
  for (int i = 0; i < 11; ++i) {
    CHECK(residuals[i] == doctest::Approx(2 * (1 - std::exp(-0.5 * x(i))) - y(i)).epsilon(1e-14));
    CHECK(without[i] == residuals[i]);
    CHECK(jacobian[2 * i] == doctest::Approx(1 - std::exp(-0.5 * x(i))).epsilon(1e-14));
    CHECK(jacobian[2 * i + 1] == doctest::Approx(2 * x(i) * std::exp(-0.5 * x(i))).epsilon(1e-14));
  }
  CHECK(cost->Evaluate(blocks, without, nothing));
  for (int i = 0; i < 11; ++i) CHECK(without[i] == residuals[i]);
}

/// A camera that turns and moves in the plane, and looks at points.
template <class T>
struct pose {
  T angle;
  param<T, 2> place;
  ETCH_MEMBERS(pose, angle, place)
};
constexpr auto sight = [](auto camera, auto scale, auto point, auto seen) {
  auto const c = cos(camera.angle), s = sin(camera.angle);
  auto const turned = concat<0>(reshape<1>(c * point(0) - s * point(1)), reshape<1>(s * point(0) + c * point(1)));
  return scale * (turned + camera.place) - seen;
};

template <class T>
void check_sight(double tolerance) {
  double const angle = 0.3, place[] = {1, -2}, scale = 1.5;
  tensor<T, 2, 3> const points{1, 0, 0, 1, 2, 3}, seen{};
  auto const cost = optim::ceres_cost<wrt<0, 1>>(sight, pose<T>{}, T{}, points, seen);
  CHECK(cost->num_residuals() == 6);
  CHECK(cost->parameter_block_sizes() == std::vector<int>{3, 1});
  double const camera[] = {angle, place[0], place[1]};
  double const* blocks[] = {camera, &scale};
  double residuals[6], by_camera[18], by_scale[6];
  double* jacobians[] = {by_camera, by_scale};
  CHECK(cost->Evaluate(blocks, residuals, jacobians));
  double const c = std::cos(angle), s = std::sin(angle);
  for (int i = 0; i < 3; ++i) {
    double const px = points(0, i), py = points(1, i);
    double const turned[] = {c * px - s * py, s * px + c * py}, turning[] = {-s * px - c * py, c * px - s * py};
    for (int k = 0; k < 2; ++k) {
      int const r = 2 * i + k;
      CHECK(residuals[r] == doctest::Approx(scale * (turned[k] + place[k])).epsilon(tolerance));
      CHECK(by_camera[3 * r] == doctest::Approx(scale * turning[k]).epsilon(tolerance));
      CHECK(by_camera[3 * r + 1] == doctest::Approx(k == 0 ? scale : 0));
      CHECK(by_camera[3 * r + 2] == doctest::Approx(k == 1 ? scale : 0));
      CHECK(by_scale[r] == doctest::Approx(turned[k] + place[k]).epsilon(tolerance));
    }
  }
  double* only_scale[] = {nullptr, by_scale};
  by_scale[5] = by_camera[0] = 1e9;
  CHECK(cost->Evaluate(blocks, residuals, only_scale));
  CHECK(by_scale[5] < 1e8);
  CHECK(by_camera[0] == 1e9);
}

TEST_CASE("vector residuals of several blocks, one a struct; blocks that are not wanted are left alone") {
  check_sight<double>(1e-14);
  check_sight<float>(1e-5);
}

constexpr auto product = [](auto m, auto x) { return m * x; };

TEST_CASE("a row-major matrix of Eigen is a block in its own order") {
  Eigen::Matrix<double, 2, 3, Eigen::RowMajor> m;
  m << 1, 2, 3, 4, 5, 6;
  tensor<double, 3, 2> const x{1, 10, 100, 2, 20, 200};
  auto const cost = optim::ceres_cost(product, m, x);
  double residuals[4], jacobian[24];
  double const* blocks[] = {m.data()};
  double* jacobians[] = {jacobian};
  CHECK(cost->Evaluate(blocks, residuals, jacobians));
  for (int i = 0; i < 2; ++i)
    for (int row = 0; row < 2; ++row) {
      CHECK(residuals[2 * i + row] == m(row, 0) * x(0, i) + m(row, 1) * x(1, i) + m(row, 2) * x(2, i));
      for (int entry = 0; entry < 6; ++entry)
        CHECK(jacobian[6 * (2 * i + row) + entry] == (entry / 3 == row ? x(entry % 3, i) : 0));
    }
}

constexpr auto rosenbrock = [](auto x) {
  return concat<0>(reshape<1>(1 - x(0)), reshape<1>(10 * (x(1) - square(x(0)))));
};

TEST_CASE("without data there is one observation: Rosenbrock's valley ends at (1, 1)") {
  tensor<double, 2> x{-1.2, 1};
  ceres::Problem problem;
  problem.AddResidualBlock(optim::ceres_cost(rosenbrock, x).release(), nullptr, x.data());
  CHECK(solve(problem).final_cost < 1e-25);
  CHECK(x(0) == doctest::Approx(1).epsilon(1e-12));
  CHECK(x(1) == doctest::Approx(1).epsilon(1e-12));
}

constexpr auto line = [](auto slope, auto offset, auto x, auto y) { return slope * x + offset - y; };

TEST_CASE("a straight line is that of the normal equations") {
  tensor<double, 6> const x{0, 1, 2, 3, 4, 5}, y{1, 3, 2, 5, 4, 6};
  double slope = 0, offset = 0;
  ceres::Problem problem;
  problem.AddResidualBlock(optim::ceres_cost<wrt<0, 1>>(line, slope, offset, x, y).release(), nullptr, &slope, &offset);
  solve(problem);
  CHECK(slope == doctest::Approx(31.0 / 35).epsilon(1e-7));  // Σ(x - 5/2) y / Σ(x - 5/2)²
  CHECK(offset == doctest::Approx(3.5 - 2.5 * 31 / 35).epsilon(1e-7));
}

TEST_CASE("one cost function serves several threads") {
  constexpr int blocks = 64;
  tensor<double, 40> x, y;
  for (int i = 0; i < 40; ++i) x(i) = 0.1 * i, y(i) = 3 * (1 - std::exp(-0.7 * x(i)));
  auto const cost = optim::ceres_cost(growth, tensor<double, 2>{}, x, y);
  ceres::Problem::Options borrowed;
  borrowed.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
  ceres::Problem problem(borrowed);
  std::vector<tensor<double, 2>> b(blocks, tensor<double, 2>{});
  for (int i = 0; i < blocks; ++i) {
    b[static_cast<std::size_t>(i)] = {1 + 0.05 * i, 0.5};
    problem.AddResidualBlock(cost.get(), nullptr, b[static_cast<std::size_t>(i)].data());
  }
  solve(problem, 2);
  for (auto const& each : b) {
    CHECK(each(0) == doctest::Approx(3).epsilon(1e-9));
    CHECK(each(1) == doctest::Approx(0.7).epsilon(1e-9));
  }
}

constexpr auto root = [](auto x, auto y) { return sqrt(x(0)) - y; };

TEST_CASE("a residual that is no number is a failed evaluation: avoided on the way, an end at the beginning") {
  tensor<double, 3> const y{1, 1, 1};
  tensor<double, 1> x{-1};
  auto const cost = optim::ceres_cost(root, x, y);
  double residuals[3];
  double const* blocks[] = {x.data()};
  CHECK_FALSE(cost->Evaluate(blocks, residuals, nullptr));
  ceres::Problem::Options borrowed;
  borrowed.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
  ceres::Problem problem(borrowed);
  problem.AddResidualBlock(cost.get(), nullptr, x.data());
  CHECK(solve(problem).termination_type == ceres::FAILURE);
  x(0) = 30;  // the first full step leads below 0
  CHECK(solve(problem).final_cost < 1e-20);
  CHECK(x(0) == doctest::Approx(1).epsilon(1e-9));
}

using manifold::se3, manifold::so3, manifold::unit_sphere;

template <class X>
void check_manifold(X const& x, std::vector<double> const& delta) {
  optim::ceres_manifold<X> const m;
  int const n = m.AmbientSize(), k = m.TangentSize();
  REQUIRE(static_cast<std::size_t>(k) == delta.size());
  auto const at = [](int size) { return std::vector<double>(static_cast<std::size_t>(size)); };
  auto a = at(n), b = at(n), back = at(k), plus = at(n * k), minus = at(n * k);
  optim::flatten(x, std::span<double, optim::flat_size<X>>(a));
  m.Plus(a.data(), delta.data(), b.data());
  m.Minus(b.data(), a.data(), back.data());
  for (int i = 0; i < k; ++i)
    CHECK(back[static_cast<std::size_t>(i)] == doctest::Approx(delta[static_cast<std::size_t>(i)]).epsilon(1e-12));
  m.PlusJacobian(a.data(), plus.data());
  m.MinusJacobian(a.data(), minus.data());
  for (int j = 0; j < k; ++j) {
    auto step = at(k), above = at(n), below = at(n), difference = at(k);
    step[static_cast<std::size_t>(j)] = 1e-6;
    m.Plus(a.data(), step.data(), above.data());
    step[static_cast<std::size_t>(j)] = -1e-6;
    m.Plus(a.data(), step.data(), below.data());
    for (int i = 0; i < n; ++i) {
      double const slope = (above[static_cast<std::size_t>(i)] - below[static_cast<std::size_t>(i)]) * 5e5;
      CHECK(std::abs(plus[static_cast<std::size_t>(i * k + j)] - slope) < 1e-8);
    }
    for (int i = 0; i < k; ++i) {
      double entry = 0;
      for (int l = 0; l < n; ++l)
        entry += minus[static_cast<std::size_t>(i * n + l)] * plus[static_cast<std::size_t>(l * k + j)];
      CHECK(std::abs(entry - (i == j)) < 1e-14);
    }
  }
  for (int l = 0; l < n; ++l) {  // the derivative of Minus by its first operand, in any direction
    auto above = a, below = a, of_above = at(k), of_below = at(k);
    above[static_cast<std::size_t>(l)] += 1e-6, below[static_cast<std::size_t>(l)] -= 1e-6;
    m.Minus(above.data(), a.data(), of_above.data());
    m.Minus(below.data(), a.data(), of_below.data());
    for (int i = 0; i < k; ++i)
      CHECK(std::abs(minus[static_cast<std::size_t>(i * n + l)] -
                     (of_above[static_cast<std::size_t>(i)] - of_below[static_cast<std::size_t>(i)]) * 5e5) < 1e-8);
  }
}

TEST_CASE("manifolds: Plus, Minus and both Jacobians") {
  check_manifold(so3<double>::exp(tensor<double, 3>{0.3, 0.5, -0.2}), {0.1, 0.2, 0.3});
  check_manifold(se3<double>::exp(tensor<double, 6>{1, 2, 3, 0.3, 0.5, -0.2}), {0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
  check_manifold(unit_sphere<double, 3>(tensor<double, 3>{0.6, 0, -0.8}), {0.4, -0.3});
  check_manifold(std::tuple{so3<double>(), 2.0}, {0.1, 0.2, 0.3, 0.4});
}

TEST_CASE("Ceres finds a pose from points that it has moved") {
  constexpr auto misfit = [](auto const& pose, auto const& point, auto const& seen) { return act(pose, point) - seen; };
  auto const truth = se3<double>::exp(tensor<double, 6>{1, 2, 3, 0.8, -0.9, 1.1});
  tensor<double, 3, 9> points, seen;
  for (int n = 0; n < 9; ++n) {
    tensor<double, 3> const p{std::sin(3.0 * n), std::cos(5.0 * n), 0.3 * n};
    auto const q = act(truth, p);
    for (int i = 0; i < 3; ++i) points(i, n) = p(i), seen(i, n) = q(i);
  }
  se3<double> pose;
  double block[7];
  optim::flatten(pose, std::span<double, 7>(block));
  ceres::Problem problem;
  problem.AddResidualBlock(optim::ceres_cost<wrt<0>>(misfit, pose, points, seen).release(), nullptr, block);
  problem.SetManifold(block, new optim::ceres_manifold<se3<double>>);
  auto const summary = solve(problem);
  CHECK(summary.final_cost < 1e-20);
  optim::unflatten(std::span<double const, 7>(block), pose);
  for (double each : local(truth, pose)) CHECK(std::abs(each) < 1e-9);
}

}  // namespace
