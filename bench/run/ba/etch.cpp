// The error of one observation as a lambda, mapped over all.
#include <etch/etch.hpp>

#include "loss.hpp"
#include "problem.hpp"

namespace ba_problem {

namespace {

constexpr auto jacobian = [](auto cameras, auto points, auto weights, auto features, auto camera_of, auto point_of) {
  return etch::jacobian_map<etch::wrt<0, 1, 2>>(error_of, gather<1>(cameras, camera_of), gather<1>(points, point_of), weights, features)
      .jacobian;
};
constexpr auto weight_derivative = [](auto weights) {
  return etch::reshape<observations>(etch::jacobian_map([](auto w) { return 1 - square(w); }, weights).jacobian);
};

auto& error_program() {
  static data d;
  static auto program = etch::compile<etch::wrt<>>(jacobian, d.camera, d.point, d.weight, d.feature, d.camera_of, d.point_of);
  return program;
}
auto& weight_program() {
  static etch::tensor<double, observations> weight;
  static auto program = etch::compile<etch::wrt<>>(weight_derivative, weight);
  return program;
}

}  // namespace

rival etch_rival() {
  return {"etch",
          [](data const& d) {
            return jacobians{error_program()(d.camera, d.point, d.weight, d.feature, d.camera_of, d.point_of).data(),
                             weight_program()(d.weight).data()};
          },
          static_cast<double>(std::remove_reference_t<decltype(error_program())>::facts.flops)};
}

}  // namespace ba_problem
