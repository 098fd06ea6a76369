#include "sparse_checks.hpp"

using sparse_checks::check_hessian;
using sparse_checks::fill;

namespace {

template <class T>
struct pose {
  etch::param<T, 3> position;
  etch::param<T> heading;
  ETCH_MEMBERS(pose, position, heading)
};

}  // namespace

TEST_CASE("a chain, an arrow, and a sum of functions of one number each") {
  etch::tensor<double, 9> x;
  fill(x);
  check_hessian([](auto v) { return sum(exp(v)); }, 9, 1, x);
  check_hessian(
      [](auto v) { return sum(100.0 * square(v.template tail<8>() - square(v.template head<8>()))) + sum(v); }, 25, 3,
      x);
  check_hessian([](auto v) { return sum(cwise_product(square(v), v(4) + v)); }, 25, 2, x);
  check_hessian([](auto v) { return square(sum(v)); }, 81, 9, x);
  check_hessian([](auto v) { return 3.0 * sum(v); }, 0, 0, x);
  // No entry on the diagonal.
  check_hessian([](auto v) { return dot(v.template tail<8>(), v.template head<8>()); }, 16, 3, x);
}

TEST_CASE("matrices, structs, floats and further arguments") {
  etch::tensor<double, 3, 4> a;
  etch::tensor<double, 4> w;
  fill(a), fill(w, 0.2);
  check_hessian([](auto m, auto u) { return sum(square(m * u)); }, 48, 4, a, w);
  pose<double> p;
  fill(p);
  check_hessian([](auto q) { return sum(square(q.position) * cos(q.heading)); }, 10, 2, p);
  etch::tensor<float, 5> x;
  fill(x);
  check_hessian([](auto v) { return sum(cwise_product(v, square(v))); }, 5, 1, x);
  check_hessian([](auto s) { return exp(s * s); }, 1, 1, 0.3);
  Eigen::Vector3d e(0.3, 0.5, 0.7);
  check_hessian([](auto v) { return v(0) * v(1) + pow(v(2), 3.0); }, 3, 2, e);
}

TEST_CASE("value and gradient are those of the call") {
  etch::tensor<double, 6> x;
  fill(x);
  constexpr auto f = [](auto v) { return sum(exp(v)) + v(0) * v(5); };
  auto p = etch::sparse_hessian(f, x);
  p(x);
  auto const [value, gradient] = etch::value_and_grad(f)(x);
  CHECK(p.value() == doctest::Approx(value).epsilon(1e-15));
  for (int i = 0; i < 6; ++i) CHECK(p.gradient()(i) == doctest::Approx(gradient(i)).epsilon(1e-15));
  CHECK(p.matrix().coeff(0, 5) == 1);
}
