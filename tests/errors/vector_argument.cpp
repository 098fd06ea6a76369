// expect: unknown type of argument
// expect: std::vector<double
#include <etch/etch.hpp>

#include <array>
#include <vector>

int main() {
#ifdef MISTAKE
  std::vector<double> v(3);
#else
  std::array<double, 3> v{};
#endif
  auto step = etch::compile([](auto x) { return x[0] * x[1]; }, v);  // here
  return static_cast<int>(step(v));
}
