// raised while tracing
// lines: 20
// expect: loop_meets_no_traced_value
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto a) { return a * etch::repeat<3>([](auto x) { return sin(x); }, 1.0); }, 2.0);  // here
#else
  auto step = etch::compile([](auto a) { return a * etch::repeat<3>([](auto x) { return sin(x); }, 1.0 + 0 * a); }, 2.0);
#endif
  return static_cast<int>(step(2.0));
}
