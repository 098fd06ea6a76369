// The error of one observation as a lambda, mapped over all.
#include <etch/etch.hpp>

#include "loss.hpp"
#include "problem.hpp"

namespace ba_problem {

namespace {

constexpr auto point_jacobians_of = [](auto cameras, auto points, auto weights, auto features, auto camera_of,
                                       auto point_of) {
  return etch::jacobian_map<etch::wrt<0, 1, 2>>(error_of, gather<1>(cameras, camera_of), gather<1>(points, point_of),
                                                weights, features)
      .jacobian;
};
constexpr auto weight_derivative = [](auto weights) {
  return etch::reshape<observations>(etch::jacobian_map([](auto w) { return 1 - square(w); }, weights).jacobian);
};

}  // namespace

rival const here{"etch", [](data const& d, jacobians& g) {
                   static auto errors = etch::compile<etch::wrt<>>(point_jacobians_of, d.camera, d.point, d.weight,
                                                                   d.feature, d.camera_of, d.point_of);
                   static auto weights = etch::compile<etch::wrt<>>(weight_derivative, d.weight);
                   g = {errors(d.camera, d.point, d.weight, d.feature, d.camera_of, d.point_of).data(),
                        weights(d.weight).data()};
                   return g.error[0];
                 }};

}  // namespace ba_problem
