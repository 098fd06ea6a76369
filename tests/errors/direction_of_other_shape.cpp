// expect: hvp(f)(x, v) takes the arguments of f and then a direction
// lines: 22
#include <etch/etch.hpp>

int main() {
  auto norm_of = [](auto y) { return sum(square(y)); };
  etch::tensor<double, 3> v;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return etch::hvp(decltype(norm_of){})(x, 1.0)(0); }, v);  // here
#else
  auto step = etch::compile([](auto x) { return etch::hvp(decltype(norm_of){})(x, x)(0); }, v);
#endif
  return static_cast<int>(step(v));
}
