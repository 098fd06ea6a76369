// expect: f(x...) in the others
// expect: expr<double, 3>
// lines: 22
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3, 8> xs;
#ifdef MISTAKE
  auto norm = [](auto x, auto y) { return dot(x, y); };
#else
  auto norm = [](auto x) { return dot(x, x); };
#endif
  auto step = etch::compile([](auto xs) { return etch::sum_map(decltype(norm){}, xs); }, xs);  // here
  return static_cast<int>(step(xs));
}
