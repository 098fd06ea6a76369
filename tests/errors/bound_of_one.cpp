// expect: upto<N> is a dimension of 2 to 2^30 - 1 entries
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  etch::tensor<float, 3, etch::upto<1>> x;  // here
#else
  etch::tensor<float, 3, etch::upto<2>> x;
#endif
  x.resize(1);
  return static_cast<int>(etch::value_and_grad([](auto x) { return mean(x); })(x).value);
}
