// expect: grad<J> asks for a position that is not in wrt
// expect: wrt<0>
#include <etch/etch.hpp>

int main() {
  auto step = etch::compile([](auto x, auto y) { return x * y; }, 1.0, 2.0);
  step(1.0, 2.0);
#ifdef MISTAKE
  return static_cast<int>(step.grad<2>());  // here
#else
  return static_cast<int>(step.grad<0>());
#endif
}
