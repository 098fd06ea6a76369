// expect: shapes do not concatenate
// expect: expr<float, 3, 4>
// expect: expr<float, 2, 4>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 4> a;
  etch::tensor<float, 2, 4> b;
#ifdef MISTAKE
  auto step = etch::compile([](auto x, auto y) { return sum(etch::concat<1>(x, y)); }, a, b);  // here
#else
  auto step = etch::compile([](auto x, auto y) { return sum(etch::concat<0>(x, y)); }, a, b);
#endif
  return static_cast<int>(step(a, b));
}
