// expect: this operation on plain tensors is computed by a program
// expect: tensor<double, 3>
// lines: 20
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 3> const x{1, 2, 3};
#ifdef MISTAKE
  auto const y = tanh(x);  // here
#else
  auto squash = etch::compile<etch::wrt<>>([](auto v) { return tanh(v); }, x);
  auto const y = squash(x);
#endif
  return static_cast<int>(sum(y));
}
