// expect: a function that has a gradient returns a scalar
// lines: 22
#include <etch/etch.hpp>

int main() {
  auto wave = [](auto y) { return sin(y); };
  etch::tensor<double, 3> v;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(etch::grad(decltype(wave){})(x)); }, v);  // here
#else
  auto step = etch::compile([](auto x) { return sum(etch::grad([](auto y) { return sum(sin(y)); })(x)); }, v);
#endif
  static_cast<void>(wave);
  return static_cast<int>(step(v));
}
