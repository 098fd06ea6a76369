// The same with fixed-size Eigen maps.
#include "problem.hpp"

namespace regression_problem {

rival const here{"eigen", [](data const& d, gradient& g) -> double {
                   static etch::tensor<double, rows> storage;
                   auto miss = storage.flat();
                   miss = d.y.flat();
                   miss.noalias() -= d.x.matrix() * d.w.flat();
                   miss.array() = (miss.array() - d.b) / d.sigma;
                   double const squared = miss.squaredNorm();
                   g.w.flat().noalias() = d.x.matrix().transpose() * miss;
                   g.w.flat() = g.w.flat() / d.sigma - d.w.flat();
                   g.b = miss.sum() / d.sigma - d.b;
                   g.sigma = (squared - rows) / d.sigma;
                   return -0.5 * (squared + d.w.flat().squaredNorm() + d.b * d.b) - rows * std::log(d.sigma);
                 }};

}  // namespace regression_problem
