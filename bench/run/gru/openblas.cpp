// On OpenBLAS's products.
#include "by_products.hpp"

#include "../blas.hpp"

namespace {

bench::rival<gru> const here("openblas",
                             [](auto const& in, auto& g) { return gru_by_products::compute(in, g, bench::by_blas{}); });

}  // namespace
