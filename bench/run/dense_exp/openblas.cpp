// OpenBLAS for the products, Eigen for what is between them.
#include "problem.hpp"

#include "../blas.hpp"

namespace {

bench::rival<dense_exp> const here("openblas", [](dense_exp::inputs const& i, dense_exp::gradient& g) {
  constexpr int rows = dense_exp::rows, features = dense_exp::features, columns = dense_exp::columns;
  static Eigen::MatrixXd e(rows, columns);
  bench::by_blas()(rows, columns, features, i.model.w.data(), false, i.x.data(), false, 0, e.data());
  e = (e.colwise() + i.model.b.flat()).array().exp();
  bench::by_blas()(rows, features, columns, e.data(), false, i.x.data(), true, 0, g.w.data());
  g.b.flat() = e.rowwise().sum();
  return e.sum();
});

}  // namespace
