// expect: a vector is needed
// expect: expr<double, 3, 4>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3, 4> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto w) { return w(2); }, a);  // here
#else
  auto step = etch::compile([](auto w) { return w(2, 0); }, a);
#endif
  return static_cast<int>(step(a));
}
