// The exponentials are kept where the gradient will be; the second pass divides by their sum.
#include "problem.hpp"

#include "../by_hand.hpp"

namespace lse_problem {

rival const here{"hand", [](data const& d, gradient& g) -> double {
                   using bench::doubles;
                   doubles sum[5]{};
                   for (int i = 0; i < count; i += 40)
                     for (int u = 0; u < 5; ++u) {
                       auto const y = bench::exp(bench::load<doubles>(d.x.data() + i + 8 * u));
                       sum[u] += y;
                       bench::store(g.x.data() + i + 8 * u, y);
                     }
                   double const total = bench::sum_of(((sum[0] + sum[1]) + (sum[2] + sum[3])) + sum[4]),
                                share = 1 / total;
                   for (int i = 0; i < count; i += 8)
                     bench::store(g.x.data() + i, share * bench::load<doubles>(g.x.data() + i));
                   return std::log(total);
                 }};

}  // namespace lse_problem
