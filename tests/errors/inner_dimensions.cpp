// expect: inner dimensions of a product differ
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  constexpr int inner = 5;
#else
  constexpr int inner = 4;
#endif
  etch::tensor<float, 3, 4> a;
  etch::tensor<float, inner, 2> b;
  auto step = etch::compile([](auto x, auto y) { return sum(x * y); }, a, b);
  return static_cast<int>(step(a, b));
}
