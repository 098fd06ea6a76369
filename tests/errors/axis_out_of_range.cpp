// expect: axis out of range
// expect: expr<float, 3, 4>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 4> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(exp(etch::sum<2>(x))); }, a);  // here
#else
  auto step = etch::compile([](auto x) { return sum(exp(etch::sum<1>(x))); }, a);
#endif
  return static_cast<int>(step(a));
}
