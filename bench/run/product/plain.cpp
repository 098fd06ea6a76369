// The same by products from both ends, which zeros do not disturb.
#include "problem.hpp"

namespace product_problem {

rival const here{"plain", [](data const& d, gradient& g) -> double {
                   double total = 0;
                   bench::one_by_one(calls, [&](int) {
                     double before = 1;
                     for (int i = 0; i < count; ++i) {
                       g.x(i) = before;
                       before *= d.x(i);
                     }
                     total += before;
                     double behind = 1;
                     for (int i = count - 1; i >= 0; --i) {
                       g.x(i) *= behind;
                       behind *= d.x(i);
                     }
                   });
                   return total;
                 }};

}  // namespace product_problem
