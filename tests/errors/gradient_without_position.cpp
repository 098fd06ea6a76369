// expect: grad needs the position of an argument
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> a;
  auto step = etch::compile([](auto x) { return sum(square(x)); }, a);
  step(a);
#ifdef MISTAKE
  return static_cast<int>(step.grad()(0));  // here
#else
  return static_cast<int>(step.grad<0>()(0));
#endif
}
