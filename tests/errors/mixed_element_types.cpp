// expect: element types differ
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3> a;
  etch::tensor<double, 3> b;
#ifdef MISTAKE
  auto step = etch::compile([](auto x, auto y) { return sum(x + y); }, a, b);
#else
  auto step = etch::compile([](auto x, auto y) { return sum(etch::cast<double>(x) + y); }, a, b);
#endif
  return static_cast<int>(step(a, b));
}
