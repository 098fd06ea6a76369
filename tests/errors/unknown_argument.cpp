// expect: unknown type of argument
// expect: char
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  char const* text = "three";
  auto step = etch::compile([](auto x, auto n) { return x * n; }, 1.0, text);  // here
#else
  int text = 3;
  auto step = etch::compile([](auto x, auto n) { return x * n; }, 1.0, text);
#endif
  return static_cast<int>(step(1.0, text));
}
