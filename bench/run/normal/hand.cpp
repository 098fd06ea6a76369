// One pass over memory: sums of the distances and of their squares, and the gradient stored on the way.
#include "problem.hpp"

#include "../by_hand.hpp"

namespace normal_problem {

rival const here{"hand", [](data const& d, gradient& g) -> double {
                   using bench::doubles;
                   double const r = 1 / d.sigma, weight = -r * r;
                   doubles sum[5]{}, squares[5]{};
                   for (int i = 0; i < count; i += 40)
                     for (int u = 0; u < 5; ++u) {
                       doubles const miss = bench::load<doubles>(d.x.data() + i + 8 * u) - d.mu;
                       sum[u] += miss;
                       squares[u] += miss * miss;
                       bench::store(g.x.data() + i + 8 * u, weight * miss);
                     }
                   double const misses = bench::sum_of(((sum[0] + sum[1]) + (sum[2] + sum[3])) + sum[4]),
                                squared =
                                    r * r *
                                    bench::sum_of(((squares[0] + squares[1]) + (squares[2] + squares[3])) + squares[4]);
                   g.mu = r * r * misses;
                   g.sigma = r * (squared - count);
                   return -0.5 * squared - count * (std::log(d.sigma) + 0.91893853320467274178);
                 }};

}  // namespace normal_problem
