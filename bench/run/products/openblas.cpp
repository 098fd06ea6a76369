// OpenBLAS, on one thread.
#include "problem.hpp"

#include "../blas.hpp"

#include <tuple>

namespace {

template <class P>
struct run {
  static inline typename P::answer product;
  static inline bench::rival<P> const here{"openblas", [](typename P::inputs const& i, typename P::gradient& to) {
                                             bench::by_blas()(P::m, P::n, P::k, i.a.data(), P::how == form::first_transposed, i.b.data(),
                                                              P::how == form::second_transposed, 0, product.data());
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
