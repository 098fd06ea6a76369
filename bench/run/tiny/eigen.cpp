// The same with fixed-size Eigen maps.
#include "problem.hpp"

namespace tiny_problem {

rival const here{"eigen", [](data const& d, gradient& g) -> double {
                   double total = 0;
                   bench::one_by_one(calls, [&](int) {
                     Eigen::RowVector2f const miss = (d.w.matrix() * d.x.matrix()).array() + d.b(0) - d.y.array();
                     g.w.matrix() = miss * d.x.matrix().transpose();
                     g.b(0) = miss.sum();
                     total += 0.5f * miss.squaredNorm();
                   });
                   return total;
                 }};

}  // namespace tiny_problem
