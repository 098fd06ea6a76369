// expect: a traced integer is compared
// expect: expr<int>
// lines: 13
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto power = [](auto x, auto n) {
#else
  auto power = [](auto x, auto) {
#endif
    auto y = x;
#ifdef MISTAKE
    for (int i = 1; i < n; ++i) y *= x;  // here
#else
    for (int i = 1; i < 3; ++i) y *= x;
#endif
    return y;
  };
  auto step = etch::compile(power, 1.0, 3);
  return static_cast<int>(step(1.0, 3));
}
