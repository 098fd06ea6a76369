// One pass over the matrix: the misses of the eight rows in a register, and their share of the gradient at once.
#include "problem.hpp"

#include "../by_hand.hpp"

namespace regression_problem {

rival const here{"hand", [](data const& d, gradient& g) -> double {
                   using bench::doubles;
                   doubles sum[features]{}, misses{}, squares{};
                   for (int i = 0; i < rows; i += 8) {
                     doubles x[features], even = bench::load<doubles>(d.y.data() + i) - d.b, odd{};
                     for (int f = 0; f < features; ++f) x[f] = bench::load<doubles>(d.x.data() + i + rows * f);
                     for (int f = 0; f < features; f += 2) {
                       even -= x[f] * d.w(f);
                       odd -= x[f + 1] * d.w(f + 1);
                     }
                     doubles const miss = even + odd;
                     for (int f = 0; f < features; ++f) sum[f] += miss * x[f];
                     misses += miss;
                     squares += miss * miss;
                   }
                   double const r = 1 / d.sigma, squared = r * r * bench::sum_of(squares);
                   double norm = d.b * d.b;
                   for (int f = 0; f < features; ++f) {
                     g.w(f) = r * r * bench::sum_of(sum[f]) - d.w(f);
                     norm += d.w(f) * d.w(f);
                   }
                   g.b = r * r * bench::sum_of(misses) - d.b;
                   g.sigma = r * (squared - rows);
                   return -0.5 * (squared + norm) - rows * std::log(d.sigma);
                 }};

}  // namespace regression_problem
