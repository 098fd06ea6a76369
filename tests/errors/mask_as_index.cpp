// expect: select(mask, x, 0) what a mask names
// expect: expr<double, 8>
// lines: 14
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 8> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto w) { return sum(w[w > 0]); }, a);  // here
#else
  auto step = etch::compile([](auto w) { return sum(select(w > 0, w, 0)); }, a);
#endif
  return static_cast<int>(step(a));
}
