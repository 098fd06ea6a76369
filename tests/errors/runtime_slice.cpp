// expect: axes, extents and positions are template arguments
// expect: expr<double, 8>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 8> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto w, auto n) { return sum(slice(w, n, 3)); }, a, 2);  // here
#else
  auto step = etch::compile([](auto w, auto) { return sum(etch::slice<0, 2, 3>(w)); }, a, 2);
#endif
  return static_cast<int>(step(a, 2));
}
