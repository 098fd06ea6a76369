// On oneDNN's products.
#include "by_products.hpp"

#include "../dnnl.hpp"

namespace {

bench::rival<lstm> const here("onednn", [](auto const& in, auto& g) {
  return lstm_by_products::compute(in, g, bench::by_dnnl{});
});

}  // namespace
