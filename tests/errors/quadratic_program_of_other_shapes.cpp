// expect: quadratic_program(Q, c, A, b) takes a matrix [n, n], a vector [n]
// lines: 22
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 2, 2> q;
  etch::tensor<double, 2> c;
  etch::tensor<double, 1, 2> a;
#ifdef MISTAKE
  auto step = etch::compile([](auto s, auto t, auto u) { return sum(std::get<0>(etch::quadratic_program(s, t, u, t))); }, q, c, a);  // here
#else
  auto step = etch::compile([](auto s, auto t, auto u) { return sum(std::get<0>(etch::quadratic_program(s, t, u, u * t))); }, q, c, a);
#endif
  return static_cast<int>(step(q, c, a));
}
