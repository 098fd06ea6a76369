// By hand: ../hand_product.hpp.
#include "problem.hpp"

#include "../hand_product.hpp"

#include <tuple>

namespace {

template <class P>
struct run {
  using a = std::conditional_t<P::how == form::first_transposed, bench::lies<P::k, 1>, bench::lies<1, P::m>>;
  using b = std::conditional_t<P::how == form::second_transposed, bench::lies<P::n, 1>, bench::lies<1, P::k>>;
  static inline typename P::answer product;
  static inline bench::rival<P> const here{"hand", [](typename P::inputs const& i, typename P::gradient& to) {
                                             bench::hand_product<typename P::scalar, P::m, P::n, P::k, a, b, P::m>::run(
                                                 i.a.data(), i.b.data(), product.data());
                                             to.product = &product;
                                             return 0.0;
                                           }};
};

template <class... P>
struct all {
  std::tuple<bench::rival<P> const*...> entered{&run<P>::here...};
};
with_products<all> const here;

}  // namespace
