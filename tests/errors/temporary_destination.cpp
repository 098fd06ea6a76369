// expect: into and add_to refer to variables
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 8> a;
  auto step = etch::compile([](auto w) { return sum(square(w)); }, a);
#ifdef MISTAKE
  return static_cast<int>(step(a, etch::into(etch::tensor<double, 8>())));  // here
#else
  etch::tensor<double, 8> g;
  return static_cast<int>(step(a, etch::into(g)));
#endif
}
