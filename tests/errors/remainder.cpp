// expect: % is not defined for traced values
// expect: expr<double>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return x % 2; }, 1.0);  // here
#else
  auto step = etch::compile([](auto x) { return x - 2 * floor(x / 2); }, 1.0);
#endif
  return static_cast<int>(step(2.0));
}
