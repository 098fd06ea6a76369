// expect: both branches of cond return values of the same shapes
// lines: 16
#include <etch/etch.hpp>

int main() {
  auto loss = [](auto x) {
    auto larger = [](auto a) { return exp(a); };
#ifdef MISTAKE
    auto y = etch::cond(x(0) > 1.0, larger, [](auto a) { return sum(a); }, x);  // here
#else
    auto y = etch::cond(x(0) > 1.0, larger, [](auto a) { return a + sum(a); }, x);
#endif
    return sum(y);
  };
  auto step = etch::compile(loss, etch::tensor<double, 2>{});
  return static_cast<int>(step(etch::tensor<double, 2>{}));
}
