// expect: wrt names an argument that the call does not have
// expect: wrt<1>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile<etch::wrt<1>>([](auto x) { return x * x; }, 1.0);  // here
#else
  auto step = etch::compile<etch::wrt<0>>([](auto x) { return x * x; }, 1.0);
#endif
  return static_cast<int>(step(1.0));
}
