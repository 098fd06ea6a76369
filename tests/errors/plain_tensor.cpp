// expect: a plain tensor beside a traced value
// expect: expr<float, 3>
// expect: tensor<float, 3>
#include <etch/etch.hpp>

int main() {
  etch::tensor<float, 3> a;
  static constexpr etch::tensor<float, 3> weights{1, 2, 3};
#ifdef MISTAKE
  auto step = etch::compile([](auto x) { return sum(square(x + weights)); }, a);  // here
  return static_cast<int>(step(a));
#else
  auto step = etch::compile([](auto x, auto w) { return sum(square(x + w)); }, a, weights);
  return static_cast<int>(step(a, weights));
#endif
}
