// The error of one observation as a lambda on a rigid motion, its Jacobian along tangent vectors, mapped over all.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace bundle {

namespace {

constexpr auto of_observation = [](auto numbers, auto point, auto seen) {
  using number = etch::symbol<double>;
  etch::manifold::so3<number> const turn(numbers(3), numbers(4), numbers(5), numbers(6));
  etch::manifold::se3<number> const pose(turn, numbers.template head<3>());
  return std::tuple(reprojection(pose, point, seen), etch::jacobian<etch::wrt<0, 1>>(reprojection)(pose, point, seen));
};
constexpr auto of_all = [](auto poses, auto points, auto seen, auto camera_of, auto point_of) {
  return etch::map(of_observation, gather<1>(poses, camera_of), gather<1>(points, point_of), seen);
};

}  // namespace

rival const here{"etch", [](data const& d, linearised& l) {
                   auto& program = etch::compile<etch::wrt<>, etch::in_static_storage>(of_all, d.pose, d.point, d.seen,
                                                                                       d.camera_of, d.point_of);
                   program(d.pose, d.point, d.seen, d.camera_of, d.point_of);
                   l = {program.result<0>().data(), program.result<1>().data()};
                   return l.error[0];
                 }};

}  // namespace bundle
