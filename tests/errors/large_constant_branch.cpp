// expect: a plain tensor beside a traced value
// expect: tensor<double, 70>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 70> const a{1, 2, 3};
  static constexpr etch::tensor<double, 70> otherwise{3, 2, 1};
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(select(x > 0, x, otherwise)); }, a);  // here
  return static_cast<int>(step(a));
#else
  auto step = etch::compile([](auto x, auto y) { return sum(select(x > 0, x, y)); }, a, otherwise);
  return static_cast<int>(step(a, otherwise));
#endif
}
