// blas: OpenBLAS on one thread, its products by what the matrices are.
#pragma once

#include <cblas.h>

namespace bench {

/// c (m x n) = or += op(a) op(b), all column by column without gaps unless a leading dimension says otherwise.
struct blas {
  bool transpose_a = false, transpose_b = false;

  blas(bool ta, bool tb) : transpose_a(ta), transpose_b(tb) {
    static bool const once = (openblas_set_num_threads(1), true);
    static_cast<void>(once);
  }

  void operator()(int m, int n, int k, float const* a, float const* b, float beta, float* c) const {
    cblas_sgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1, a,
                transpose_a ? k : m, b, transpose_b ? n : k, beta, c, m);
  }
  void operator()(int m, int n, int k, double const* a, double const* b, double beta, double* c) const {
    cblas_dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1, a,
                transpose_a ? k : m, b, transpose_b ? n : k, beta, c, m);
  }
};

}  // namespace bench
