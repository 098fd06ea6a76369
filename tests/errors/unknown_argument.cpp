// expect: unknown type of argument
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  char const* text = "three";
#else
  int text = 3;
#endif
  auto step = etch::compile([](auto x, auto n) { return x * n; }, 1.0, text);
  return static_cast<int>(step(1.0, text));
}
