// expect: element types differ
// expect: expr<float, 3>
// expect: expr<double, 3>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3> a;
  etch::tensor<double, 3> b;
#ifdef MISTAKE
  auto step = etch::compile([](auto x, auto y) { return sum(x + y); }, a, b);  // here
#else
  auto step = etch::compile([](auto x, auto y) { return sum(etch::cast<double>(x) + y); }, a, b);
#endif
  return static_cast<int>(step(a, b));
}
