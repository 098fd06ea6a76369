// expect: integers are labels and indices
// expect: expr<int, 3>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> a;
  etch::tensor<int, 3> n;
#ifdef MISTAKE
  auto step = etch::compile([](auto x, auto n) { return sum(cwise_product(x, select(x > 0, n, 0))); }, a, n);  // here
#else
  auto step = etch::compile([](auto x, auto n) { return sum(cwise_product(x, select(x > 0, etch::cast<double>(n), 0))); }, a, n);
#endif
  return static_cast<int>(step(a, n));
}
