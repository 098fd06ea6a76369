// expect: an argument named in wrt does not influence the loss
// expect: wrt<1>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile<etch::wrt<1>>([](auto x, auto) { return x * x; }, 1.0, 2.0);  // here
#else
  auto step = etch::compile<etch::wrt<1>, etch::allow_unused>([](auto x, auto) { return x * x; }, 1.0, 2.0);
#endif
  return static_cast<int>(step(1.0, 2.0));
}
