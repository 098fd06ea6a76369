// On Eigen's products.
#include "by_products.hpp"

#include "../by_eigen.hpp"

namespace {

bench::rival<lstm> const here("eigen", [](auto const& in, auto& g) {
  return lstm_by_products::compute(in, g, bench::by_eigen{});
});

}  // namespace
