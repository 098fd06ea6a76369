// expect: the equations that give an unknown are as many as its entries
// lines: 22
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 2> v;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(etch::implicit([](auto y, auto b) { return sum(y - b); })(x, x)); }, v);  // here
#else
  auto step = etch::compile([](auto x) { return sum(etch::implicit([](auto y, auto b) { return y - b; })(x, x)); }, v);
#endif
  return static_cast<int>(step(v));
}
