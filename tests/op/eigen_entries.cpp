#include <etch/op/eigen/entries.hpp>

#include "op/three_ways.hpp"

using namespace three_ways;
using Eigen::Array33d, Eigen::Vector3d, Eigen::RowVector4d;
using matrix34 = Eigen::Matrix<double, 3, 4>;

TEST_CASE("a function of the user's for every entry") {
  on<matrix34, Array33d>::check([](auto x, auto a) {
    using std::exp;
    return x.unaryExpr([](auto v) { return exp(v) * v - 2; }).squaredNorm() +
           a.unaryExpr([](auto v) { return 1 / (1 + v * v); }).sum() + x.unaryExpr([](auto) { return 3.0; }).sum();
  });
}

TEST_CASE("a function that takes the scalar type") {
  on<matrix34>::check([](auto x) {
    using T = typename decltype(x)::Scalar;
    return x.unaryExpr([](T const& v) { return v * v * v; }).col(1).dot(x.col(0));
  });
}

TEST_CASE("a function of two entries") {
  on<matrix34, matrix34>::check(
      [](auto x, auto y) { return x.binaryExpr(y, [](auto a, auto b) { return a * b / (a + b); }).squaredNorm(); });
}

TEST_CASE("loops over entries") {
  on<Vector3d, RowVector4d>::check([](auto x, auto y) {
    typename decltype(x)::Scalar total = 0, product = 1;
    for (auto const& each : x) total += each * each;
    for (auto each : y) product *= each + total;
    return product;
  });
}
