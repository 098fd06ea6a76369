// expect: the loss takes concrete types
#include <etch/etch.hpp>

#include <functional>

int main() {
#ifdef MISTAKE
  std::function<double(double)> f = [](double x) { return x * x; };
#else
  auto f = [](auto x) { return x * x; };
#endif
  auto step = etch::compile(f, 1.0);  // here
  return static_cast<int>(step(2.0));
}
