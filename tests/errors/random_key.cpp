// expect: random numbers are drawn from a key that is one integer among the arguments of the loss
// expect: expr<double>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3> x;
#ifdef MISTAKE
  double key = 1;
#else
  long key = 1;
#endif
  auto step = etch::compile([](auto v, auto k) { return sum(dropout(v, k, 0.5)); }, x, key);  // here
  return static_cast<int>(step(x, key));
}
