// expect: into and add_to take one storage for each position in wrt
// expect: tensor<float, 8>
// expect: tensor<double, 8>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 8> a;
#ifdef MISTAKE
  etch::tensor<float, 8> g;
#else
  etch::tensor<double, 8> g;
#endif
  auto step = etch::compile([](auto w) { return sum(square(w)); }, a);
  return static_cast<int>(step(a, etch::into(g)));  // here
}
