// expect: a traced value where a number is wanted
// lines: 21
#include <etch/etch.hpp>

#include <cmath>

int main() {
  etch::tensor<float, 3> a;
#if !defined(MISTAKE)
  auto loss = [](auto x) { return sum(x) * exp(x(0)); };
#else
  auto loss = [](auto x) { return sum(x) * std::exp(x(0)); };
#endif
  auto step = etch::compile(loss, a);  // here
  return static_cast<int>(step(a));
}
