// On OpenBLAS's products.
#include "by_products.hpp"

#include "../blas.hpp"

namespace {

bench::rival<mlp> const here("openblas",
                             [](auto const& in, auto& g) { return mlp_by_products::compute(in, g, bench::by_blas{}); });

}  // namespace
