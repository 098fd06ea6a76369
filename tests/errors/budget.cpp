// expect: the budget cannot be met
// expect: missing<
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 64, 64> w;
  etch::tensor<float, 64> x;
  auto loss = [](auto w, auto x) { return sum(square(tanh(w * x))); };
#ifdef MISTAKE
  auto step = etch::compile<etch::wrt<0>, etch::budget<64>>(loss, w, x);  // here
#else
  auto step = etch::compile<etch::wrt<0>, etch::budget<4096>>(loss, w, x);
#endif
  return static_cast<int>(step(w, x));
}
