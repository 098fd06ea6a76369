// expect: the target of a loss has the shape of the prediction
// expect: expr<double, 1, 4>
// expect: expr<double, 4>
#include <etch/etch.hpp>

int main() {
  etch::tensor<double, 1, 4> prediction;
#ifdef MISTAKE
  etch::tensor<double, 4> target;
#else
  etch::tensor<double, 1, 4> target;
#endif
  auto step = etch::compile([](auto p, auto y) { return etch::nn::mse(p, y); }, prediction, target);  // here
  return static_cast<int>(step(prediction, target));
}
