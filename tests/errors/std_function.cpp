// expect: a traced value where a number is wanted
// lines: 21
#include <etch/etch.hpp>

#include <cmath>

constexpr double half(double y) { return y / 2; }

int main() {
  etch::tensor<float, 3> a;
#if !defined(MISTAKE)
  auto loss = [](auto x) { return sum(x) * exp(x(0)) * half(2); };
#elif defined(__clang__)
  auto loss = [](auto x) { return sum(x) * half(x(0)); };
#else
  auto loss = [](auto x) { return sum(x) * std::exp(x(0)) * half(2); };
#endif
  auto step = etch::compile(loss, a);  // here
  return static_cast<int>(step(a));
}
