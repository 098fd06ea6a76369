// expect: the loss takes concrete types
// lines: 15
#include <etch/etch.hpp>

#ifdef MISTAKE
double f(double x) { return x * x; }
#else
constexpr auto f(auto x) { return x * x; }
#endif

int main() {
#ifdef MISTAKE
  auto gradient = etch::grad(f)(2.0);  // here
#else
  auto gradient = etch::grad([](auto x) { return f(x); })(2.0);
#endif
  return static_cast<int>(gradient);
}
