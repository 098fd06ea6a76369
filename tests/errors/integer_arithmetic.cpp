// expect: integers are labels and indices
// expect: expr<int, 8>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 8> a;
  etch::tensor<int, 8> b;
#ifdef MISTAKE
  auto step = etch::compile([](auto x, auto n) { return sum(x) * max(n); }, a, b);  // here
#else
  auto step = etch::compile([](auto x, auto n) { return sum(x) * max(etch::cast<float>(n)); }, a, b);
#endif
  return static_cast<int>(step(a, b));
}
