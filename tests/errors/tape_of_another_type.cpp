// expect: element types differ
// expect: expr<float>
// expect: var<double>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  etch::tape<double> t;
#else
  etch::tape<float> t;
#endif
  auto const x = t.watch(etch::tensor<float, 3>{1, 2, 3});
  return static_cast<int>(t.backward(sum(x)));  // here
}
