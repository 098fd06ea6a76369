// The same with fixed-size Eigen maps.
#include "problem.hpp"

namespace sum_squares_problem {

rival const here{"eigen", [](data const& d, gradient& g) -> double {
                   auto const x = d.x.array();
                   g.x.array() = 2 * x;
                   return x.square().sum();
                 }};

}  // namespace sum_squares_problem
