// expect: unknown option
#include <etch/etch.hpp>

struct fast {};

int main() {
#ifdef MISTAKE
  auto step = etch::compile<etch::wrt<0>, fast>([](auto x) { return x * x; }, 1.0);  // here
#else
  auto step = etch::compile<etch::wrt<0>, etch::precise>([](auto x) { return x * x; }, 1.0);
#endif
  return static_cast<int>(step(2.0));
}
