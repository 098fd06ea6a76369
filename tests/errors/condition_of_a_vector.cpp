// expect: cond and while_loop depend on one number
// lines: 16
#include <etch/etch.hpp>

int main() {
  auto loss = [](auto x) {
    auto twice = [](auto a) { return 2.0 * a; };
#ifdef MISTAKE
    auto y = etch::while_loop<8>([](auto a) { return a < 1.0; }, twice, x);  // here
#else
    auto y = etch::while_loop<8>([](auto a) { return max(a) < 1.0; }, twice, x);
#endif
    return sum(y);
  };
  auto step = etch::compile(loss, etch::tensor<double, 2>{});
  return static_cast<int>(step(etch::tensor<double, 2>{}));
}
