// On oneDNN's products.
#include "by_products.hpp"

#include "../dnnl.hpp"

namespace {

enter_all<mlp_by_products::on<bench::by_dnnl>::network> const here("onednn");

}  // namespace
