// expect: a window does not fit
// expect: expr<float, 4, 2>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 4, 2> x;
#ifdef MISTAKE
  auto step = etch::compile([](auto image) { return sum(etch::max_pool<3>(image)); }, x);  // here
#else
  auto step = etch::compile([](auto image) { return sum(etch::max_pool<2>(image)); }, x);
#endif
  return static_cast<int>(step(x));
}
