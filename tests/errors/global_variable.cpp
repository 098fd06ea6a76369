// raised while tracing
// expect: factor
// lines: 24
#include <etch/etch.hpp>

#ifdef MISTAKE
double factor = 2;
#else
constexpr double factor = 2;
#endif

int main() {
  auto step = etch::compile([](auto x) { return factor * x; }, 1.0);  // here
  return static_cast<int>(step(2.0));
}
