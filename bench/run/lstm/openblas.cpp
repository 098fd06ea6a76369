// On OpenBLAS's products.
#include "by_products.hpp"

#include "../blas.hpp"

namespace {

bench::rival<lstm> const here("openblas", [](auto const& in, auto& g) {
  return lstm_by_products::compute(in, g, bench::by_blas{});
});

}  // namespace
