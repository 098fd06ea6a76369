// expect: a traced value as an index
// expect: expr<double, 8>
// expect: expr<int>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 8> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto w, auto n) { return w(n); }, a, 3);  // here
#else
  auto step = etch::compile([](auto w, auto n) { return etch::gather<0>(w, n); }, a, 3);
#endif
  return static_cast<int>(step(a, 3));
}
