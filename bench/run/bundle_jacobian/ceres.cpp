// Ceres: AutoDiffCostFunction, whose jets carry ten derivatives, times the derivative of the manifold's Plus, which is
// computed once for each pose, as Ceres does. The product is Eigen's of sizes known to the compiler; that of Ceres is
// of sizes known at run time.
#include "scalar.hpp"

#include <ceres/autodiff_cost_function.h>
#include <ceres/manifold.h>

#include <Eigen/Dense>

#include <memory>
#include <vector>

namespace bundle {

namespace {

using plus_jacobian = Eigen::Matrix<double, ambient, tangent, Eigen::RowMajor>;

/// A rigid motion with steps from the right, pose exp(v).
class motion final : public ceres::Manifold {
 public:
  int AmbientSize() const override { return ambient; }
  int TangentSize() const override { return tangent; }
  bool PlusJacobian(double const* pose, double* to) const override {
    Eigen::Map<plus_jacobian> jacobian(to);
    Eigen::Quaterniond const q(pose + 3);
    jacobian.setZero();
    jacobian.topLeftCorner<3, 3>() = q.toRotationMatrix();
    jacobian.bottomRightCorner<4, 3>() << q.w(), -q.z(), q.y(), q.z(), q.w(), -q.x(), -q.y(), q.x(), q.w(), -q.x(),
        -q.y(), -q.z();
    jacobian.bottomRightCorner<4, 3>() *= 0.5;
    return true;
  }
  // Nothing is moved here.
  bool Plus(double const*, double const*, double*) const override { return false; }
  bool Minus(double const*, double const*, double*) const override { return false; }
  bool MinusJacobian(double const*, double*) const override { return false; }
};

struct residual {
  double const* seen;
  template <class T>
  bool operator()(T const* pose, T const* point, T* error) const {
    project(pose, point, seen, error);
    return true;
  }
};
using cost_function = ceres::AutoDiffCostFunction<residual, 2, ambient, 3>;

struct all_blocks {
  std::vector<std::unique_ptr<ceres::CostFunction>> costs;
  motion manifold;
  etch::tensor<double, 2, observations> errors;
  etch::tensor<double, 2 * columns, observations> jacobians;

  explicit all_blocks(data const& d) {
    for (int o = 0; o < observations; ++o)
      costs.push_back(std::make_unique<cost_function>(new residual{&d.seen.data()[2 * o]}));
  }
  void evaluate(data const& d) {
    plus_jacobian plus[cameras];
    for (int c = 0; c < cameras; ++c) manifold.PlusJacobian(&d.pose.data()[ambient * c], plus[c].data());
    for (int o = 0; o < observations; ++o) {
      Eigen::Matrix<double, 2, ambient, Eigen::RowMajor> by_pose;
      Eigen::Matrix<double, 2, 3, Eigen::RowMajor> by_point;
      int const camera = d.camera_of(o);
      double const* const parameters[] = {&d.pose.data()[ambient * camera], &d.point.data()[3 * d.point_of(o)]};
      double* blocks[] = {by_pose.data(), by_point.data()};
      costs[static_cast<std::size_t>(o)]->Evaluate(parameters, &errors.data()[2 * o], blocks);
      Eigen::Map<Eigen::Matrix<double, 2, columns>> jacobian(&jacobians.data()[2 * columns * o]);
      jacobian.leftCols<tangent>().noalias() = by_pose.lazyProduct(plus[camera]);
      jacobian.rightCols<3>() = by_point;
    }
  }
};

}  // namespace

rival const here{"ceres", [](data const& d, linearised& l) {
                   static auto const all = std::make_unique<all_blocks>(d);
                   all->evaluate(d);
                   l = {all->errors.data(), all->jacobians.data()};
                   return l.error[0];
                 }};

}  // namespace bundle
