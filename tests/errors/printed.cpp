// expect: a traced value is printed
// expect: expr<double>
// lines: 13
#include <etch/etch.hpp>

#include <iostream>

int main() {
  auto loss = [](auto x) {
#ifdef MISTAKE
    std::cout << x << "\n";  // here
#endif
    return x * x;
  };
  auto step = etch::compile(loss, 1.0);
#ifdef MISTAKE
  return static_cast<int>(step(2.0));
#else
  double const value = step(2.0);
  std::cout << value << "\n";
  return 0;
#endif
}
