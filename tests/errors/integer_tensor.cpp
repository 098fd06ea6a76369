// expect: wrt names an argument of integers
// expect: tensor<int, 3>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  etch::tensor<int, 3> a;
#else
  etch::tensor<double, 3> a;
#endif
  auto gradient = etch::grad([](auto x) { return sum(x * 2); })(a);  // here
  return static_cast<int>(gradient(0));
}
