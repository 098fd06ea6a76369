// Eight products side by side, of what stands before each entry on the way there and behind it on the way back.
#include "problem.hpp"

#include "../by_hand.hpp"

namespace product_problem {

rival const here{"hand", [](data const& d, gradient& g) -> double {
                   using bench::doubles;
                   double total = 0;
                   bench::one_by_one(calls, [&](int) {
                     // Eight chains of twelve or thirteen entries; what stands before an entry in its
                     // chain is kept in registers.
                     doubles before[13], all = bench::load<doubles>(d.x.data());
                     for (int i = 1; i < 12; ++i) {
                       before[i] = all;
                       all *= bench::load<doubles>(d.x.data() + 8 * i);
                     }
                     doubles last{1, 1, 1, 1, 1, 1, 1, 1};
                     std::memcpy(&last, d.x.data() + 96, 4 * sizeof(double));
                     before[12] = all;
                     all *= last;
                     // The product of all other chains, for each chain.
                     doubles const two = __builtin_shufflevector(all, all, 1, 0, 3, 2, 5, 4, 7, 6), pairs = all * two,
                                   other_pair = __builtin_shufflevector(pairs, pairs, 2, 2, 0, 0, 6, 6, 4, 4),
                                   fours = pairs * other_pair,
                                   other_four = __builtin_shufflevector(fours, fours, 4, 4, 4, 4, 0, 0, 0, 0);
                     doubles behind = two * other_pair * other_four;
                     doubles const y = before[12] * behind;
                     std::memcpy(g.x.data() + 96, &y, 4 * sizeof(double));
                     behind *= last;
                     for (int i = 11; i > 0; --i) {
                       bench::store(g.x.data() + 8 * i, before[i] * behind);
                       behind *= bench::load<doubles>(d.x.data() + 8 * i);
                     }
                     bench::store(g.x.data(), behind);
                     total += fours[0] * fours[4];
                   });
                   return total;
                 }};

}  // namespace product_problem
