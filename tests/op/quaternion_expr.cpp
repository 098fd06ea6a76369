#include <etch/op/quaternion_expr.hpp>

#include "op/three_ways.hpp"

#include <Eigen/Geometry>

using namespace three_ways;
using Eigen::Matrix3d, Eigen::Vector3d, Eigen::Vector4d;

static_assert(std::is_same_v<etch::quaternion<double>, Eigen::Quaterniond> && std::is_same_v<etch::angle_axis<float>, Eigen::AngleAxisf>);
static_assert(std::is_same_v<etch::quaternion<symbol<double>>, quaternion_expr<double>> &&
              std::is_same_v<etch::angle_axis<var<float>>, angle_axis_expr<float>>);

namespace {

template <class X>
using entry_type = std::remove_cvref_t<decltype(std::declval<X const&>()(0))>;

/// The same on a tape as compiled.
template <class... M, class F>
void check(F f) {
  on<M...>::check(f);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    using positions = wrt<static_cast<int>(I)...>;
    auto const compiled = value_and_grad<positions>(f)(eigen<M>(sample<M, I>())...);
    auto const taped = dynamic::value_and_grad<positions>(f)(eigen<M>(sample<M, I>())...);
    CHECK(taped.value == doctest::Approx(compiled.value).epsilon(1e-13));
    auto const close = [](auto const& a, auto const& b) { CHECK((a - b).norm() <= 1e-12 * (1 + b.norm())); };
    (close(std::get<I>(taped.grad), std::get<I>(compiled.grad)), ...);
  }
  (std::index_sequence_for<M...>{});
}

}  // namespace

TEST_CASE("products, inverses and rotations by quaternions") {
  check<Vector4d, Vector4d, Vector3d>([](auto a, auto b, auto v) {
    using T = entry_type<decltype(a)>;
    etch::quaternion<T> q(a(0), a(1), a(2), a(3));
    etch::quaternion<T> p(b);
    q.normalize();
    auto const r = (q * p.inverse()).normalized() * etch::quaternion<T>::Identity();
    p *= q.conjugate();
    return (q * v).dot(r * v) + r._transformVector(v)(1) + (q.toRotationMatrix() * v)(2) * p.squaredNorm() + p.dot(q) + p.norm() +
           q.x() * p.y() - q.z() * p.w() + p.vec().dot(v) + p.coeffs()(3) + r.matrix().trace();
  });
}

TEST_CASE("slerp and angles between quaternions") {
  check<Vector4d, Vector4d, Vector3d>([](auto a, auto b, auto v) {
    using T = entry_type<decltype(a)>;
    etch::quaternion<T> const q = etch::quaternion<T>(a).normalized(), p = etch::quaternion<T>(b).normalized();
    return (q.slerp(v(0) * 0.5, p) * v)(1) + q.slerp(0.25, etch::quaternion<T>(etch::vector<T, 4>(-p.coeffs()))).coeffs().sum() +
           q.angularDistance(p) + q.slerp(v(1), q).w();
  });
}

TEST_CASE("rotations about an axis") {
  check<Vector3d, Vector3d>([](auto x, auto v) {
    using T = entry_type<decltype(x)>;
    etch::angle_axis<T> const a(x(0), etch::vector<T, 3>(x.normalized())), z(x(1), etch::vector<T, 3>::UnitZ());
    etch::quaternion<T> const q(a);
    etch::angle_axis<T> const back(q * etch::quaternion<T>(z));
    return (a.toRotationMatrix() * v)(0) + (z * v)(1) + (q * v)(2) + (a * z * v).dot(v) + back.angle() + back.axis().dot(v) +
           (a.inverse() * v).sum() + a.angle() * a.axis()(1) + (z * q).w() + (q * z).x();
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
