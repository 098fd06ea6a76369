// expect: a Jacobian or Hessian has a row or column for each entry
// lines: 40
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  etch::tensor<double, etch::upto<6>> x;
#else
  etch::tensor<double, 6> x;
#endif
  auto cubes = [](auto v) { return sum(cube(v)); };
  auto step = etch::compile<etch::wrt<>>(etch::hessian(cubes), x);  // here
  step(x);
}
