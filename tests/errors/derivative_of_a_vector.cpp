// expect: derivative<N>(f)(x) is by one number x
// lines: 14
#include <etch/etch.hpp>

int main() {
  auto norm_of = [](auto y) { return sum(cube(y)); };
  etch::tensor<double, 3> v;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return etch::derivative<2>(decltype(norm_of){})(x); }, v);  // here
#else
  auto step = etch::compile([](auto x) { return etch::laplacian(decltype(norm_of){})(x); }, v);
#endif
  return static_cast<int>(step(v));
}
