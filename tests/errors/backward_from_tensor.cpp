// expect: the loss is not a scalar
#include <etch/etch.hpp>

int main() {
  etch::tape<double> t;
  auto const x = t.watch(etch::tensor<double, 3>{1, 2, 3});
#ifdef MISTAKE
  return static_cast<int>(t.backward(square(x)));  // here
#else
  return static_cast<int>(t.backward(sum(square(x))));
#endif
}
