// expect: a plain tensor beside a traced value
// expect: expr<float, 65>
// expect: tensor<float, 65>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 65> a;
  static constexpr etch::tensor<float, 65> weights{1, 2, 3};
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(square(x + weights)); }, a);  // here
  return static_cast<int>(step(a));
#else
  auto step = etch::compile([](auto x, auto w) { return sum(square(x + w)); }, a, weights);
  return static_cast<int>(step(a, weights));
#endif
}
