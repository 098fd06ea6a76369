// expect: a program that is const is called
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto const step = etch::compile([](auto x) { return x * x; }, 1.0);
#else
  auto step = etch::compile([](auto x) { return x * x; }, 1.0);
#endif
  return static_cast<int>(step(2.0));  // here
}
