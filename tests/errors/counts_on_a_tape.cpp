// expect: a tape takes tensors of fixed shapes
// lines: 20
#include <etch/etch.hpp>

int main() {
  etch::tape<float> t;
#ifdef MISTAKE
  etch::tensor<float, 3, etch::upto<5>> x;
#else
  etch::tensor<float, 3, 5> x;
#endif
  auto v = t.watch(x);  // here
  return static_cast<int>(t.backward(sum(v)));
}
