// expect: an argument named in wrt does not influence the loss
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return x > 0; }, 1.0);  // here
#else
  auto step = etch::compile([](auto x) { return select(x > 0, x, 0); }, 1.0);
#endif
  return static_cast<int>(step(2.0));
}
