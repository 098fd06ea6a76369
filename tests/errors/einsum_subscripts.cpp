// expect: subscripts of einsum are a letter for each axis
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3, 4> a;
  etch::tensor<float, 4, 2> b;
#ifdef MISTAKE
  auto step = etch::compile([](auto x, auto y) { return sum(einsum<"ij,jk->il">(x, y)); }, a, b);  // here
#else
  auto step = etch::compile([](auto x, auto y) { return sum(einsum<"ij,jk->ik">(x, y)); }, a, b);
#endif
  return static_cast<int>(step(a, b));
}
