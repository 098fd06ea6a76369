// The same with fixed-size Eigen maps.
#include "problem.hpp"

namespace normal_problem {

rival const here{"eigen", [](data const& d, gradient& g) -> double {
                   auto const miss = (d.x.array() - d.mu) / d.sigma;
                   double const squared = miss.square().sum();
                   g.x.array() = -miss / d.sigma;
                   g.mu = miss.sum() / d.sigma;
                   g.sigma = (squared - count) / d.sigma;
                   return -0.5 * squared - count * (std::log(d.sigma) + 0.91893853320467274178);
                 }};

}  // namespace normal_problem
