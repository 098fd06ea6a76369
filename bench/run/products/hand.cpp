// By hand: ../hand_product.hpp.
#include "problem.hpp"

#include "../hand_product.hpp"

namespace {

struct by_hand {
  static constexpr char name[] = "hand";
  template <class P>
  static void multiply(typename P::inputs const& i, typename P::answer& c) {
    using a = std::conditional_t<P::how == form::first_transposed, bench::lies<P::k, 1>, bench::lies<1, P::m>>;
    using b = std::conditional_t<P::how == form::second_transposed, bench::lies<P::n, 1>, bench::lies<1, P::k>>;
    bench::hand_product<typename P::scalar, P::m, P::n, P::k, a, b, P::m>::run(i.a.data(), i.b.data(), c.data());
  }
};
enter<by_hand> const here;

}  // namespace
