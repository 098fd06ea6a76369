// expect: a Jacobian or Hessian has a row or column for each entry
// lines: 40
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  etch::tensor<double, etch::upto<6>> x;
#else
  etch::tensor<double, 6> x;
#endif
  auto squares = [](auto v) { return square(v); };
  auto step = etch::compile<etch::wrt<>>(etch::jacobian(squares), x);  // here
  step(x);
}
