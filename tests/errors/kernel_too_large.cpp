// expect: the kernel is larger than the image with its padding
// expect: expr<float, 3, 3>
// expect: expr<float, 5, 5>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 3> x;
  etch::tensor<float, 5, 5> k;
#ifdef MISTAKE
  auto step = etch::compile<etch::wrt<1>>([](auto image, auto kernel) { return sum(conv2d(image, kernel)); }, x, k);  // here
#else
  auto step = etch::compile<etch::wrt<1>>([](auto image, auto kernel) { return sum(etch::conv2d<1, 1>(image, kernel)); }, x, k);
#endif
  return static_cast<int>(step(x, k));
}
