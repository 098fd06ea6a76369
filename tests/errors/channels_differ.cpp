// expect: channels of image and kernel differ
// expect: expr<float, 28, 28, 3, 8>
// expect: expr<float, 5, 5, 6>
#include <etch/etch.hpp>

int main() {
  static etch::tensor<float, 28, 28, 3, 8> x;
#ifdef MISTAKE
  static etch::tensor<float, 5, 5, 6> k;
  auto step = etch::compile<etch::wrt<1>>([](auto image, auto kernel) { return sum(conv2d<1>(image, kernel)); }, x, k);  // here
#else
  static etch::tensor<float, 5, 5, 3, 6> k;
  auto step = etch::compile<etch::wrt<1>>([](auto image, auto kernel) { return sum(conv2d<1>(image, kernel)); }, x, k);
#endif
  return static_cast<int>(step(x, k));
}
