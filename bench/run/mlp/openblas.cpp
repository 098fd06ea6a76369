// On OpenBLAS's products.
#include "by_products.hpp"

#include "../blas.hpp"

namespace {

enter_all<mlp_by_products::on<bench::by_blas>::network> const here("openblas");

}  // namespace
