// expect: result<K> asks for more than the loss returns
#include <etch/etch.hpp>

int main() {
  auto step = etch::compile([](auto x) { return std::tuple(x * x, exp(x)); }, 1.0);
  step(2.0);
#ifdef MISTAKE
  return static_cast<int>(step.result<2>());  // here
#else
  return static_cast<int>(step.result<1>());
#endif
}
