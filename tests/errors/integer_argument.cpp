// expect: wrt names an argument of integers
// expect: wrt<0>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return x * x; }, 1);  // here
  return static_cast<int>(step(1));
#else
  auto step = etch::compile([](auto x) { return x * x; }, 1.0);
  return static_cast<int>(step(1.0));
#endif
}
