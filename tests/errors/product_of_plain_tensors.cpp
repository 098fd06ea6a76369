// expect: this operation on plain tensors is computed by a program
// expect: tensor<double, 2, 3>
// lines: 20
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 2, 3> const a{1, 2, 3, 4, 5, 6};
  etch::tensor<double, 3> const x{1, 2, 3};
#ifdef MISTAKE
  auto const y = a * x;  // here
#else
  auto product = etch::compile<etch::wrt<>>([](auto m, auto v) { return m * v; }, a, x);
  etch::tensor<double, 2> const y = product(a, x);
#endif
  return static_cast<int>(sum(0.5 * y - y));
}
