// expect: the loss must return one traced value
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { static_cast<void>(x * x); }, 1.0);  // here
#else
  auto step = etch::compile([](auto x) { return x * x; }, 1.0);
#endif
  return static_cast<int>(step(2.0));
}
