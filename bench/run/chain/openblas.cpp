// On OpenBLAS's products.
#include "../blas.hpp"

#include "by_products.hpp"

namespace {

template <class P>
bench::rival<P> rival() {
  return {"openblas", [](typename P::inputs const& i, typename P::gradient& g) {
            return chain_by_products<P>(i, g, bench::by_blas{});
          }};
}
auto const of_sum = rival<chain_of_sum>();
auto const of_squares = rival<chain_of_squares>();

}  // namespace
