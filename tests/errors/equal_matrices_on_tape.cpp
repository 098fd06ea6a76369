// expect: write cwise_product(a, b)
// expect: var<double, 2, 3>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 2, 3> a, b;
  etch::tape<double> t;
  auto const x = t.watch(a), y = t.watch(b);
#ifdef MISTAKE
  auto const loss = sum(x * y + x);  // here
#else
  auto const loss = sum(cwise_product(x, y) + x);
#endif
  return static_cast<int>(t.backward(loss));
}
