// expect: a convolution has strides and dilations of 1 to 255
// expect: shape_of<0, 1, 1, 1>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 8, 8> x;
  etch::tensor<float, 3, 3> k;
#ifdef MISTAKE
  auto step = etch::compile<etch::wrt<1>>([](auto image, auto kernel) { return sum(etch::conv2d<0, 1>(image, kernel)); }, x, k);  // here
#else
  auto step = etch::compile<etch::wrt<1>>([](auto image, auto kernel) { return sum(etch::conv2d<1, 1>(image, kernel)); }, x, k);
#endif
  return static_cast<int>(step(x, k));
}
