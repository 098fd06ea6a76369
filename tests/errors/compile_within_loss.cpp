// expect: compile takes values, and this is a traced one
// expect: expr<double>
#include <etch/etch.hpp>

int main() {
  auto loss = [](auto x) {
    auto cube = [](auto y) { return y * y * y; };
#ifdef MISTAKE
    auto inner = etch::compile(cube, x);  // here
    return inner(x);
#else
    return cube(x);
#endif
  };
  auto step = etch::compile(loss, 1.0);
  return static_cast<int>(step(2.0));
}
