#include <etch/op/eigen/quaternion_expr.hpp>

#include "op/four_ways.hpp"

#include <Eigen/Geometry>

using namespace four_ways;
using Eigen::Vector3d, Eigen::Vector4d;

static_assert(std::is_same_v<etch::quaternion<double>, Eigen::Quaterniond>);
static_assert(std::is_same_v<etch::quaternion<symbol<double>>, quaternion_expr<double>>);

TEST_CASE("products, inverses and rotations by quaternions") {
  check<Vector4d, Vector4d, Vector3d>([](auto a, auto b, auto v) {
    using T = entry_type<decltype(a)>;
    etch::quaternion<T> q(a(0), a(1), a(2), a(3));
    etch::quaternion<T> p(b);
    q.normalize();
    auto const r = (q * p.inverse()).normalized() * etch::quaternion<T>::Identity();
    p *= q.conjugate();
    return (q * v).dot(r * v) + r._transformVector(v)(1) + (q.toRotationMatrix() * v)(2) * p.squaredNorm() + p.dot(q) +
           p.norm() + q.x() * p.y() - q.z() * p.w() + p.vec().dot(v) + p.coeffs()(3) + r.matrix().trace();
  });
}
