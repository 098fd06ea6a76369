// expect: std::max, std::min and std::clamp are for numbers
// expect: expr<double>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return std::max(x, 0.0); }, 1.0);  // here
#else
  auto step = etch::compile([](auto x) { return max(x, 0.0); }, 1.0);
#endif
  return static_cast<int>(step(2.0));
}
