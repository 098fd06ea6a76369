// expect: sum<0>(x), reshape<3, 4>(x)
// expect: expr<double, 3, 4>
// lines: 14
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3, 4> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto w) { return sum(exp(sum(w, 0))); }, a);  // here
#else
  auto step = etch::compile([](auto w) { return sum(exp(etch::sum<0>(w))); }, a);
#endif
  return static_cast<int>(step(a));
}
