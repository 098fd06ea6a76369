// expect: nn::repeated needs at least one layer
#include <etch/etch.hpp>

int main() {
#ifdef MISTAKE
  constexpr int depth = 0;
#else
  constexpr int depth = 1;
#endif
  etch::nn::repeated<depth, etch::nn::dense<float, 8, 8>> body;  // here
  etch::tensor<float, 8> x;
  auto step = etch::compile([](auto model, auto in) { return sum(model(in)); }, body, x);
  return static_cast<int>(step(body, x));
}
