// expect: of the dimensions of a tensor only the last can be upto<N>
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  etch::tensor<float, etch::upto<9>, 3> x;  // here
#else
  etch::tensor<float, 3, etch::upto<9>> x;
#endif
  return static_cast<int>(etch::value_and_grad([](auto x) { return mean(x); })(x).value);
}
