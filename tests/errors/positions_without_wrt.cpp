// expect: positions are named by wrt
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile<0>([](auto x) { return x * x; }, 1.0);  // here
#else
  auto step = etch::compile<etch::wrt<0>>([](auto x) { return x * x; }, 1.0);
#endif
  return static_cast<int>(step(2.0));
}
