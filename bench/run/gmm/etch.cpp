// The likelihood of one point as a lambda, summed over all.
#include <etch/etch.hpp>

#include "loss.hpp"
#include "problem.hpp"

namespace gmm_problem {

namespace {

auto& program() {
  static data d;
  static auto step = etch::compile<etch::wrt<0, 1, 2>>(loss, d.model.alpha, d.model.means, d.model.icf, d.x, d.gamma, d.m, d.constant);
  return step;
}

}  // namespace

rival etch_rival() {
  return {"etch",
          [](data const& d, parameters& g) {
            return program()(d.model.alpha, d.model.means, d.model.icf, d.x, d.gamma, d.m, d.constant, etch::into(g.alpha, g.means, g.icf));
          },
          static_cast<double>(std::remove_reference_t<decltype(program())>::facts.flops)};
}

}  // namespace gmm_problem
