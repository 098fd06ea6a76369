// The loss as a lambda, compiled.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace sum_atan2_problem {

rival const here{"etch", [](data const& d, gradient& g) -> double {
                   static etch::tensor<float, count> const like{};
                   static auto step = etch::compile([](auto x) { return sum(atan2(x, 2.0f)); }, like);
                   return step(d.x, etch::into(g.x));
                 }};

}  // namespace sum_atan2_problem
