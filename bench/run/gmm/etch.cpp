// The likelihood of one point as a lambda, summed over all.
#include <etch/etch.hpp>

#include "loss.hpp"
#include "problem.hpp"

namespace gmm_problem {

rival const here{"etch", [](data const& in, parameters& g) {
                   static auto step = etch::compile<etch::wrt<0, 1, 2>>(
                       loss, in.model.alpha, in.model.means, in.model.icf, in.x, in.gamma, in.m, in.constant);
                   return step(in.model.alpha, in.model.means, in.model.icf, in.x, in.gamma, in.m, in.constant,
                               etch::into(g.alpha, g.means, g.icf));
                 }};

}  // namespace gmm_problem
