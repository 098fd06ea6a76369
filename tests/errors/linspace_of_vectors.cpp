// expect: a number is needed
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(linspace<5>(0, x)); }, a);  // here
#else
  auto step = etch::compile([](auto x) { return sum(linspace<5>(0, x(0))); }, a);
#endif
  return static_cast<int>(step(a));
}
