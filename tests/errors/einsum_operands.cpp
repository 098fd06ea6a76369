// expect: subscripts of einsum have a group of letters for every operand
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 4> a;
  etch::tensor<float, 4, 2> b;
#ifdef MISTAKE
  auto step = etch::compile([](auto x, auto y) { return sum(einsum<"ij,j->i">(x, y)); }, a, b);  // here
#else
  auto step = etch::compile([](auto x, auto y) { return sum(einsum<"ij,jk->i">(x, y)); }, a, b);
#endif
  return static_cast<int>(step(a, b));
}
