// expect: vjp(f)(x..., u) takes the arguments of f and then an adjoint
// lines: 22
#include <etch/etch.hpp>

int main() {
  auto wave = [](auto y) { return sin(y); };
  etch::tensor<double, 3> v;
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return std::get<1>(etch::vjp(decltype(wave){})(x, 1.0))(0); }, v);  // here
#else
  auto step = etch::compile([](auto x) { return std::get<1>(etch::vjp(decltype(wave){})(x, x))(0); }, v);
#endif
  return static_cast<int>(step(v));
}
