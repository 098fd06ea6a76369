#include <etch/op/eigen/quaternion_expr.hpp>

#include "op/four_ways.hpp"

#include <Eigen/Geometry>

using namespace four_ways;
using Eigen::Vector3d, Eigen::Vector4d;

TEST_CASE("slerp and angles between quaternions") {
  check<Vector4d, Vector4d, Vector3d>([](auto a, auto b, auto v) {
    using T = entry_type<decltype(a)>;
    etch::quaternion<T> const q = etch::quaternion<T>(a).normalized(), p = etch::quaternion<T>(b).normalized();
    return (q.slerp(v(0) * 0.5, p) * v)(1) +
           q.slerp(0.25, etch::quaternion<T>(etch::vector<T, 4>(-p.coeffs()))).coeffs().sum() + q.angularDistance(p) +
           q.slerp(v(1), q).w();
  });
}
