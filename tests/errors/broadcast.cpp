// expect: shapes do not broadcast
// expect: expr<float, 3, 4>
// expect: expr<float, 4>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 4> a;
  etch::tensor<float, 4> b;
#ifdef MISTAKE
  auto step = etch::compile([](auto x, auto y) { return sum(x + y); }, a, b);  // here
#else
  auto step = etch::compile([](auto x, auto y) { return sum(x + etch::reshape<1, 4>(y)); }, a, b);
#endif
  return static_cast<int>(step(a, b));
}
