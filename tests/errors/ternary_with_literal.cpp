// expect: a run-time branch on a traced value
// expect: expr<double>
// lines: 16
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return x > 0 ? x : 0.0; }, 1.0);  // here
#else
  auto step = etch::compile([](auto x) { return select(x > 0, x, 0.0); }, 1.0);
#endif
  return static_cast<int>(step(2.0));
}
