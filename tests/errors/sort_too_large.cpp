// expect: float holds integers up to 2^24
#include <etch/etch.hpp>

int main() {
  static etch::tensor<float, 4097, 4097> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(sort(x)); }, a);  // here
#else
  auto step = etch::compile([](auto x) { return sum(sort(etch::cast<double>(x))); }, a);
#endif
  return static_cast<int>(step(a));
}
