// expect: shapes do not broadcast
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  constexpr int rows = 4;
#else
  constexpr int rows = 3;
#endif
  etch::tensor<float, 3, 4> a;
  etch::tensor<float, rows> b;
  auto step = etch::compile([](auto x, auto y) { return sum(x + y); }, a, b);
  return static_cast<int>(step(a, b));
}
