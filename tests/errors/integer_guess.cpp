// expect: a guess is a number of floating type (1.0 instead of 1)
// lines: 22
#include <etch/etch.hpp>

int main() {
  auto root = etch::implicit([](auto x, auto a) { return x * x - a; });
#ifdef MISTAKE
  return static_cast<int>(root(1, 4.0));  // here
#else
  return static_cast<int>(root(1.0, 4.0));
#endif
}
