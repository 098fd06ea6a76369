// The same with fixed-size Eigen maps.
#include "problem.hpp"

namespace lse_problem {

rival eigen_rival() {
  return {"eigen",
          [](data const& d, gradient& g) -> double {
            g.x.array() = d.x.array().exp();
            double const total = g.x.array().sum();
            g.x.array() /= total;
            return std::log(total);
          },
          flops};
}

}  // namespace lse_problem
