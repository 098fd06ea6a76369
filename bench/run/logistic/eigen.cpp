// The same with fixed-size Eigen maps: the matrix by a vector, and its transpose by another.
#include "problem.hpp"

#include <cmath>

namespace logistic_problem {

rival const here{"eigen", [](data const& d, gradient& g) -> double {
                   static etch::tensor<double, rows> storage, misses, exponentials;
                   auto eta = storage.flat(), miss = misses.flat();
                   auto e = exponentials.flat().array();
                   eta.noalias() = d.x.matrix() * d.w.flat();
                   eta.array() += d.b;
                   e = (-eta.array().abs()).exp();
                   miss.array() = d.y.flat().array() - (eta.array() < 0).select(e, 1.0) / (1.0 + e);
                   g.w.flat().noalias() = d.x.matrix().transpose() * miss;
                   g.w.flat() -= d.w.flat();
                   g.b = miss.sum() - d.b;
                   return d.y.flat().dot(eta) - (eta.array().max(0.0) + e.log1p()).sum() -
                          0.5 * (d.w.flat().squaredNorm() + d.b * d.b);
                 }};

}  // namespace logistic_problem
