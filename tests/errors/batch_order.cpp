// expect: inner dimensions of a product differ
// expect: expr<float, 10, 784>
// expect: expr<float, 32, 784>
// lines: 16
#include <etch/etch.hpp>

int main() {
  etch::nn::dense<float, 784, 10> layer;
#ifdef MISTAKE
  static etch::tensor<float, 32, 784> x;
#else
  static etch::tensor<float, 784, 32> x;
#endif
  auto step = etch::compile([](auto m, auto x) { return sum(m(x)); }, layer, x);  // here
  return static_cast<int>(step(layer, x));
}
