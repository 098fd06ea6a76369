// expect: a loop needs at least one step
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  constexpr int steps = 0;
#else
  constexpr int steps = 1;
#endif
  auto root = etch::compile([](auto a) { return etch::repeat<steps>([&](auto x) { return 0.5 * (x + a / x); }, a); }, 2.0);  // here
  return static_cast<int>(root(2.0));
}
