// expect: wrt names an argument that the call does not have
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  using positions = etch::wrt<1>;
#else
  using positions = etch::wrt<0>;
#endif
  auto step = etch::compile<positions>([](auto x) { return x * x; }, 1.0);
  return static_cast<int>(step(1.0));
}
