// ADBench's bundle adjustment, its 31,843 observations in two.
#include "cores.hpp"

#include "../ba/loss.hpp"
#include "../ba/problem.hpp"

namespace {

using ba_problem::data;
constexpr auto jacobians = [](auto cameras, auto points, auto weights, auto features, auto camera_of, auto point_of) {
  return etch::jacobian_map<etch::wrt<0, 1, 2>>(ba_problem::error_of, gather<1>(cameras, camera_of),
                                                gather<1>(points, point_of), weights, features)
      .jacobian;
};
constinit auto step =
    etch::compile<etch::wrt<>>(jacobians, decltype(data::camera){}, decltype(data::point){}, decltype(data::weight){},
                               decltype(data::feature){}, decltype(data::camera_of){}, decltype(data::point_of){});
constinit decltype(step) beside{};
constinit auto shared = etch::parallel<2>(
    etch::compile<etch::wrt<>>(jacobians, decltype(data::camera){}, decltype(data::point){}, decltype(data::weight){},
                               decltype(data::feature){}, decltype(data::camera_of){}, decltype(data::point_of){}));
data in;
bool const filled = (ba_problem::problem::fill(in), true);
double call(auto& program) {
  auto const& all = program(in.camera, in.point, in.weight, in.feature, in.camera_of, in.point_of);
  return all[0] + all[all.size() - 1];
}

cores::entered const here(
    "ba", [] { return call(step); }, [] { return call(beside); }, [] { return call(shared); },
    [] { return cores::distance(step.value(), shared.value()); });

}  // namespace
