// expect: a traced value as an index
// expect: expr<double, 8>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 8> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto w) { return w(argmax(w)); }, a);  // here
#else
  auto step = etch::compile([](auto w) { return max(w); }, a);
#endif
  return static_cast<int>(step(a));
}
