#include "sparse_checks.hpp"

#include <etch/manifold/group.hpp>
#include <etch/manifold/product.hpp>
#include <etch/manifold/se2.hpp>
#include <etch/transform/map.hpp>
#include <etch/manifold/so2.hpp>

using sparse_checks::check_hessian;
using sparse_checks::check_jacobian;

TEST_CASE("columns are those of tangent vectors") {
  using pose = etch::manifold::se2<double>;
  std::array<pose, 3> const poses{pose::exp(etch::tensor<double, 3>{0.1, 0.3, -0.2}),
                                  pose::exp(etch::tensor<double, 3>{0.4, -0.3, 0.7}), pose{}};
  // The motion from each to the next; and what the first and the last do to a point.
  check_jacobian([](auto x) { return etch::concat<0>(local(x[0], x[1]), local(x[1], x[2])); }, 28, 6, poses);
  check_hessian([](auto x) { return sum(act(x[0], etch::ones<2>())) + squared_norm(act(x[2], etch::ones<2>())); }, 14,
                3, poses);
}

TEST_CASE("manifolds beside points") {
  std::tuple<etch::manifold::so2<double>, etch::tensor<double, 2, 4>> x{
      etch::manifold::so2<double>::exp(etch::tensor<double, 1>{0.3}), {}};
  sparse_checks::fill(std::get<1>(x));
  check_jacobian([](auto v) { return etch::map([&](auto p) { return act(std::get<0>(v), p); }, std::get<1>(v)); }, 24,
                 3, x);
}
