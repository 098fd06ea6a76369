// expect: inner dimensions of a product differ
// expect: expr<float, 3, 4>
// expect: expr<float, 5, 2>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 4> a;
#ifdef MISTAKE
  etch::tensor<float, 5, 2> b;
  auto step = etch::compile([](auto x, auto y) { return sum(x * y); }, a, b);  // here
#else
  etch::tensor<float, 4, 2> b;
  auto step = etch::compile([](auto x, auto y) { return sum(x * y); }, a, b);
#endif
  return static_cast<int>(step(a, b));
}
