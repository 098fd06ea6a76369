// expect: dot, outer and cross take two vectors, and one operand is a number
// expect: expr<double, 3>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> const a{1, 2, 3};
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return square(dot(2.0, x)); }, a);  // here
#else
  auto step = etch::compile([](auto x) { return square(sum(2.0 * x)); }, a);
#endif
  return static_cast<int>(step(a));
}
