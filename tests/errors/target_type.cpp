// expect: one integer label for each column
// expect: expr<float, 32>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 10, 32> z;
#ifdef MISTAKE
  etch::tensor<float, 32> y;
#else
  etch::tensor<int, 32> y;
#endif
  auto step = etch::compile([](auto z, auto y) { return etch::nn::softmax_cross_entropy(z, y); }, z, y);  // here
  return static_cast<int>(step(z, y));
}
