// expect: the loss is not a scalar
// expect: expr<float, 3>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return exp(x); }, a);  // here
#else
  auto step = etch::compile([](auto x) { return sum(exp(x)); }, a);
#endif
  return static_cast<int>(step(a));
}
