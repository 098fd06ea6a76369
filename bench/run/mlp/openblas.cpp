// On OpenBLAS's products.
#include "by_products.hpp"

#include "../blas.hpp"

namespace {

template <class P>
struct on_products {
  static constexpr double workspace = -1;
  static float compute(typename P::inputs const& i, typename P::gradient& g) {
    return mlp_by_products::compute<P>(i, g, bench::by_blas{});
  }
};
enter_all<on_products> const here("openblas");

}  // namespace
