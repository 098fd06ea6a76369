#include <etch/op/eigen/quaternion_expr.hpp>

#include "op/three_ways.hpp"

#include <Eigen/Geometry>

using namespace three_ways;
using Eigen::Vector3d;

TEST_CASE("a quaternion is an argument, and its gradient one") {
  constexpr auto f = [](auto q, auto v) { return (q * v)(0) * (q.inverse() * v)(1) + q.w(); };
  Eigen::Quaterniond q(0.9, -0.2, 0.3, 0.1);
  Vector3d const v(1, 2, -0.5);
  auto const [value, g] = value_and_grad(f)(q, v);
  static_assert(std::is_same_v<decltype(g), Eigen::Quaterniond const>);
  CHECK(value == doctest::Approx(f(q, v)).epsilon(1e-14));
  for (int i = 0; i < 4; ++i)
    CHECK(g.coeffs()(i) == doctest::Approx(difference(q.coeffs()(i), [&] { return f(q, v); })).epsilon(1e-8));
}

namespace {
template <class T>
struct body {
  etch::quaternion<T> attitude;
  etch::vector<T, 3> position;
  T mass;
  ETCH_MEMBERS(body, attitude, position, mass)

  constexpr auto energy(auto const& point) const {
    etch::vector<T, 3> const gravity(0, 0, -9.81);
    return mass * (attitude * point + position).dot(gravity) + (attitude * gravity).squaredNorm() / mass;
  }
};
}  // namespace

TEST_CASE("structs of quaternions and vectors") {
  body<double> b{Eigen::Quaterniond(0.8, 0.1, -0.3, 0.2), Vector3d(1, -2, 0.5), 2.5};
  Vector3d const p(0.3, 0.7, -1);
  constexpr auto f = [](auto const& x, auto const& point) { return x.energy(point); };
  auto const [value, g] = value_and_grad(f)(b, p);
  CHECK(value == doctest::Approx(f(b, p)).epsilon(1e-14));
  auto const plain = [&] { return f(b, p); };
  for (int i = 0; i < 4; ++i)
    CHECK(g.attitude.coeffs()(i) == doctest::Approx(difference(b.attitude.coeffs()(i), plain)).epsilon(1e-8));
  for (int i = 0; i < 3; ++i) CHECK(g.position(i) == doctest::Approx(difference(b.position(i), plain)).epsilon(1e-8));
  CHECK(g.mass == doctest::Approx(difference(b.mass, plain)).epsilon(1e-8));
  auto const taped = dynamic::value_and_grad(f)(b, p);
  CHECK(taped.value == doctest::Approx(value).epsilon(1e-14));
  CHECK((taped.grad.attitude.coeffs() - g.attitude.coeffs()).norm() < 1e-12 * g.attitude.coeffs().norm());
  CHECK((taped.grad.position - g.position).norm() < 1e-12 * g.position.norm());
}
