#include <etch/op/eigen/methods.hpp>

#include "op/three_ways.hpp"

using namespace three_ways;
using Eigen::Array3d, Eigen::Array33d, Eigen::Vector3d;
using matrix34 = Eigen::Matrix<double, 3, 4>;
using array34 = Eigen::Array<double, 3, 4>;

TEST_CASE("trigonometric functions of arrays") {
  on<array34, array34>::check([](auto a, auto b) {
    return (a.sin() * b.cos() + a.tan() / (2 + b.atan())).sum() + ((0.5 * a).asin() - (0.6 * b).acos()).square().sum();
  });
}

TEST_CASE("exponentials, logarithms and hyperbolic functions of arrays") {
  on<Vector3d, Vector3d>::check([](auto x, auto y) {
    auto a = x.array();
    auto b = y.array();
    return (a.exp() * b.log() + a.expm1() / b.log1p() + a.sinh() - b.cosh() * a.tanh() + b.log10() * b.logistic())
        .sum();
  });
}

TEST_CASE("powers and roots, of arrays and of the entries of matrices") {
  on<matrix34, matrix34>::check([](auto x, auto y) {
    auto a = x.array();
    auto b = y.array();
    auto roots = (a.sqrt() * b.rsqrt() + a.pow(2.5) + b.pow(-2) * a.cube() + b.square() / a.abs2() + a.inverse()).sum();
    return roots + x.cwiseSqrt().cwiseProduct(y.cwiseInverse()).sum() + x.cwiseAbs2().cwiseQuotient(y).sum();
  });
}

TEST_CASE("rounded values are constants of their neighbourhood") {
  on<Array3d>::check([](auto x) {
    return (x * (3 * x).floor() + x.square() * (x * 2).ceil() + (x * 5).round() / x + (x - 1).sign() * x).sum();
  });
}

TEST_CASE("free functions are found by their arguments") {
  on<array34, Array33d>::check([](auto x, auto y) {
    return (exp(-x) * sqrt(x) + log(x) * tanh(x)).sum() +
           (abs(y - 1) + pow(y, 3.0) - sin(y) * cos(y) + square(y) + rsqrt(y)).mean();
  });
}

TEST_CASE("the Huber loss chooses by a mask") {
  on<matrix34, matrix34>::check([](auto prediction, auto target) {
    auto r = (prediction - target).array().eval();
    return (r.abs() < 0.25).select(0.5 * r.square(), 0.25 * (r.abs() - 0.125)).sum() +
           (r > 0).select(r, 0.1 * r).mean();
  });
}

TEST_CASE("hinge, clamp and the larger of two") {
  on<matrix34, matrix34>::check([](auto x, auto y) {
    auto margin = (1.1 - x.array() * y.array()).max(0.0).sum();
    auto clamped = x.cwiseMax(0.7).cwiseMin(1.3).cwiseProduct(y).sum();
    return margin + clamped + (x.cwiseMax(y) - 0.5 * x.cwiseMin(y)).squaredNorm() +
           (x.array().min(y.array()) * y.array().max(1.0)).sum() + (x - y).cwiseAbs().sum();
  });
}

TEST_CASE("a cast keeps the gradient in the type of the argument") {
  constexpr auto loss = [](auto x) { return (x.template cast<double>().array().exp() * 2).sum(); };
  Eigen::Vector3f const x(0.25f, 0.5f, -1);
  auto const [value, g] = value_and_grad(loss)(x);
  static_assert(std::is_same_v<decltype(value), double const>);
  CHECK(value == doctest::Approx(loss(x)).epsilon(1e-14));
  for (int i = 0; i < 3; ++i) CHECK(g[i] == static_cast<float>(2 * std::exp(static_cast<double>(x[i]))));
}

// Sizes are constants also of a traced matrix, as they are of Eigen's.
template <class X>
constexpr bool knows_its_size() {
  return X::RowsAtCompileTime == 3 && X::ColsAtCompileTime == 4 && X::SizeAtCompileTime == 12;
}
static_assert(knows_its_size<matrix34>() && knows_its_size<expr<double, 3, 4>>() &&
              knows_its_size<array_expr<double, 3, 4>>());
static_assert(expr<float, 3, 4>::rows() == 3 && expr<float, 3, 4>::cols() == 4 && expr<float, 3>::cols() == 1 &&
              expr<float, 3>::size() == 3);
