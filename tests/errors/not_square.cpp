// expect: a square matrix is needed
// expect: expr<float, 3, 4>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 4> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return det(x); }, a);  // here
#else
  auto step = etch::compile([](auto x) { return det(x * transpose(x)); }, a);
#endif
  return static_cast<int>(step(a));
}
