// expect: a traced value is added to a number
// expect: expr<double>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> a;
  auto step = etch::compile(
      [](auto w) {
#ifdef MISTAKE
        double s = 0;
#else
        auto s = 0 * w(0);
#endif
        for (int i = 0; i < 3; ++i) s += w(i) * w(i);  // here
        return s;
      },
      a);
  return static_cast<int>(step(a));
}
