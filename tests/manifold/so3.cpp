#include <etch/manifold/so3.hpp>

#include "manifold/elements.hpp"

#include <Eigen/Geometry>

using namespace elements;
using namespace etch::manifold;

TEST_CASE("rotations are Eigen's") {
  for (auto const& v : tangents<so3<double>>({1e-9, 0.5, 2, 3})) {
    auto const q = so3<double>::exp(v);
    Eigen::Vector3d const axis = v.flat();
    Eigen::Quaterniond const other(Eigen::AngleAxisd(axis.norm(), axis.normalized()));
    so3<double> const same(other);
    CHECK(distance_of_elements(q, same) < 1e-15);
    Eigen::Matrix3d const m = other.toRotationMatrix();
    CHECK((q.matrix().matrix() - m).norm() < 1e-15);
    Eigen::Vector3d const p(1, -2, 0.5), turned = other * p;
    CHECK((act(q, p).flat() - turned).norm() < 1e-14);
    CHECK(distance_of_matrices(so3<double>::from_matrix(m), q) < 1e-14);
  }
}

TEST_CASE("a rotation from its matrix, whichever of its quaternion is largest") {
  for (int axis = 0; axis < 3; ++axis)
    for (double angle : {0.0, 0.2, 1.5, 2.5, 3.0, 3.1415926, -2.0}) {
      tensor<double, 3> v{0.1, 0.1, 0.1};
      v(axis) = angle;
      auto const q = so3<double>::exp(v);
      CHECK(distance_of_matrices(so3<double>::from_matrix(q.matrix()), q) < 1e-15);
    }
  constexpr auto through_matrix = [](auto v) {
    auto const q = etch::manifold::exp<so3>(v);
    return sum(log(so3<symbol<double>>::from_matrix(q.matrix())));
  };
  for (auto const& v : tangents<so3<double>>({0, 1e-4, 1, 2, 3})) {
    auto const g = grad(through_matrix)(v);
    for (double each : g) CHECK(each == doctest::Approx(1).epsilon(1e-10));
  }
}

TEST_CASE("only the length of a product drifts, and log does not see it") {
  auto const step = so3<double>::exp(tensor<double, 3>{0.01, 0.02, -0.01});
  so3<double> q;
  for (int i = 0; i < 100; ++i) q = compose(q, step);
  so3<double> const longer(1.1 * q.x, 1.1 * q.y, 1.1 * q.z, 1.1 * q.w);
  CHECK(distance(log(longer), log(q)) < 1e-15);
  CHECK(distance(log(q), tensor<double, 3>{1, 2, -1}) < 1e-12);
  CHECK(distance_of_elements(longer.normalized(), q) < 1e-12);
}

TEST_CASE("of both quaternions of a rotation log takes the shorter way") {
  auto const v = tensor<double, 3>{0.4, -0.2, 0.1};
  auto const q = so3<double>::exp(v);
  so3<double> const other(-q.x, -q.y, -q.z, -q.w);
  CHECK(distance(log(other), v) < 1e-15);
  auto const at_pi = log(so3<double>(0, 1, 0, 0));
  CHECK(at_pi(1) == doctest::Approx(3.141592653589793).epsilon(1e-16));
}
