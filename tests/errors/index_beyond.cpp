// raised while tracing
// expect: position_out_of_range
// expect: 3
// lines: 24
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto w) { return w(3); }, a);  // here
#else
  auto step = etch::compile([](auto w) { return w(2); }, a);
#endif
  return static_cast<int>(step(a));
}
