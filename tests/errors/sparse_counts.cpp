// expect: the pattern of a sparse derivative is one for all calls
// lines: 20
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 5> x;
#ifdef MISTAKE
  etch::tensor<float, 5, etch::upto<4>> w;
#else
  etch::tensor<float, 5, 4> w;
#endif
  auto f = [](auto x, auto w) { return square(x) * mean(w); };
  auto p = etch::sparse_jacobian(f, x, w);  // here
  p(x, w);
}
