// expect: grad<J> asks for a position that is not in wrt
// expect: wrt<0>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile<etch::wrt<0>>([](auto x, auto y) { return x * y; }, 1.0, 2.0);
#else
  auto step = etch::compile<etch::wrt<0, 1>>([](auto x, auto y) { return x * y; }, 1.0, 2.0);
#endif
  step(1.0, 2.0);
  return static_cast<int>(step.grad<1>());  // here
}
