// Straight-line code: the row of weights in one register.
#include "problem.hpp"

#include "../by_hand.hpp"

namespace tiny_problem {

rival const here{"hand", [](data const& d, gradient& g) -> double {
                   using row = bench::register_of<float, in>::type;
                   double total = 0;
                   bench::one_by_one(calls, [&](int) {
                     auto const w = bench::load<row>(d.w.data()), x0 = bench::load<row>(d.x.data()),
                                x1 = bench::load<row>(d.x.data() + in);
                     float const b = d.b(0), m0 = (bench::sum_of(w * x0) + b) - d.y(0, 0),
                                 m1 = (bench::sum_of(w * x1) + b) - d.y(0, 1);
                     bench::store(g.w.data(), m0 * x0 + m1 * x1);
                     g.b(0) = m0 + m1;
                     total += 0.5f * (m0 * m0 + m1 * m1);
                   });
                   return total;
                 }};

}  // namespace tiny_problem
