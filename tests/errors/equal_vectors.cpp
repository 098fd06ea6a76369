// expect: write cwise_product(a, b)
// expect: expr<double, 3>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> a, b;
#ifdef MISTAKE
  auto step = etch::compile([](auto y, auto eta) { return sum(2 - y * eta); }, a, b);  // here
#else
  auto step = etch::compile([](auto y, auto eta) { return sum(2 - cwise_product(y, eta)); }, a, b);
#endif
  return static_cast<int>(step(a, b));
}
