// expect: a program is called with the arguments that it was compiled for
// expect: tensor<double, 8>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 8> a;
  auto step = etch::compile([](auto w, auto s) { return s * sum(w); }, a, 1.0);
#ifdef MISTAKE
  return static_cast<int>(step(a));  // here
#else
  return static_cast<int>(step(a, 1.0));
#endif
}
