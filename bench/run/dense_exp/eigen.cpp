// The obvious Eigen.
#include "problem.hpp"

namespace {

bench::rival<dense_exp> const here("eigen", [](dense_exp::inputs const& i, dense_exp::gradient& g) {
  using matrix = Eigen::MatrixXd;
  using map = Eigen::Map<matrix, Eigen::Aligned64>;
  using given = Eigen::Map<matrix const, Eigen::Aligned64>;
  constexpr int rows = dense_exp::rows, features = dense_exp::features, columns = dense_exp::columns;
  static matrix e(rows, columns);
  given const w(i.model.w.data(), rows, features), x(i.x.data(), features, columns);
  e.noalias() = w * x;
  e = (e.colwise() + i.model.b.flat()).array().exp();
  map(g.w.data(), rows, features).noalias() = e * x.transpose();
  g.b.flat() = e.rowwise().sum();
  return e.sum();
});

}  // namespace
