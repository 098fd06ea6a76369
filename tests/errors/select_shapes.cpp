// expect: shapes do not broadcast
// expect: expr<double, 3>
// expect: expr<double, 4>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> a;
#ifdef MISTAKE
  etch::tensor<double, 4> b;
#else
  etch::tensor<double, 3> b;
#endif
  auto step = etch::compile([](auto x, auto y) { return sum(select(x > 0, x, y)); }, a, b);  // here
  return static_cast<int>(step(a, b));
}
