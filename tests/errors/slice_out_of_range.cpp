// expect: slice out of range
// expect: expr<float, 3, 4>
// expect: slice
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 4> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(etch::slice<1, 2, 3>(x)); }, a);  // here
#else
  auto step = etch::compile([](auto x) { return sum(etch::slice<1, 2, 2>(x)); }, a);
#endif
  return static_cast<int>(step(a));
}
