// raised while tracing
// expect: constant_is_too_long
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto loss = [](auto x) {
    auto c = etch::stack<0>(1, 2);
    for (int i = 0; i < 200; ++i) c = sin(c) + i;
    return sum(x * c);
  };
#else
  auto loss = [](auto x) {
    auto c = x * etch::stack<0>(1, 2);
    for (int i = 0; i < 200; ++i) c = sin(c) + i;
    return sum(x * c);
  };
#endif
  auto step = etch::compile(loss, 1.0);  // here
  return static_cast<int>(step(1.0));
}
