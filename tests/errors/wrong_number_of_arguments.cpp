// expect: the loss cannot be called with these arguments
// expect: expr<double>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return x * x; }, 1.0, 2.0);  // here
#else
  auto step = etch::compile([](auto x, auto y) { return x * y; }, 1.0, 2.0);
#endif
  return static_cast<int>(step(1.0, 2.0));
}
