// dnnl: oneDNN's product of matrices, c = beta c + op(a) op(b), all column by column; oneDNN thinks row
// by row, so it gets the transposes.
#pragma once

#include <oneapi/dnnl/dnnl.h>

namespace bench {

struct by_dnnl {
  void operator()(int m, int n, int k, float const* a, bool transpose_a, float const* b, bool transpose_b, float beta,
                  float* c) const {
    dnnl_sgemm(transpose_b ? 'T' : 'N', transpose_a ? 'T' : 'N', n, m, k, 1, b, transpose_b ? n : k, a,
               transpose_a ? k : m, beta, c, m);
  }
};

}  // namespace bench
