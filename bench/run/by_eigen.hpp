// by_eigen: Eigen's product of matrices, c = beta c + op(a) op(b) with beta 0 or 1, all column by column.
#pragma once

#include <Eigen/Core>

namespace bench {

struct by_eigen {
  template <class T>
  void operator()(int m, int n, int k, T const* a, bool transpose_a, T const* b, bool transpose_b, T beta, T* c) const {
    using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
    using given = Eigen::Map<matrix const>;
    given const left(a, transpose_a ? k : m, transpose_a ? m : k), other(b, transpose_b ? n : k, transpose_b ? k : n);
    Eigen::Map<matrix> to(c, m, n);
    if (beta == 0) to.setZero();
    if (transpose_a) to.noalias() += left.transpose() * other;
    else if (transpose_b) to.noalias() += left * other.transpose();
    else to.noalias() += left * other;
  }
};

}  // namespace bench
