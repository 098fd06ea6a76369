// expect: into and add_to take one storage for each position in wrt
// expect: const
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 8> a;
#ifdef MISTAKE
  etch::tensor<double, 8> const g;
#else
  etch::tensor<double, 8> g;
#endif
  auto step = etch::compile([](auto w) { return sum(square(w)); }, a);
  return static_cast<int>(step(a, etch::add_to(g)));  // here
}
