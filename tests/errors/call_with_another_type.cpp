// expect: a program is called with the arguments that it was compiled for
// expect: tensor<double, 9>
// expect: tensor<double, 8>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 8> a;
#ifdef MISTAKE
  etch::tensor<double, 9> b;
#else
  etch::tensor<double, 8> b;
#endif
  auto step = etch::compile([](auto w, auto s) { return s * sum(w); }, a, 1.0);
  return static_cast<int>(step(b, 1.0));  // here
}
