// blas: OpenBLAS's product of matrices on one thread, c = beta c + op(a) op(b), all column by column.
#pragma once

#include <cblas.h>

namespace bench {

struct by_blas {
  by_blas() {
    static bool const once = (openblas_set_num_threads(1), true);
    static_cast<void>(once);
  }

  void operator()(int m, int n, int k, float const* a, bool transpose_a, float const* b, bool transpose_b, float beta,
                  float* c) const {
    cblas_sgemm(CblasColMajor, which(transpose_a), which(transpose_b), m, n, k, 1, a, transpose_a ? k : m, b,
                transpose_b ? n : k, beta, c, m);
  }
  void operator()(int m, int n, int k, double const* a, bool transpose_a, double const* b, bool transpose_b,
                  double beta, double* c) const {
    cblas_dgemm(CblasColMajor, which(transpose_a), which(transpose_b), m, n, k, 1, a, transpose_a ? k : m, b,
                transpose_b ? n : k, beta, c, m);
  }

 private:
  static CBLAS_TRANSPOSE which(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }
};

}  // namespace bench
