// expect: this matrix of derivatives has too many entries to list: jacobian and hessian give it dense
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 300> x;
#ifdef MISTAKE
  auto p = etch::sparse_hessian([](auto v) { return square(sum(v)); }, x);  // here
#else
  auto p = etch::sparse_hessian([](auto v) { return sum(exp(v)); }, x);
#endif
  p(x);
}
