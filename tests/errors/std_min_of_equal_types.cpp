// expect: write max(a, b), min(a, b), clamp(x, lo, hi)
// expect: expr<double>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x, auto y) { return std::min(x, y); }, 1.0, 2.0);  // here
#else
  auto step = etch::compile([](auto x, auto y) { return min(x, y); }, 1.0, 2.0);
#endif
  return static_cast<int>(step(2.0, 1.0));
}
