// CppAD: one optimised tape for an observation, by a step of the pose and by the point; poses and images are its
// dynamic parameters.
#include "scalar.hpp"

#include <cppad/cppad.hpp>

#include <memory>
#include <vector>

namespace bundle {

namespace {

using numbers = std::vector<double>;

struct recorded {
  CppAD::ADFun<double> error;
  etch::tensor<double, 2, observations> errors;
  etch::tensor<double, 2 * columns, observations> jacobians;

  recorded() {
    using number = CppAD::AD<double>;
    std::vector<number> x(columns), of_observation(ambient), y(2);
    for (int i = 0; i < 3; ++i) x[static_cast<std::size_t>(tangent + i)] = 1;
    for (int i : {2, 6}) of_observation[static_cast<std::size_t>(i)] = 1;
    CppAD::Independent(x, 0, false, of_observation);
    number const *const v = x.data(), *const q = &of_observation[3];
    // pose exp(v), to second order
    number const half[] = {0.5 * v[3], 0.5 * v[4], 0.5 * v[5]};
    number const cosine = 1.0 - 0.5 * (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    number moved[ambient] = {0.0,
                             0.0,
                             0.0,
                             q[3] * half[0] + q[0] * cosine + q[1] * half[2] - q[2] * half[1],
                             q[3] * half[1] + q[1] * cosine + q[2] * half[0] - q[0] * half[2],
                             q[3] * half[2] + q[2] * cosine + q[0] * half[1] - q[1] * half[0],
                             q[3] * cosine - q[0] * half[0] - q[1] * half[1] - q[2] * half[2]};
    number const a = 2.0 * (q[1] * v[2] - q[2] * v[1]), b = 2.0 * (q[2] * v[0] - q[0] * v[2]),
                 c = 2.0 * (q[0] * v[1] - q[1] * v[0]);
    moved[0] = of_observation[0] + v[0] + q[3] * a + (q[1] * c - q[2] * b);
    moved[1] = of_observation[1] + v[1] + q[3] * b + (q[2] * a - q[0] * c);
    moved[2] = of_observation[2] + v[2] + q[3] * c + (q[0] * b - q[1] * a);
    constexpr double nowhere[] = {0, 0};
    project(moved, &x[tangent], nowhere, y.data());
    error.Dependent(x, y);
    error.optimize();
  }
  void evaluate(data const &d) {
    numbers x(columns), pose(ambient), weight(2), row(columns);
    for (int o = 0; o < observations; ++o) {
      double const *const numbers_of_pose = &d.pose.data()[ambient * d.camera_of(o)],
                          *const point = &d.point.data()[3 * d.point_of(o)];
      pose.assign(numbers_of_pose, numbers_of_pose + ambient);
      error.new_dynamic(pose);
      for (int i = 0; i < 3; ++i) x[static_cast<std::size_t>(tangent + i)] = point[i];
      numbers const at = error.Forward(0, x);
      for (int i = 0; i < 2; ++i) {
        errors(i, o) = at[static_cast<std::size_t>(i)] - d.seen(i, o);
        weight = {i == 0 ? 1.0 : 0.0, i == 0 ? 0.0 : 1.0};
        row = error.Reverse(1, weight);
        for (int j = 0; j < columns; ++j) jacobians(i + 2 * j, o) = row[static_cast<std::size_t>(j)];
      }
    }
  }
};

}  // namespace

rival const here{"cppad", [](data const &d, linearised &l) {
                   static auto const kept = std::make_unique<recorded>();
                   kept->evaluate(d);
                   l = {kept->errors.data(), kept->jacobians.data()};
                   return l.error[0];
                 }};

}  // namespace bundle
