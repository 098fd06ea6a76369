// expect: a layer of nn::repeated must give the shape that it is given
// expect: expr<float, 8>
// expect: expr<float, 4>
// lines: 20
#include <etch/etch.hpp>

#ifdef MISTAKE
using layers = etch::nn::repeated<3, etch::nn::dense<float, 8, 4>>;
#else
using layers = etch::nn::repeated<3, etch::nn::dense<float, 8, 8>>;
#endif

int main() {
  layers body;
  etch::tensor<float, 8> x;
  auto step = etch::compile([](auto model, auto in) { return sum(model(in)); }, body, x);  // here
  return static_cast<int>(step(body, x));
}
