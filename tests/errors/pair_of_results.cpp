// expect: or a tuple of them
// expect: pair
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return std::pair(x * x, exp(x)); }, 1.0);  // here
#else
  auto step = etch::compile([](auto x) { return std::tuple(x * x, exp(x)); }, 1.0);
#endif
  return static_cast<int>(step(2.0));
}
