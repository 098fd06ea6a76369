#include <etch/op/eigen/quaternion_expr.hpp>

#include "op/four_ways.hpp"

#include <Eigen/Geometry>

using namespace four_ways;
using Eigen::Vector3d, Eigen::Vector4d;

static_assert(std::is_same_v<etch::angle_axis<float>, Eigen::AngleAxisf>);
static_assert(std::is_same_v<etch::angle_axis<var<float>>, angle_axis_expr<float>>);

TEST_CASE("rotations about an axis") {
  check<Vector3d, Vector3d>([](auto x, auto v) {
    using T = entry_type<decltype(x)>;
    etch::angle_axis<T> const a(x(0), etch::vector<T, 3>(x.normalized())), z(x(1), etch::vector<T, 3>::UnitZ());
    etch::quaternion<T> const q(a);
    etch::angle_axis<T> const back(q * etch::quaternion<T>(z));
    return (a.toRotationMatrix() * v)(0) + (z * v)(1) + (q * v)(2) + (a * z * v).dot(v) + back.angle() +
           back.axis().dot(v) + (a.inverse() * v).sum() + a.angle() * a.axis()(1) + (z * q).w() + (q * z).x();
  });
}

TEST_CASE("the axis of no rotation is x, and its gradient is finite") {
  auto const [value, g] = value_and_grad([](auto c) {
    angle_axis_expr<double> const a{quaternion_expr<double>(matrix_expr<double, 4>(c))};
    return a.angle() + a.axis()(0);
  })(Vector4d(0, 0, 0, 1));
  CHECK(value == 1);
  CHECK(g.allFinite());
}
