// expect: a run-time branch on a traced value
// expect: expr<double>
// lines: 16
#include <etch/etch.hpp>

int main() {
  auto loss = [](auto x) {
    auto y = x;
#ifdef MISTAKE
    while (y > 1) y = y / 2;  // here
#else
    for (int i = 0; i < 4; ++i) y = select(y > 1, y / 2, y);
#endif
    return y;
  };
  auto step = etch::compile(loss, 1.0);
  return static_cast<int>(step(2.0));
}
